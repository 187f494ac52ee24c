//! The frame as it was sent, decoded from the exact bytes of the request; for a request that is not sent
//! yet, from the bytes that would be sent.

use std::io::Cursor;
use std::path::PathBuf;
use std::sync::Arc;

use image::{ImageFormat, ImageReader};

use super::model::{DecodedFrame, FrameKey, Model, SentFrame};
use super::shown_request::{RequestContent, UnsentReason, selected_request};
use mageyard_dialog::Request;
use mageyard_domain::{BlobRef, Message, MessagePart, PartId, Picture, RequestEncoder, Role, SentImage};
use mageyard_engine::{Snapshot, load_blob};

/// What is shown until the first frame is decoded.
const LOADING: &str = "loading the frame as sent …";

/// Source of the frame as sent.
pub(crate) enum FrameSource {
    /// It was sent: the image, the size of the rendered frame, and the journal that stores the blob.
    Sent(SentImage, (u32, u32), Option<PathBuf>),
    /// It would be sent with this encoder.
    Unsent(Arc<Picture>, Arc<dyn RequestEncoder>),
    /// There is none; the text says why.
    Missing(String),
}

/// Source of the frame as sent for the shown step.
pub(crate) fn frame_source(model: &Model) -> FrameSource {
    let none = |why: &str| FrameSource::Missing(why.to_owned());
    let Some((viewed, step)) = model.episode().and_then(|viewed| Some((viewed, viewed.step()?))) else {
        return none("the environment is still opening");
    };
    let asked = match selected_request(model) {
        Ok(asked) => asked,
        Err(why) => return FrameSource::Missing(why),
    };
    let Some(shown) = model.shown_picture() else { return none("this environment has no frames") };
    let part = shown.part;
    let painted = shown.picture;
    let snapshot = &viewed.snapshot;
    match asked.content {
        _ if asked.step.number != step.number => FrameSource::Missing(format!(
            "nothing was sent at this step: the plan was requested at step {}",
            asked.step.number
        )),
        RequestContent::Side(_) => {
            let sent = asked.side().and_then(|side| side.attempt.sent.as_ref()?.frame(part));
            sent.map_or_else(
                || none("this side request has no image of it"),
                |image| {
                    let size = (painted.width(), painted.height());
                    FrameSource::Sent(image.clone(), size, snapshot.journal.clone())
                },
            )
        }
        RequestContent::Sent(sent, _) => match sent.frame(part) {
            Some(image) => {
                let size = (painted.width(), painted.height());
                FrameSource::Sent(image.clone(), size, snapshot.journal.clone())
            }
            None => none("the request of this step has no image of it: its prompt sends no images"),
        },
        RequestContent::Unsent(request, why) => unsent_source(snapshot, &request, why, (part, painted)),
        RequestContent::Missing(why) => FrameSource::Missing(why),
    }
}

/// Source of a frame whose request was not sent.
fn unsent_source(
    snapshot: &Snapshot,
    request: &Request,
    why: UnsentReason,
    (shown, painted): (PartId, &Arc<Picture>),
) -> FrameSource {
    let none = |why: &str| FrameSource::Missing(format!("nothing was sent at this step{why}"));
    let agent = &snapshot.agent().name;
    let due = request.messages.iter().flat_map(Message::images).any(|(part, _)| part == shown);
    match &snapshot.requests.encoder {
        _ if why == UnsentReason::AgentIgnoresRequests => {
            none(&format!(": the agent {agent} sends no requests"))
        }
        Some(packing) if due && matches!(why, UnsentReason::Next | UnsentReason::FromRecording) => {
            FrameSource::Unsent(painted.clone(), packing.clone())
        }
        Some(_) if due => none(""),
        None if why == UnsentReason::FromRecording => {
            none(&format!(": the agent {agent} replays a recording"))
        }
        _ => FrameSource::Missing(format!("the prompt {} sends no images", snapshot.prompt)),
    }
}

/// The key of a frame from this source.
fn key(source: &FrameSource) -> Option<FrameKey> {
    match source {
        FrameSource::Sent(image, _, journal) => Some(FrameKey::Sent(image.blob.digest, journal.clone())),
        FrameSource::Unsent(picture, _) => Some(FrameKey::Unsent(picture.clone())),
        FrameSource::Missing(_) => None,
    }
}

/// The key of the frame that is to be decoded: it is to be shown as sent, and is neither there nor awaited. One is awaited
/// at a time, so that none waits in line while steps are passed.
pub(crate) fn due(model: &Model) -> Option<FrameKey> {
    let is_there = |key: &FrameKey| model.frame.decoded.as_ref().is_some_and(|frame| frame.key.matches(key));
    let wanted = || key(&frame_source(model)).filter(|key| !is_there(key));
    if model.frame.as_sent && model.frame.awaited.is_none() { wanted() } else { None }
}

/// Takes a decoded frame. It is dropped if another one is to be shown by now.
pub(crate) fn take(model: &mut Model, decoded: Option<DecodedFrame>) {
    model.frame.awaited = None;
    let wanted = key(&frame_source(model));
    match (decoded, wanted) {
        (Some(frame), Some(wanted)) if frame.key.matches(&wanted) => model.frame.decoded = Some(frame),
        (Some(_), _) => {}
        (None, _) => model.frame.decoded = None,
    }
}

/// A frame that is to be decoded; it needs no model, so that a task can decode it.
pub(crate) struct FrameDecoding {
    key: FrameKey,
    source: FrameSource,
}

/// The frame as sent of the shown step, to be decoded; `None` if there is no such frame.
pub(crate) fn decoding(model: &Model) -> Option<FrameDecoding> {
    let source = frame_source(model);
    key(&source).map(|key| FrameDecoding { key, source })
}

impl FrameDecoding {
    /// Loads the blob if needed, or encodes the frame first, and decodes the image.
    pub(crate) fn decode(self) -> DecodedFrame {
        let frame = match &self.source {
            FrameSource::Sent(image, painted, journal) => load_blob(journal.as_deref(), image)
                .map_err(|error| error.to_string())
                .and_then(|bytes| decode_bytes(&image.blob, &bytes, *painted)),
            FrameSource::Unsent(picture, packing) => encode_and_decode(picture, packing.as_ref()),
            FrameSource::Missing(why) => Err(why.clone()),
        };
        DecodedFrame { key: self.key, frame }
    }
}

fn encode_and_decode(picture: &Arc<Picture>, packing: &dyn RequestEncoder) -> Result<SentFrame, String> {
    let part = PartId { step: 1, index: 0 };
    let message = Message { role: Role::User, parts: vec![MessagePart::Image(part, picture.clone())] };
    let sent = packing.encode(&[message], 0).map_err(|error| error.to_string())?;
    let image = sent.frame(part).ok_or("the encoded request has no image")?;
    decode_bytes(&image.blob, &image.bytes, (picture.width(), picture.height()))
}

fn decode_bytes(blob: &BlobRef, bytes: &[u8], painted: (u32, u32)) -> Result<SentFrame, String> {
    let wrong = |why: String| format!("the image {} cannot be shown: {why}", blob.digest);
    let format = ImageFormat::from_mime_type(&blob.media_type)
        .ok_or_else(|| wrong(format!("unknown media type {:?}", blob.media_type)))?;
    // The decoder's limits apply: a small file may declare a huge image.
    let image = ImageReader::with_format(Cursor::new(bytes), format).decode();
    let image = image.map_err(|error| wrong(error.to_string()))?.into_rgb8();
    let (width, height) = image.dimensions();
    let picture = Picture::new(width, height, 1, image.into_raw());
    let picture = Arc::new(picture.ok_or_else(|| wrong("it has no pixels".to_owned()))?);
    let media = blob.media_type.to_string();
    let digest = blob.digest;
    Ok(SentFrame { picture, media, bytes: bytes.len(), digest, rendered_size: painted })
}

/// The text shown in place of a missing frame as sent.
pub(crate) fn missing_frame_message(model: &Model) -> Option<String> {
    if !model.frame.as_sent {
        return None;
    }
    let missing = match frame_source(model) {
        FrameSource::Missing(why) => Some(why),
        _ => match &model.frame.decoded {
            Some(DecodedFrame { frame: Err(why), .. }) => Some(why.clone()),
            Some(_) if !model.shows_pictures() => {
                Some("the frame as sent can only be shown as a picture".to_owned())
            }
            Some(_) => None,
            None => Some(LOADING.to_owned()),
        },
    };
    missing.map(|why| {
        let rendered = model.key_or_name(super::command::CommandId::Sent);
        format!("{why}\n\n{rendered} shows the frame as rendered")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn an_invalid_image_is_an_error() {
        for (media, bytes) in [("image/png", &b"\x89PNG\r\n"[..]), ("image/jpeg", b""), ("text/html", b"x")] {
            let why = decode_bytes(&BlobRef::of(media, bytes), bytes, (1, 1)).unwrap_err();
            assert!(why.starts_with("the image ") && why.contains("cannot be shown"), "{why}");
        }
    }

    #[test]
    fn a_missing_frame_shows_the_reason() {
        let mut model = testing::model_with_prompts();
        model.frame.as_sent = true;
        assert!(due(&model).is_none() && decoding(&model).is_none());
        let words = missing_frame_message(&model).unwrap();
        assert!(
            words.starts_with("nothing was sent at this step: the agent oracle sends no requests"),
            "{words}"
        );
        assert!(words.ends_with("s shows the frame as rendered"), "{words}");
    }
}
