//! Decodes the bytes of a request into turns, to verify what is really sent.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use super::protocol::Protocol;
use super::protocol::take_turns;
use crate::domain::BLOB_SCHEME;
use crate::domain::DecodedTurn;
use crate::domain::Digest;
use crate::domain::SentRequest;

/// The content of a request body.
#[derive(Debug, PartialEq)]
pub(super) struct DecodedBody {
    /// The turns.
    pub(super) turns: Vec<DecodedTurn>,
    /// The JSON text of each turn, with each image replaced by `blob:` and its digest.
    pub(super) texts: Vec<String>,
    /// The body with an empty list in place of the turns, and `null` in place of a system text outside of the list.
    pub(super) envelope: Value,
    /// The number of images, repetitions included.
    pub(super) images: u32,
}

/// Decodes a body. An error names something that this program never writes.
pub(super) fn decode(protocol: &dyn Protocol, bytes: &[u8]) -> Result<DecodedBody, String> {
    let mut envelope: Value = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    let mut messages = take_turns(protocol.turn_fields(), &mut envelope)?;
    let digest_of = |url: &str| Ok(Digest::of(&image_bytes(url)?));
    let turns: Vec<DecodedTurn> = messages
        .iter_mut()
        .enumerate()
        .map(|(index, message)| protocol.decode_turn(message, digest_of).map_err(|why| in_turn(index, &why)))
        .collect::<Result<_, _>>()?;
    let images = turns.iter().map(|turn| turn.images().count()).sum::<usize>();
    let texts = messages.iter().map(Value::to_string).collect();
    Ok(DecodedBody { turns, texts, envelope, images: u32::try_from(images).unwrap_or(u32::MAX) })
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
