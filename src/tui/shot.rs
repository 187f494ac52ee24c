//! The frame as it was sent, developed from the very bytes that went to the server; or, where an agent
//! sends frames and this one has not gone out yet, from those that would.

use std::io::Cursor;
use std::path::PathBuf;
use std::sync::Arc;

use image::ImageFormat;
use image::ImageReader;

use super::asked::What;
use super::asked::Why;
use super::asked::asked;
use super::model::Developed;
use super::model::Key;
use super::model::Model;
use super::model::Shot;
use crate::dialog::Request;
use crate::domain::Blob;
use crate::domain::Message;
use crate::domain::Packing;
use crate::domain::Picture;
use crate::domain::Piece;
use crate::domain::Role;
use crate::engine::Snapshot;
use crate::engine::load;

/// Where the frame as sent comes from.
pub(crate) enum Source {
    /// It went out; the size it was painted in, and the journal that keeps it.
    Went(Blob, (u32, u32), Option<PathBuf>),
    /// It would go out by this packing.
    Would(Arc<Picture>, Arc<dyn Packing>),
    /// There is none, in a sentence.
    None(String),
}

/// Where the frame as sent of the step looked at comes from.
pub(crate) fn source(model: &Model) -> Source {
    let none = |why: &str| Source::None(why.to_owned());
    let Some((viewed, step)) = model.viewed().and_then(|viewed| Some((viewed, viewed.step()?))) else {
        return none("the environment is still opening");
    };
    let asked = match asked(model) {
        Ok(asked) => asked,
        Err(why) => return Source::None(why),
    };
    let Some(painted) = step.seen.picture() else { return none("this environment paints no frames") };
    let snapshot = &viewed.snapshot;
    match asked.what {
        _ if asked.step.number != step.number => Source::None(format!(
            "nothing was sent at this step: the whole plan was asked for at step {}",
            asked.step.number
        )),
        What::Sent(sent, _) => match sent.frame(step.number) {
            Some(blob) => {
                let size = (painted.width(), painted.height());
                Source::Went(blob.clone(), size, snapshot.journal.clone())
            }
            None => none("the request of this step held no frame of it: its prompt sends no images"),
        },
        What::Unsent(request, why) => unsent(snapshot, &request, why, (step.number, painted)),
        What::None(why) => Source::None(why),
    }
}

/// The frame of a step, with its number, whose request has not gone out.
fn unsent(snapshot: &Snapshot, request: &Request, why: Why, (step, painted): (u32, &Arc<Picture>)) -> Source {
    let none = |why: &str| Source::None(format!("nothing was sent at this step{why}"));
    let agent = &snapshot.head.agent;
    let due = request.messages.iter().flat_map(Message::frames).any(|(at, _)| at == step);
    match &snapshot.packing {
        _ if why == Why::Unread => none(&format!(": {agent} reads no request")),
        Some(packing) if due && matches!(why, Why::Coming | Why::Repeated) => {
            Source::Would(painted.clone(), packing.clone())
        }
        Some(_) if due => none(""),
        None if why == Why::Repeated => none(&format!(": {agent} speaks from a recording")),
        _ => Source::None(format!("the prompt {} sends no images", snapshot.prompt)),
    }
}

/// What a frame from there is developed from.
fn key(source: &Source) -> Option<Key> {
    match source {
        Source::Went(blob, _, journal) => Some(Key::Went(blob.digest, journal.clone())),
        Source::Would(picture, _) => Some(Key::Would(picture.clone())),
        Source::None(_) => None,
    }
}

/// Whether the frame that is to be shown as sent has still to be developed.
pub(crate) fn is_wanted(model: &Model) -> bool {
    let wanted = if model.as_sent { key(&source(model)) } else { None };
    wanted.is_some_and(|key| model.developed.as_ref().is_none_or(|developed| !developed.key.is(&key)))
}

/// Develops the frame as sent of the step looked at: reads its file if need be, unpacks it, or packs it
/// first. `None` where there is no such frame.
pub(crate) fn develop(model: &Model) -> Option<Developed> {
    let source = source(model);
    let key = key(&source)?;
    let shot = match &source {
        Source::Went(blob, painted, journal) => load(journal.as_deref(), blob)
            .map_err(|error| error.to_string())
            .and_then(|bytes| unpacked(blob, &bytes, *painted)),
        Source::Would(picture, packing) => packed(picture, packing.as_ref()),
        Source::None(why) => Err(why.clone()),
    };
    Some(Developed { key, shot })
}

fn packed(picture: &Arc<Picture>, packing: &dyn Packing) -> Result<Shot, String> {
    let pieces = vec![Piece::Frame(1, picture.clone())];
    let sent = packing.pack(&[Message { role: Role::User, pieces }]).map_err(|error| error.to_string())?;
    let blob = sent.frame(1).ok_or("the packed request holds no frame")?;
    unpacked(blob, &blob.bytes, (picture.width(), picture.height()))
}

fn unpacked(blob: &Blob, bytes: &[u8], painted: (u32, u32)) -> Result<Shot, String> {
    let wrong = |why: String| format!("the picture {} cannot be shown: {why}", blob.digest);
    let format = ImageFormat::from_mime_type(&blob.media)
        .ok_or_else(|| wrong(format!("{:?} is no kind of picture that is known", blob.media)))?;
    // The reader's own limits hold: a small file may claim to be a huge picture.
    let image = ImageReader::with_format(Cursor::new(bytes), format).decode();
    let image = image.map_err(|error| wrong(error.to_string()))?.into_rgb8();
    let (width, height) = image.dimensions();
    let picture = Picture::new(width, height, 1, image.into_raw());
    let picture = Arc::new(picture.ok_or_else(|| wrong("it has no pixels".to_owned()))?);
    let (media, digest) = (blob.media.clone(), blob.digest);
    Ok(Shot { picture, media, bytes: bytes.len(), digest, painted })
}

/// What stands where the frame as sent would be, if it is not there.
pub(crate) fn instead(model: &Model) -> Option<String> {
    if !model.as_sent {
        return None;
    }
    let missing = match source(model) {
        Source::None(why) => Some(why),
        _ => match &model.developed {
            Some(Developed { shot: Err(why), .. }) => Some(why.clone()),
            Some(_) if !model.shows_pictures() => Some("the frame as sent is a picture".to_owned()),
            Some(_) => None,
            None => Some(String::new()),
        },
    };
    missing.map(|why| {
        let key = |deed: super::command::Deed| model.look.keys.keys(deed).into_iter().next();
        let rendered = key(super::command::Deed::Sent).unwrap_or_else(|| ":sent".into());
        format!("{why}\n\n{rendered} shows the frame as rendered")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Digest;
    use crate::tui::testing;

    fn blob(media: &str, bytes: &[u8]) -> Blob {
        Blob { digest: Digest::of(bytes), media: media.into(), size: (2, 2), step: 1, bytes: bytes.into() }
    }

    #[test]
    fn what_is_no_picture_is_a_sentence() {
        for (media, bytes) in [("image/png", &b"\x89PNG\r\n"[..]), ("image/jpeg", b""), ("text/html", b"x")] {
            let why = unpacked(&blob(media, bytes), bytes, (1, 1)).unwrap_err();
            assert!(why.starts_with("the picture ") && why.contains("cannot be shown"), "{why}");
        }
    }

    #[test]
    fn where_nothing_was_sent_a_sentence_says_so() {
        let mut model = testing::asking();
        model.as_sent = true;
        assert!(!is_wanted(&model) && develop(&model).is_none());
        let words = instead(&model).unwrap();
        assert!(words.starts_with("nothing was sent at this step: oracle reads no request"), "{words}");
        assert!(words.ends_with("s shows the frame as rendered"), "{words}");
    }
}
