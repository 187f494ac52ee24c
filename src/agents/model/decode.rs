//! Decodes the bytes of a request into turns, to verify what is really sent.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::protocol::Protocol;
use super::raw_body::{RawBody, ReadEnvelope};
use mageyard_domain::{BLOB_SCHEME, DecodedTurn, Digest, SentRequest};

/// The content of a request body.
#[derive(Debug)]
pub(super) struct DecodedBody {
    /// The turns.
    pub(super) turns: Vec<Arc<ReadTurn>>,
    /// Everything around them.
    pub(super) envelope: Arc<ReadEnvelope>,
    /// The number of images, repetitions included.
    pub(super) images: u32,
}

/// A turn read from the bytes of a body.
#[derive(Debug)]
pub(crate) struct ReadTurn {
    /// The text in the body from which it was read.
    written: Box<str>,
    /// Its JSON text with each image replaced by `blob:` and its digest, if that is another one.
    stored: Option<Box<str>>,
    /// What it says.
    pub(crate) decoded: DecodedTurn,
}

impl ReadTurn {
    /// The text in the body.
    pub(super) fn written(&self) -> &str {
        &self.written
    }

    /// The JSON text of the turn with each image replaced by `blob:` and its digest.
    pub(super) fn stored(&self) -> &str {
        self.stored.as_deref().unwrap_or(&self.written)
    }

    /// Reads a turn; `is_system` for the value of a field of the system text.
    fn read(protocol: &dyn Protocol, written: &str, is_system: bool) -> Result<Self, String> {
        if let Some(decoded) = protocol.decode_text_turn(written).filter(|_| !is_system) {
            return Ok(Self { written: written.into(), stored: None, decoded });
        }
        let value = serde_json::from_str(written).map_err(|error| format!("is not JSON: {error}"));
        let mut value: Value = value?;
        if is_system {
            value = json!({"role": "system", "content": value});
        }
        let decoded = protocol.decode_turn(&mut value, |url| Ok(Digest::of(&image_bytes(url)?)))?;
        let stored = value.to_string();
        let stored = (stored != written).then(|| stored.into_boxed_str());
        Ok(Self { written: written.into(), stored, decoded })
    }
}

/// What is known of a body before it is read.
#[derive(Clone, Copy, Default)]
pub(super) struct KnownParts<'a> {
    /// The texts of all turns as they were written. They only help to find where each turn ends.
    pub(super) written: &'a [&'a str],
    /// The turns that were read from other bodies, each in its place.
    pub(super) turns: &'a [Option<&'a Arc<ReadTurn>>],
    /// The fields around the turns that were read from another body.
    pub(super) envelope: Option<&'a Arc<ReadEnvelope>>,
}

/// Decodes a body. An error names something that this program never writes. A turn, or the fields around the turns, with
/// exactly the text from which the known ones were read are not read again: the same bytes say the same.
pub(super) fn decode(
    protocol: &dyn Protocol,
    bytes: &[u8],
    known: KnownParts<'_>,
) -> Result<DecodedBody, String> {
    let (envelope, texts) = if let Some((envelope, texts)) = take_known_apart(bytes, known) {
        (envelope.clone(), texts)
    } else {
        let body = RawBody::read(protocol.turn_fields(), bytes)?;
        let envelope = body.envelope()?;
        (envelope.into(), body.system.into_iter().chain(body.turns).collect())
    };
    let read = |(index, text): (usize, &&str)| {
        let known = known.turns.get(index).copied().flatten().filter(|known| *known.written == **text);
        let is_system = index == 0 && envelope.has_system;
        let read = || ReadTurn::read(protocol, text, is_system).map_err(|why| in_turn(index, &why));
        known.map_or_else(|| read().map(Arc::new), |known| Ok(Arc::clone(known)))
    };
    let turns: Vec<Arc<ReadTurn>> = texts.iter().enumerate().map(read).collect::<Result<_, _>>()?;
    let images = turns.iter().map(|turn| turn.decoded.images().count()).sum::<usize>();
    Ok(DecodedBody { turns, envelope, images: u32::try_from(images).unwrap_or(u32::MAX) })
}

/// The known fields around the turns and the texts of the turns, if the body has exactly the text of these fields.
fn take_known_apart<'a, 'b>(
    bytes: &'b [u8],
    known: KnownParts<'a>,
) -> Option<(&'a Arc<ReadEnvelope>, Vec<&'b str>)> {
    let envelope = known.envelope?;
    Some((envelope, envelope.template.as_ref()?.split(bytes, known.written)?))
}

/// Decodes recorded turns, whose images are replaced by digests.
pub(super) fn decode_recorded(
    protocol: &dyn Protocol,
    request: &SentRequest,
) -> Result<Vec<DecodedTurn>, String> {
    let digest_of = |url: &str| {
        let digest = url.strip_prefix(BLOB_SCHEME).ok_or("has an image that is not replaced by a digest")?;
        Digest::try_from(digest).map_err(|why| format!("has an image with an invalid digest: {why}"))
    };
    let turns = request.turns.iter().enumerate().map(|(index, turn)| {
        let value = serde_json::from_str::<Value>(turn.json());
        let mut value = value.map_err(|error| in_turn(index, &format!("is not JSON: {error}")))?;
        protocol.decode_turn(&mut value, digest_of).map_err(|why| in_turn(index, &why))
    });
    turns.collect()
}

fn in_turn(index: usize, why: &str) -> String {
    format!("turn {} of the body {why}", index + 1)
}

fn image_bytes(url: &str) -> Result<Vec<u8>, String> {
    let data = url.strip_prefix("data:image/").and_then(|rest| rest.split_once(";base64,"));
    let (_, data) = data.ok_or("has an image that is not embedded in the body")?;
    STANDARD.decode(data).map_err(|error| format!("has an image that cannot be decoded: {error}"))
}
