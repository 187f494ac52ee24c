//! Encoded requests, and the encoder that previews them.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde_json::Value;

use super::AgentError;
use super::Digest;
use super::Message;
use super::Segment;

/// An encoded request. Images are stored separately, by digest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SentRequest {
    /// The body with each image replaced by `blob:` and its digest.
    pub body: Value,
    /// The segment of each part of each turn; `None` for an image.
    pub segments: Vec<Vec<Option<Segment>>>,
    /// The frames, one per step, in step order; several may have the same bytes.
    pub frames: Vec<Blob>,
    /// The number of images in the body, repetitions included.
    pub images: u32,
}

/// An encoded image.
#[derive(Clone, PartialEq, Eq)]
pub struct Blob {
    /// The digest of the bytes.
    pub digest: Digest,
    /// The media type, such as `image/png`.
    pub media_type: String,
    /// The width and height in pixels.
    pub size: (u32, u32),
    /// The step of the frame.
    pub step: u32,
    /// The encoded bytes; empty if they are only on disk.
    pub bytes: Arc<[u8]>,
}

impl fmt::Debug for Blob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Blob({} of {} bytes)", self.digest, self.bytes.len())
    }
}

/// The prefix of the URL of a separately stored image; the digest follows.
pub const BLOB_SCHEME: &str = "blob:";

/// One turn of a request body.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn<'a> {
    /// The role as written in the body.
    pub role: &'a str,
    /// The texts and images, in order.
    pub parts: Vec<TurnPart<'a>>,
}

/// One part of a turn.
#[derive(Clone, Debug, PartialEq)]
pub enum TurnPart<'a> {
    /// A text and its segment, if recorded.
    Text(Option<Segment>, &'a str),
    /// An image; `None` if it is not in [`SentRequest::frames`].
    Image(Option<&'a Blob>),
    /// A part that this program never sends.
    Unknown(&'a Value),
}

impl SentRequest {
    /// The turns of the body. A body from a file may be malformed; an invalid turn has no parts.
    pub fn turns(&self) -> Vec<Turn<'_>> {
        let mut shown = BTreeMap::new();
        let turns = self.body.get("messages").and_then(Value::as_array).into_iter().flatten();
        let turns = turns.enumerate().map(|(index, turn)| {
            let outline = self.segments.get(index).map_or(&[][..], Vec::as_slice);
            let named = |part: usize| outline.get(part).copied().flatten();
            let parts = match &turn["content"] {
                Value::String(text) => vec![TurnPart::Text(named(0), text)],
                Value::Array(parts) => {
                    let part = |(index, part)| self.part(part, named(index), &mut shown);
                    parts.iter().enumerate().map(part).collect()
                }
                Value::Null => Vec::new(),
                other => vec![TurnPart::Unknown(other)],
            };
            Turn { role: turn["role"].as_str().unwrap_or("?"), parts }
        });
        turns.collect()
    }

    /// `shown` counts the previous occurrences of each image in the body: frames of several steps may be
    /// identical.
    fn part<'a>(
        &'a self,
        part: &'a Value,
        name: Option<Segment>,
        shown: &mut BTreeMap<&'a str, usize>,
    ) -> TurnPart<'a> {
        if let Some(text) = part["text"].as_str() {
            return TurnPart::Text(name, text);
        }
        let address = part.pointer("/image_url/url").and_then(Value::as_str);
        let Some(digest) = address.and_then(|address| address.strip_prefix(BLOB_SCHEME)) else {
            return TurnPart::Unknown(part);
        };
        let before = shown.entry(digest).or_default();
        let mut same = self.frames.iter().filter(|blob| blob.digest.to_string() == digest);
        let found = same.clone().nth(*before).or_else(|| same.next());
        *before += 1;
        TurnPart::Image(found)
    }

    /// The frame of this step, if it was sent.
    pub fn frame(&self, step: u32) -> Option<&Blob> {
        self.frames.iter().find(|blob| blob.step == step)
    }
}

/// Encodes requests like an agent, for displaying, copying or counting them without sending.
pub trait RequestEncoder: Send + Sync + fmt::Debug {
    /// Encodes a request, or returns the error that prevents sending it.
    fn encode(&self, request: &[Message]) -> Result<SentRequest, AgentError>;
    /// The width and height in pixels of an encoded frame, from those of the painted one.
    fn scaled_size(&self, painted: (u32, u32)) -> (u32, u32);
    /// The URL that requests are sent to.
    fn url(&self) -> &str;
    /// The name of the environment variable with the API key; empty if no key is sent.
    fn key_variable(&self) -> &str;
}

/// The rule of [`estimate_tokens`] in words.
pub const TOKEN_ESTIMATE_RULE: &str =
    "a quarter of the characters, and for an image 85 + 170 a tile of 512 px";

/// A rough estimate of the tokens of a request for any model: English text, and images as charged by `OpenAI`
/// in high detail. `images` are sizes in pixels.
pub fn estimate_tokens(characters: usize, images: impl IntoIterator<Item = (u32, u32)>) -> u64 {
    let tiles =
        |(width, height): (u32, u32)| u64::from(width.div_ceil(512)) * u64::from(height.div_ceil(512));
    let images: u64 = images.into_iter().map(|size| 85 + 170 * tiles(size)).sum();
    u64::try_from(characters.div_ceil(4)).unwrap_or(u64::MAX).saturating_add(images)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn blob(bytes: &[u8], step: u32) -> Blob {
        let digest = Digest::of(bytes);
        Blob { digest, media_type: "image/png".into(), size: (8, 8), step, bytes: bytes.into() }
    }

    #[test]
    fn a_body_is_listed_turn_by_turn_with_segment_names() {
        let image = |blob: &Blob| json!({"image_url": {"url": format!("blob:{}", blob.digest)}});
        let (one, two) = (blob(b"same", 2), blob(b"same", 3));
        let sent = SentRequest {
            body: json!({"messages": [
                {"role": "system", "content": "S"},
                {"role": "user", "content": [{"text": "T"}, image(&one), image(&two)]},
            ]}),
            segments: vec![vec![Some(Segment::System)], vec![Some(Segment::Task), None, None]],
            frames: vec![one.clone(), two.clone()],
            images: 2,
        };
        let turns = sent.turns();
        assert_eq!(turns[0].parts, [TurnPart::Text(Some(Segment::System), "S")]);
        let parts = [
            TurnPart::Text(Some(Segment::Task), "T"),
            TurnPart::Image(Some(&one)),
            TurnPart::Image(Some(&two)),
        ];
        assert_eq!((turns[1].role, &turns[1].parts[..]), ("user", &parts[..]));
        assert_eq!(sent.frame(3), Some(&two));
    }

    #[test]
    fn a_malformed_body_is_listed_without_failure() {
        for body in
            [json!(7), json!({"messages": 7}), json!({"messages": [7, {"content": [7, {"image_url": {}}]}]})]
        {
            let sent = SentRequest { body, ..SentRequest::default() };
            assert!(sent.turns().iter().all(|turn| turn.role == "?"));
        }
        let unknown = json!({"messages": [{"content": [{"image_url": {"url": "blob:00"}}]}]});
        let sent = SentRequest { body: unknown, ..SentRequest::default() };
        assert_eq!(sent.turns()[0].parts, [TurnPart::Image(None)]);
    }

    #[test]
    fn tokens_are_estimated_by_the_documented_rule() {
        assert_eq!(estimate_tokens(9, []), 3);
        assert_eq!(estimate_tokens(400, [(256, 256)]), 100 + 255);
        assert_eq!(estimate_tokens(0, [(513, 512), (1, 1)]), 425 + 255);
    }
}
