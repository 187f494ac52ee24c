//! A request as it went out, and as it would go out.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde_json::Value;

use super::AgentError;
use super::Digest;
use super::Message;
use super::Segment;

/// A request as it went out. Pictures stand apart, by the digest of their bytes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SentRequest {
    /// The body, each picture replaced by `blob:` and its digest.
    pub body: Value,
    /// What each part of each turn is in the prompt; `None` for an image.
    pub segments: Vec<Vec<Option<Segment>>>,
    /// The frames, one a step, in the order of steps; two of them may be the same picture.
    pub frames: Vec<Blob>,
    /// How many images the body holds, repetitions counted.
    pub images: u32,
}

/// A picture as it was sent.
#[derive(Clone, PartialEq, Eq)]
pub struct Blob {
    /// The digest of the bytes.
    pub digest: Digest,
    /// Its media type, such as `image/png`.
    pub media_type: String,
    /// Pixels across and down.
    pub size: (u32, u32),
    /// The step whose frame it is.
    pub step: u32,
    /// The encoded bytes; empty where they are in their file alone.
    pub bytes: Arc<[u8]>,
}

impl fmt::Debug for Blob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Blob({} of {} bytes)", self.digest, self.bytes.len())
    }
}

/// What begins the address of a picture that stands apart; its digest follows.
pub const BLOB_SCHEME: &str = "blob:";

/// One turn of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn<'a> {
    /// Who speaks, as the body spells it.
    pub role: &'a str,
    /// What is said and shown, in order.
    pub parts: Vec<TurnPart<'a>>,
}

/// One part of a turn of a body.
#[derive(Clone, Debug, PartialEq)]
pub enum TurnPart<'a> {
    /// Words, and what they are in the prompt, where that was noted.
    Text(Option<Segment>, &'a str),
    /// An image; `None` where the body names a picture that was not noted.
    Image(Option<&'a Blob>),
    /// Something that this program never sends.
    Unknown(&'a Value),
}

impl SentRequest {
    /// The body turn by turn. A body that came from a file is taken as it is: what is no turn has no
    /// parts.
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

    /// `shown` counts how often each picture has stood in the body already: frames of several steps may
    /// be the same.
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

    /// How the frame of this step was sent, if it was.
    pub fn frame(&self, step: u32) -> Option<&Blob> {
        self.frames.iter().find(|blob| blob.step == step)
    }
}

/// How an agent packs its requests and where it sends them: for whoever wants to see, copy or count one
/// without sending it.
pub trait RequestEncoder: Send + Sync + fmt::Debug {
    /// The request as it would go out, or why it would not.
    fn encode(&self, request: &[Message]) -> Result<SentRequest, AgentError>;
    /// Pixels across and down of a frame as it is sent, which is painted with so many.
    fn scaled_size(&self, painted: (u32, u32)) -> (u32, u32);
    /// Where a request goes, the whole address.
    fn url(&self) -> &str;
    /// The NAME of the variable that holds the key; empty where none is sent.
    fn key_variable(&self) -> &str;
}

/// How tokens are estimated, in words.
pub const TOKEN_ESTIMATE_RULE: &str =
    "a quarter of the characters, and for an image 85 + 170 a tile of 512 px";

/// About how many tokens a request takes: a guess for every model, from what `OpenAI` charges for images in
/// high detail and from English words. `images` are sizes in pixels.
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
