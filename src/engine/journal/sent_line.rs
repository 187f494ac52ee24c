//! The stored form of a request: its envelope, its prompt version and its turns by digest, with those that no earlier
//! line has. Version 1 of the format stored every request whole.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use smallvec::SmallVec;

use super::pieces::{Piece, Pieces, WrittenPieces, json_digest};
use crate::attempt::PromptVersion;
use mageyard_domain::{BlobRef, Digest, Outline, PartId, SentImage, SentRequest, SentTurn};

/// The fields of a request that is read.
#[derive(Deserialize)]
struct SentLine {
    asking: Digest,
    envelope: Digest,
    images: u32,
    #[serde(default)]
    pictures: Vec<StoredImage>,
    turns: Vec<Digest>,
    #[serde(default)]
    new_asking: Option<PromptVersion>,
    #[serde(default, deserialize_with = "any_value")]
    new_envelope: Option<Box<RawValue>>,
    #[serde(default)]
    new_turns: Vec<StoredTurn>,
}

/// The same fields of a request that is written.
#[derive(Serialize)]
pub(super) struct NewSentLine<'a> {
    asking: Digest,
    envelope: Digest,
    images: u32,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pictures: Vec<StoredImage>,
    turns: Vec<Digest>,
    #[serde(skip_serializing_if = "Option::is_none")]
    new_asking: Option<&'a PromptVersion>,
    #[serde(skip_serializing_if = "Option::is_none")]
    new_envelope: Option<&'a Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    new_turns: Vec<NewTurn<'a>>,
}

/// A value that is there, even if it is `null`.
fn any_value<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<Box<RawValue>>, D::Error> {
    Box::<RawValue>::deserialize(from).map(Some)
}

/// A turn that is read: its exact text, which is JSON or, if it is not, a string.
#[derive(Deserialize)]
struct StoredTurn {
    #[serde(default)]
    outline: Outline,
    #[serde(default)]
    json: Option<Box<RawValue>>,
    #[serde(default)]
    text: Option<String>,
}

/// The same of a turn that is written.
#[derive(Serialize)]
struct NewTurn<'a> {
    #[serde(skip_serializing_if = "Outline::is_empty")]
    outline: &'a Outline,
    #[serde(skip_serializing_if = "Option::is_none")]
    json: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
}

/// An image of a request: the blob with its bytes is in the session's folder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct StoredImage {
    digest: Digest,
    media: String,
    #[serde(default, skip_serializing_if = "is_zero")]
    length: u64,
    size: (u32, u32),
    step: u32,
    #[serde(default, skip_serializing_if = "is_first")]
    index: u16,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_first(index: &u16) -> bool {
    *index == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(length: &u64) -> bool {
    *length == 0
}

impl<'a> NewSentLine<'a> {
    /// The stored form of a request.
    pub(super) fn new(
        request: &'a SentRequest,
        version: &'a Arc<PromptVersion>,
        written: &mut WrittenPieces,
    ) -> Self {
        let (asking, envelope) =
            (written.version_digest(version), written.envelope_digest(&request.envelope));
        let new_turns = request.turns.iter().filter(|turn| written.is_new(Piece::Turn, turn.digest()));
        let new_turns = new_turns.map(|turn| NewTurn::of(turn)).collect();
        let is_new = written.is_new(Piece::Envelope, envelope);
        Self {
            asking,
            envelope,
            images: request.images,
            pictures: request.frames.iter().map(StoredImage::of).collect(),
            turns: request.turns.iter().map(|turn| turn.digest()).collect(),
            new_asking: written.is_new(Piece::Version, asking).then_some(&**version),
            new_envelope: is_new.then_some(&*request.envelope),
            new_turns,
        }
    }
}

impl SentLine {
    /// The request and its prompt version, or which piece is missing or malformed.
    fn resolve(self, pieces: &mut Pieces) -> Result<(SentRequest, Arc<PromptVersion>), String> {
        if let Some(version) = self.new_asking {
            pieces.versions.entry(json_digest(&version)).or_insert_with(|| version.into());
        }
        if let Some(envelope) = self.new_envelope {
            let value: Value = serde_json::from_str(envelope.get()).map_err(|error| error.to_string())?;
            pieces.envelopes.entry(Digest::of(envelope.get().as_bytes())).or_insert_with(|| value.into());
        }
        add_turns(&self.turns, self.new_turns, pieces);
        // Exactly as long as needed: an episode has tens of thousands of these lists.
        let mut turns = Vec::with_capacity(self.turns.len());
        for digest in &self.turns {
            turns.push(pieces.turns.get(digest).cloned().ok_or_else(|| missing("turn", *digest))?);
        }
        let envelope = pieces.envelopes.get(&self.envelope).cloned();
        let envelope = envelope.ok_or_else(|| missing("envelope", self.envelope))?;
        let version = pieces.versions.get(&self.asking).cloned();
        let version = version.ok_or_else(|| missing("prompt version", self.asking))?;
        let frames = self.pictures.into_iter().map(|image| image.into_image(pieces)).collect();
        Ok((SentRequest { envelope, turns, frames, images: self.images }, version))
    }
}

/// Adds the turns that a line has: those whose digests no line before it has, in this order. Hashing them again would
/// take longer than parsing them.
fn add_turns(named: &[Digest], new: Vec<StoredTurn>, pieces: &mut Pieces) {
    let mut unknown: SmallVec<[Digest; 4]> = SmallVec::new();
    let is_new = |digest: &&Digest| !pieces.turns.contains_key(*digest);
    for digest in named.iter().filter(is_new) {
        if !unknown.contains(digest) {
            unknown.push(*digest);
        }
    }
    let same = unknown.len() == new.len();
    let mut unknown = unknown.into_iter().filter(|_| same);
    for turn in new {
        let digest = unknown.next();
        pieces.share_turn(turn.into_turn(digest));
    }
}

fn missing(what: &str, digest: Digest) -> String {
    format!("the {what} {digest} of the request is in no line before it")
}

impl<'a> NewTurn<'a> {
    fn of(turn: &'a SentTurn) -> Self {
        // A line break would end the line of the journal.
        let raw = Some(turn.json()).filter(|json| !json.contains('\n'));
        let raw = raw.and_then(|json| serde_json::from_str::<&RawValue>(json).ok());
        let raw = raw.filter(|raw| raw.get().len() == turn.json().len());
        Self { outline: turn.outline(), json: raw, text: raw.is_none().then(|| turn.json()) }
    }
}

impl StoredTurn {
    /// The turn with this digest, or with its own one.
    fn into_turn(self, digest: Option<Digest>) -> SentTurn {
        let json: Box<str> = match (self.json, self.text) {
            (Some(json), _) => json.into(),
            (None, text) => text.unwrap_or_default().into(),
        };
        match digest {
            Some(digest) => SentTurn::recorded(json, self.outline, digest),
            None => SentTurn::new(json, self.outline),
        }
    }
}

impl StoredImage {
    fn of(image: &SentImage) -> Self {
        Self {
            digest: image.blob.digest,
            media: image.blob.media_type.to_string(),
            length: image.blob.length,
            size: image.size,
            step: image.part.step,
            index: image.part.index,
        }
    }

    /// The bytes stay in their file.
    fn into_image(self, pieces: &mut Pieces) -> SentImage {
        let media_type = pieces.share_media_type(&self.media);
        SentImage {
            part: PartId { step: self.step, index: self.index },
            blob: BlobRef { digest: self.digest, media_type, length: self.length },
            size: self.size,
            bytes: Arc::default(),
        }
    }
}

/// The fields of a request in version 1.
#[derive(Serialize, Deserialize)]
pub(super) struct SentLineV1 {
    asking: PromptVersion,
    images: u32,
    pictures: Vec<StoredImage>,
    #[serde(default)]
    outline: Vec<Outline>,
    body: Value,
}

impl SentLineV1 {
    /// The stored form of a request.
    pub(super) fn new(request: &SentRequest, version: &PromptVersion) -> Self {
        Self {
            asking: version.clone(),
            images: request.images,
            pictures: request.frames.iter().map(StoredImage::of).collect(),
            outline: request.turns.iter().map(|turn| turn.outline().clone()).collect(),
            body: request.to_version_1(),
        }
    }

    /// The request and its prompt version. Equal turns share memory.
    pub(super) fn resolve(self, pieces: &mut Pieces) -> (SentRequest, Arc<PromptVersion>) {
        let version = pieces.versions.entry(json_digest(&self.asking)).or_insert_with(|| self.asking.into());
        let version = version.clone();
        let frames = self.pictures.into_iter().map(|image| image.into_image(pieces)).collect();
        let mut request = SentRequest::from_version_1(self.body, self.outline, frames, self.images);
        for turn in &mut request.turns {
            *turn = pieces.turns.entry(turn.digest()).or_insert_with(|| turn.clone()).clone();
        }
        let envelope = pieces.envelopes.entry(json_digest(&request.envelope));
        request.envelope = envelope.or_insert(request.envelope).clone();
        (request, version)
    }
}

/// Either form, by its fields.
pub(super) fn parse_sent(
    line: &str,
    pieces: &mut Pieces,
) -> Result<(Arc<SentRequest>, Arc<PromptVersion>), String> {
    let (request, version) = match serde_json::from_str::<SentLine>(line) {
        Ok(sent) => sent.resolve(pieces)?,
        Err(error) => match serde_json::from_str::<SentLineV1>(line) {
            Ok(sent) => sent.resolve(pieces),
            Err(old) => return Err(if line.contains("\"body\"") { old } else { error }.to_string()),
        },
    };
    Ok((request.into(), version))
}
