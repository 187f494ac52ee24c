//! Decodes the bytes of a request into turns, to verify what is really sent.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use crate::domain::BLOB_SCHEME;
use crate::domain::DecodedPart;
use crate::domain::DecodedTurn;
use crate::domain::Digest;
use crate::domain::Role;
use crate::domain::SentTurn;

/// The field of the turns.
pub(super) const TURNS: &str = "messages";

/// The content of a request body.
#[derive(Debug, PartialEq)]
pub(super) struct DecodedBody {
    /// The turns.
    pub(super) turns: Vec<DecodedTurn>,
    /// The JSON text of each turn, with each image replaced by `blob:` and its digest.
    pub(super) texts: Vec<String>,
    /// The body with an empty list in place of the turns.
    pub(super) envelope: Value,
    /// The number of images, repetitions included.
    pub(super) images: u32,
}

/// Decodes a body. An error names something that this program never writes.
pub(super) fn decode(bytes: &[u8]) -> Result<DecodedBody, String> {
    let mut envelope: Value = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    let messages = envelope.get_mut(TURNS).and_then(Value::as_array_mut).ok_or("the body has no turns")?;
    let mut messages = std::mem::take(messages);
    let digest_of = |url: &str| Ok(Digest::of(&image_bytes(url)?));
    let turns: Vec<DecodedTurn> = messages
        .iter_mut()
        .enumerate()
        .map(|(index, message)| decode_turn(message, digest_of).map_err(|why| in_turn(index, &why)))
        .collect::<Result<_, _>>()?;
    let images = turns.iter().map(|turn| turn.images().count()).sum::<usize>();
    let texts = messages.iter().map(Value::to_string).collect();
    Ok(DecodedBody { turns, texts, envelope, images: u32::try_from(images).unwrap_or(u32::MAX) })
}

/// Decodes recorded turns, whose images are replaced by digests.
pub(in crate::agents) fn decode_recorded(turns: &[Arc<SentTurn>]) -> Result<Vec<DecodedTurn>, String> {
    let digest_of = |url: &str| {
        let digest = url.strip_prefix(BLOB_SCHEME).ok_or("has an image that is not replaced by a digest")?;
        Digest::try_from(digest.to_owned())
            .map_err(|why| format!("has an image with an invalid digest: {why}"))
    };
    let turns = turns.iter().enumerate().map(|(index, turn)| {
        let value = serde_json::from_str::<Value>(turn.json());
        let mut value = value.map_err(|error| in_turn(index, &format!("is not JSON: {error}")))?;
        decode_turn(&mut value, digest_of).map_err(|why| in_turn(index, &why))
    });
    turns.collect()
}

fn in_turn(index: usize, why: &str) -> String {
    format!("turn {} of the body {why}", index + 1)
}

/// Returns the digest of an image from its URL.
type DigestOfUrl = fn(&str) -> Result<Digest, String>;

/// Decodes a turn and replaces each image by its digest.
fn decode_turn(message: &mut Value, digest_of: DigestOfUrl) -> Result<DecodedTurn, String> {
    let role = match message["role"].as_str() {
        Some("system") => Role::System,
        Some("user") => Role::User,
        Some("assistant") => Role::Assistant,
        other => return Err(format!("has the role {other:?}")),
    };
    let parts: Vec<DecodedPart> = match message.get_mut("content") {
        Some(Value::String(text)) => vec![DecodedPart::Text(text.clone())],
        Some(Value::Array(parts)) => {
            parts.iter_mut().map(|part| decode_part(part, digest_of)).collect::<Result<_, _>>()?
        }
        _ => return Err("has no content".to_owned()),
    };
    Ok(DecodedTurn::new(role, parts))
}

fn decode_part(part: &mut Value, digest_of: DigestOfUrl) -> Result<DecodedPart, String> {
    match part["type"].as_str() {
        Some("text") => {
            let text = part["text"].as_str().ok_or("has a text part without text")?;
            Ok(DecodedPart::Text(text.to_owned()))
        }
        Some("image_url") => {
            let url = part.pointer_mut("/image_url/url").ok_or("has an image without a URL")?;
            let digest = digest_of(url.as_str().unwrap_or_default())?;
            *url = Value::from(format!("{BLOB_SCHEME}{digest}"));
            Ok(DecodedPart::Image(digest))
        }
        other => Err(format!("has a part of type {other:?}")),
    }
}

fn image_bytes(url: &str) -> Result<Vec<u8>, String> {
    let data = url.strip_prefix("data:image/").and_then(|rest| rest.split_once(";base64,"));
    let (_, data) = data.ok_or("has an image that is not embedded in the body")?;
    STANDARD.decode(data).map_err(|error| format!("has an image that cannot be decoded: {error}"))
}
