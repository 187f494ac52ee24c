//! Encoded requests, and the traits of agents that encode and read them.
//!
//! A request is kept in pieces: the body without its turns, each turn once (requests of successive steps share most of
//! them), and its images. The turns are in the agent's own format, which only the agent can read.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde_json::Value;

use super::{
    AgentError, BlobRef, Digest, Message, Outline, OutlinePart, PartId, Segment, TEXT_SEPARATOR, VariableText,
};

/// An encoded request. Images are stored separately, by digest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SentRequest {
    /// The body with an empty list in place of the turns.
    pub envelope: Arc<Value>,
    /// The turns in order.
    pub turns: Vec<Arc<SentTurn>>,
    /// The images, one per part, in order of step and index; several may have the same bytes.
    pub frames: Vec<SentImage>,
    /// The number of images in the body, repetitions included.
    pub images: u32,
}

/// A turn of an encoded request.
#[derive(Clone, PartialEq, Eq)]
pub struct SentTurn {
    json: Box<str>,
    outline: Outline,
    digest: Digest,
}

impl SentTurn {
    /// A turn: its exact JSON text with each image replaced by [`BLOB_SCHEME`] and its digest, and its outline.
    pub fn new(json: impl Into<Box<str>>, outline: impl Into<Outline>) -> Self {
        let json = json.into();
        let outline = outline.into();
        let mut hash = blake3::Hasher::new();
        hash.update(json.as_bytes());
        for part in outline.parts() {
            hash_part(&mut hash, *part);
        }
        Self { json, outline, digest: Digest::from(&hash) }
    }

    /// A turn of a recording, whose digest is known.
    pub fn recorded(json: impl Into<Box<str>>, outline: impl Into<Outline>, digest: Digest) -> Self {
        Self { json: json.into(), outline: outline.into(), digest }
    }

    /// The exact JSON text, with images replaced by their digests.
    pub fn json(&self) -> &str {
        &self.json
    }

    /// Which segment each text comes from. Empty if it was not recorded.
    pub fn outline(&self) -> &Outline {
        &self.outline
    }

    /// The digest of text and outline.
    pub fn digest(&self) -> Digest {
        self.digest
    }
}

/// Adds a part of an outline to the digest of its turn.
fn hash_part(hash: &mut blake3::Hasher, part: OutlinePart) {
    hash.update(&[0]);
    match part {
        OutlinePart::Image => {}
        OutlinePart::Text(segment) => _ = hash.update(segment.name().as_bytes()),
        OutlinePart::TextBefore(segment, length) => {
            hash.update(segment.name().as_bytes()).update(b" ").update(length.to_string().as_bytes());
        }
    }
}

impl fmt::Debug for SentTurn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SentTurn({})", self.json)
    }
}

/// An encoded image of a request.
#[derive(Clone, PartialEq, Eq)]
pub struct SentImage {
    /// The part of an observation that it shows.
    pub part: PartId,
    /// The address of the bytes. Version 1 of the journal has no length: it is 0.
    pub blob: BlobRef,
    /// The width and height in pixels.
    pub size: (u32, u32),
    /// The encoded bytes; empty if they are only in a store.
    pub bytes: Arc<[u8]>,
}

impl fmt::Debug for SentImage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SentImage({} of {} bytes)", self.blob.digest, self.bytes.len())
    }
}

/// The prefix of the URL of a separately stored image; the digest follows.
pub const BLOB_SCHEME: &str = "blob:";

/// The field of the turns in the bodies that version 1 of the journal stores whole.
const VERSION_1_TURNS: &str = "messages";

impl SentRequest {
    /// The request of a version-1 journal, which has a whole body and the outline of each of its turns. A body without
    /// turns is an envelope.
    pub fn from_version_1(
        mut body: Value,
        outlines: Vec<Outline>,
        frames: Vec<SentImage>,
        images: u32,
    ) -> Self {
        let turns = body.get_mut(VERSION_1_TURNS).and_then(Value::as_array_mut).map(std::mem::take);
        let outlines = outlines.into_iter().chain(std::iter::repeat_with(Outline::default));
        let turns = turns.into_iter().flatten().zip(outlines);
        let turns = turns.map(|(turn, outline)| Arc::new(SentTurn::new(turn.to_string(), outline))).collect();
        Self { envelope: body.into(), turns, frames, images }
    }

    /// The whole body with images replaced by their digests, as version 1 of the journal stores it.
    pub fn to_version_1(&self) -> Value {
        let mut body = Value::clone(&self.envelope);
        if let Some(turns) = body.get_mut(VERSION_1_TURNS).and_then(Value::as_array_mut) {
            let read = |turn: &Arc<SentTurn>| serde_json::from_str::<Value>(turn.json()).ok();
            turns.extend(self.turns.iter().filter_map(read));
        }
        body
    }

    /// The request without the bytes of its images, which are in a store.
    #[must_use]
    pub fn without_bytes(&self) -> Self {
        let bare = |image: &SentImage| SentImage { bytes: Arc::default(), ..image.clone() };
        Self { frames: self.frames.iter().map(bare).collect(), ..self.clone() }
    }

    /// The digest of the whole request: of its envelope and of its turns, which name their images.
    pub fn digest(&self) -> Digest {
        let mut hash = blake3::Hasher::new();
        hash.update(self.envelope.to_string().as_bytes());
        for turn in &self.turns {
            hash.update(&[0]).update(turn.json().as_bytes());
        }
        Digest::from(&hash)
    }

    /// The turns, read by the agent's reader.
    pub fn read_turns(&self, reader: &dyn RequestReader) -> Vec<Turn> {
        let mut shown = BTreeMap::new();
        let mut find = |part: TurnPart| match part {
            TurnPart::Image { digest, image: None } => {
                let before = shown.entry(digest.clone()).or_insert(0);
                let image = self.image(&digest, *before).cloned();
                *before += 1;
                TurnPart::Image { digest, image }
            }
            other => other,
        };
        let turns = self.turns.iter().map(|turn| reader.read(turn));
        turns.map(|turn| Turn { parts: turn.parts.into_iter().map(&mut find).collect(), ..turn }).collect()
    }

    /// The image with this digest, of which `before` were shown before: images of several steps may be identical.
    fn image(&self, digest: &str, before: usize) -> Option<&SentImage> {
        let mut same = self.frames.iter().filter(|image| image.blob.digest.to_string() == digest);
        same.clone().nth(before).or_else(|| same.next())
    }

    /// The image of this part, if it was sent.
    pub fn frame(&self, part: PartId) -> Option<&SentImage> {
        self.frames.iter().find(|image| image.part == part)
    }
}

/// A turn of a request, read for display.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// The role as written in the turn.
    pub role: String,
    /// The texts and images, in order.
    pub parts: Vec<TurnPart>,
    /// Whether its parts are texts that were sent as one string, joined by [`TEXT_SEPARATOR`].
    pub joined: bool,
    /// Whether the request asks the server to cache everything up to the end of this turn.
    pub cache_mark: bool,
}

impl Turn {
    /// The turn as it was sent: texts that were sent as one string are one text without a segment.
    #[must_use]
    pub fn as_sent(self) -> Self {
        if !self.joined {
            return self;
        }
        let texts = self.parts.into_iter().filter_map(|part| match part {
            TurnPart::Text(_, text) => Some(text),
            TurnPart::Image { .. } | TurnPart::Unknown(_) => None,
        });
        let text = TurnPart::Text(None, texts.collect::<Vec<_>>().join(TEXT_SEPARATOR));
        Self { parts: vec![text], joined: false, ..self }
    }
}

/// One part of a turn.
#[derive(Clone, Debug, PartialEq)]
pub enum TurnPart {
    /// A text and its segment, if recorded.
    Text(Option<Segment>, String),
    /// An image.
    Image {
        /// The digest as written in the turn.
        digest: String,
        /// The image; `None` if it is not in [`SentRequest::frames`].
        image: Option<SentImage>,
    },
    /// A part that this program never sends, as JSON.
    Unknown(String),
}

/// Reads requests in an agent's own format. Requests from a file may be malformed: reading never fails, and an invalid
/// turn has unknown parts or none.
pub trait RequestReader: Send + Sync + fmt::Debug {
    /// The role and parts of a turn. Images are not looked up: see [`SentRequest::read_turns`].
    fn read(&self, turn: &SentTurn) -> Turn;
    /// The fields of the body besides the turns, in order.
    fn parameters(&self, request: &SentRequest) -> Vec<(String, Value)>;
    /// Whether the reply is streamed.
    fn streams(&self, request: &SentRequest) -> bool;
    /// The body as JSON text. `url` returns the URL of an image from the text in its place.
    fn body(&self, request: &SentRequest, url: &mut dyn FnMut(&str) -> String) -> String;
}

/// Encodes requests like an agent, for displaying, copying or counting them without sending.
pub trait RequestEncoder: Send + Sync + fmt::Debug {
    /// Encodes a request of which the next one repeats this many turns, or returns the error that prevents sending it.
    fn encode(&self, request: &[Message], stable: usize) -> Result<SentRequest, AgentError>;
    /// Whether it asks the server to cache what the next request repeats, and the system text.
    fn asks_for_caching(&self) -> bool {
        false
    }
    /// Whether equal requests are to have equal replies: the temperature is 0.
    fn is_deterministic(&self) -> bool {
        false
    }
    /// The width and height in pixels of an encoded frame, from those of the painted one.
    fn scaled_size(&self, painted: (u32, u32)) -> (u32, u32);
    /// The URL that requests are sent to, without its query.
    fn url(&self) -> &str;
    /// The URL with its query.
    fn address(&self) -> VariableText {
        VariableText::literal(self.url())
    }
    /// The headers of a request besides its content type, with the API key as a variable.
    fn headers(&self) -> Vec<(String, VariableText)>;
    /// The options of `curl` for the files that a connection needs, such as `--cacert`, and their paths.
    fn files(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }
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

    fn image(bytes: &[u8], step: u32) -> SentImage {
        let part = PartId { step, index: 0 };
        SentImage { part, blob: BlobRef::of("image/png", bytes), size: (8, 8), bytes: bytes.into() }
    }

    /// Reads turns that are lists of digests.
    #[derive(Debug)]
    struct ListReader;

    impl RequestReader for ListReader {
        fn read(&self, turn: &SentTurn) -> Turn {
            let digests: Vec<String> = serde_json::from_str(turn.json()).unwrap();
            let parts = digests.into_iter().map(|digest| TurnPart::Image { digest, image: None });
            Turn { role: String::new(), parts: parts.collect(), joined: false, cache_mark: false }
        }

        fn parameters(&self, _: &SentRequest) -> Vec<(String, Value)> {
            Vec::new()
        }

        fn streams(&self, _: &SentRequest) -> bool {
            false
        }

        fn body(&self, _: &SentRequest, _: &mut dyn FnMut(&str) -> String) -> String {
            String::new()
        }
    }

    #[test]
    fn identical_images_of_several_steps_keep_their_order() {
        let one = image(b"same", 2);
        let two = image(b"same", 3);
        let digest = one.blob.digest.to_string();
        let turn = |digests: &[&str]| Arc::new(SentTurn::new(json!(digests).to_string(), []));
        let sent = SentRequest {
            turns: vec![turn(&[&digest]), turn(&[&digest, "00"])],
            frames: vec![one.clone(), two.clone()],
            ..SentRequest::default()
        };
        let turns = sent.read_turns(&ListReader);
        let found =
            |image: &SentImage| TurnPart::Image { digest: digest.clone(), image: Some(image.clone()) };
        assert_eq!(turns[0].parts, [found(&one)]);
        assert_eq!(turns[1].parts, [found(&two), TurnPart::Image { digest: "00".into(), image: None }]);
        assert_eq!(sent.frame(PartId { step: 3, index: 0 }), Some(&two));
        assert_eq!(sent.frame(PartId { step: 3, index: 1 }), None);
        let bare = sent.without_bytes();
        assert!(bare.frames.iter().all(|image| image.bytes.is_empty()));
        assert_eq!(bare.turns, sent.turns);
    }

    #[test]
    fn a_version_1_body_is_split_into_turns_and_put_together_again() {
        let body = json!({"model": "m", "messages": [{"role": "user", "content": "T"}, 7], "n": 1});
        let outline = vec![Outline::from([Some(Segment::Task)])];
        let sent = SentRequest::from_version_1(body.clone(), outline, Vec::new(), 0);
        assert_eq!(sent.envelope.to_string(), r#"{"model":"m","messages":[],"n":1}"#);
        assert_eq!(sent.turns[0].json(), r#"{"role":"user","content":"T"}"#);
        assert_eq!(
            (sent.turns[0].outline(), sent.turns[1].outline()),
            (&[Some(Segment::Task)].into(), &[].into())
        );
        assert_eq!(sent.to_version_1().to_string(), body.to_string());
        for body in [json!(7), json!({"messages": 7}), json!({})] {
            let sent = SentRequest::from_version_1(body.clone(), Vec::new(), Vec::new(), 0);
            assert_eq!((sent.turns.len(), &*sent.envelope), (0, &body));
        }
    }

    #[test]
    fn turns_are_equal_if_text_and_outline_are() {
        let turn = |text: &str, segment| SentTurn::new(text, [Some(segment), None]).digest();
        assert_eq!(turn("a", Segment::Task), turn("a", Segment::Task));
        assert_ne!(turn("a", Segment::Task), turn("a", Segment::Turn));
        assert_ne!(turn("a", Segment::Task), turn("b", Segment::Task));
        assert_ne!(SentTurn::new("a", []).digest(), SentTurn::new("a", [None]).digest());
    }

    #[test]
    fn tokens_are_estimated_by_the_documented_rule() {
        assert_eq!(estimate_tokens(9, []), 3);
        assert_eq!(estimate_tokens(400, [(256, 256)]), 100 + 255);
        assert_eq!(estimate_tokens(0, [(513, 512), (1, 1)]), 425 + 255);
    }
}
