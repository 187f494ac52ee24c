//! Decodes the bytes of a request into turns, to verify what is really sent.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use crate::domain::BLOB_SCHEME;
use crate::domain::DecodedTurn;
use crate::domain::Digest;
use crate::domain::Role;

/// The content of a request body.
#[derive(Debug, PartialEq)]
pub(super) struct DecodedBody {
    /// The turns.
    pub(super) turns: Vec<DecodedTurn>,
    /// The body with each image replaced by `blob:` and its digest.
    pub(super) body: Value,
    /// The number of images, repetitions included.
    pub(super) images: u32,
}

/// Decodes a body. An error names something that this program never writes.
pub(super) fn decode(bytes: &[u8]) -> Result<DecodedBody, String> {
    let mut body: Value = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    let turns = decode_turns(&mut body, |url| Ok(Digest::of(&image_bytes(url)?)))?;
    let images = turns.iter().map(|turn| turn.image_digests.len()).sum::<usize>();
    Ok(DecodedBody { turns, body, images: u32::try_from(images).unwrap_or(u32::MAX) })
}

/// Decodes a recorded body, whose images are replaced by digests.
pub(in crate::agents) fn decode_recorded(body: &Value) -> Result<Vec<DecodedTurn>, String> {
    let digest_of = |url: &str| {
        let digest = url.strip_prefix(BLOB_SCHEME).ok_or("has an image that is not replaced by a digest")?;
        Digest::try_from(digest.to_owned())
            .map_err(|why| format!("has an image with an invalid digest: {why}"))
    };
    decode_turns(&mut body.clone(), digest_of)
}

/// Returns the digest of an image from its URL.
type DigestOfUrl = fn(&str) -> Result<Digest, String>;

/// Decodes the turns and replaces each image by its digest.
fn decode_turns(body: &mut Value, digest_of: DigestOfUrl) -> Result<Vec<DecodedTurn>, String> {
    let messages = body.get_mut("messages").and_then(Value::as_array_mut).ok_or("the body has no turns")?;
    let turns = messages.iter_mut().enumerate().map(|(index, message)| {
        decode_turn(message, digest_of).map_err(|why| format!("turn {} of the body {why}", index + 1))
    });
    turns.collect()
}

fn decode_turn(message: &mut Value, digest_of: DigestOfUrl) -> Result<DecodedTurn, String> {
    let role = match message["role"].as_str() {
        Some("system") => Role::System,
        Some("user") => Role::User,
        Some("assistant") => Role::Assistant,
        other => return Err(format!("has the role {other:?}")),
    };
    let (mut texts, mut images) = (Vec::new(), Vec::new());
    match message.get_mut("content") {
        Some(Value::String(text)) => texts.push(text.clone()),
        Some(Value::Array(parts)) => {
            parts.iter_mut().try_for_each(|part| decode_part(part, digest_of, &mut texts, &mut images))?;
        }
        _ => return Err("has no content".to_owned()),
    }
    Ok(DecodedTurn { role, text: texts.join("\n\n"), image_digests: images })
}

fn decode_part(
    part: &mut Value,
    digest_of: DigestOfUrl,
    texts: &mut Vec<String>,
    images: &mut Vec<Digest>,
) -> Result<(), String> {
    match part["type"].as_str() {
        Some("text") => texts.push(part["text"].as_str().ok_or("has a text part without text")?.to_owned()),
        Some("image_url") => {
            let url = part.pointer_mut("/image_url/url").ok_or("has an image without a URL")?;
            let digest = digest_of(url.as_str().unwrap_or_default())?;
            *url = Value::from(format!("{BLOB_SCHEME}{digest}"));
            images.push(digest);
        }
        other => return Err(format!("has a part of type {other:?}")),
    }
    Ok(())
}

fn image_bytes(url: &str) -> Result<Vec<u8>, String> {
    let data = url.strip_prefix("data:image/").and_then(|rest| rest.split_once(";base64,"));
    let (_, data) = data.ok_or("has an image that is not embedded in the body")?;
    STANDARD.decode(data).map_err(|error| format!("has an image that cannot be decoded: {error}"))
}
