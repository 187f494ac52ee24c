//! From the bytes of a request back to its turns: what is really in it, whoever put it there.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use crate::domain::BLOB_SCHEME;
use crate::domain::DecodedTurn;
use crate::domain::Digest;
use crate::domain::Role;

/// What a body holds.
#[derive(Debug, PartialEq)]
pub(super) struct DecodedBody {
    /// Its turns.
    pub(super) turns: Vec<DecodedTurn>,
    /// The body, each picture replaced by `blob:` and its digest.
    pub(super) body: Value,
    /// How many images it holds, repetitions counted.
    pub(super) images: u32,
}

/// Reads a body; an error says what in it this program would never have written.
pub(super) fn decode(bytes: &[u8]) -> Result<DecodedBody, String> {
    let mut body: Value = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    let turns = decode_turns(&mut body, |url| Ok(Digest::of(&image_bytes(url)?)))?;
    let images = turns.iter().map(|turn| turn.image_digests.len()).sum::<usize>();
    Ok(DecodedBody { turns, body, images: u32::try_from(images).unwrap_or(u32::MAX) })
}

/// The turns of a body as it is kept, its pictures standing apart.
pub(in crate::agents) fn decode_recorded(body: &Value) -> Result<Vec<DecodedTurn>, String> {
    let kept = |url: &str| {
        let digest = url.strip_prefix(BLOB_SCHEME).ok_or("has an image that was not set apart")?;
        Digest::try_from(digest.to_owned()).map_err(|why| format!("has an image whose digest is none: {why}"))
    };
    decode_turns(&mut body.clone(), kept)
}

/// The digest of a picture by what stands in its place.
type DigestOfUrl = fn(&str) -> Result<Digest, String>;

/// The turns; afterwards each picture is replaced by its digest.
fn decode_turns(body: &mut Value, look: DigestOfUrl) -> Result<Vec<DecodedTurn>, String> {
    let messages = body.get_mut("messages").and_then(Value::as_array_mut).ok_or("the body has no turns")?;
    let turns = messages.iter_mut().enumerate().map(|(index, message)| {
        decode_turn(message, look).map_err(|why| format!("turn {} of the body {why}", index + 1))
    });
    turns.collect()
}

fn decode_turn(message: &mut Value, look: DigestOfUrl) -> Result<DecodedTurn, String> {
    let role = match message["role"].as_str() {
        Some("system") => Role::System,
        Some("user") => Role::User,
        Some("assistant") => Role::Assistant,
        other => return Err(format!("has the role {other:?}")),
    };
    let (mut texts, mut pictures) = (Vec::new(), Vec::new());
    match message.get_mut("content") {
        Some(Value::String(text)) => texts.push(text.clone()),
        Some(Value::Array(parts)) => {
            parts.iter_mut().try_for_each(|part| decode_part(part, look, &mut texts, &mut pictures))?;
        }
        _ => return Err("has no content".to_owned()),
    }
    Ok(DecodedTurn { role, text: texts.join("\n\n"), image_digests: pictures })
}

fn decode_part(
    part: &mut Value,
    look: DigestOfUrl,
    texts: &mut Vec<String>,
    pictures: &mut Vec<Digest>,
) -> Result<(), String> {
    match part["type"].as_str() {
        Some("text") => texts.push(part["text"].as_str().ok_or("has a text without words")?.to_owned()),
        Some("image_url") => {
            let url = part.pointer_mut("/image_url/url").ok_or("has an image without an address")?;
            let digest = look(url.as_str().unwrap_or_default())?;
            *url = Value::from(format!("{BLOB_SCHEME}{digest}"));
            pictures.push(digest);
        }
        other => return Err(format!("has a part of the kind {other:?}")),
    }
    Ok(())
}

fn image_bytes(url: &str) -> Result<Vec<u8>, String> {
    let data = url.strip_prefix("data:image/").and_then(|rest| rest.split_once(";base64,"));
    let (_, data) = data.ok_or("has an image that is no picture in the body itself")?;
    STANDARD.decode(data).map_err(|error| format!("has an image that cannot be read: {error}"))
}
