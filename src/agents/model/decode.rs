//! From the bytes of a request back to its turns: what is really in it, whoever put it there.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use crate::domain::APART;
use crate::domain::Digest;
use crate::domain::Role;
use crate::domain::SentTurn;

/// What a body holds.
#[derive(Debug, PartialEq)]
pub(super) struct Decoded {
    /// Its turns.
    pub(super) turns: Vec<SentTurn>,
    /// The body, each picture replaced by `blob:` and its digest.
    pub(super) body: Value,
    /// How many images it holds, repetitions counted.
    pub(super) images: u32,
}

/// Reads a body; an error says what in it this program would never have written.
pub(super) fn decode(bytes: &[u8]) -> Result<Decoded, String> {
    let mut body: Value = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    let turns = turns(&mut body, |url| Ok(Digest::of(&picture(url)?)))?;
    let images = turns.iter().map(|turn| turn.pictures.len()).sum::<usize>();
    Ok(Decoded { turns, body, images: u32::try_from(images).unwrap_or(u32::MAX) })
}

/// The turns of a body as it is kept, its pictures standing apart.
pub(in crate::agents) fn recorded(body: &Value) -> Result<Vec<SentTurn>, String> {
    let kept = |url: &str| {
        let digest = url.strip_prefix(APART).ok_or("has an image that was not set apart")?;
        Digest::try_from(digest.to_owned()).map_err(|why| format!("has an image whose digest is none: {why}"))
    };
    turns(&mut body.clone(), kept)
}

/// The digest of a picture by what stands in its place.
type Look = fn(&str) -> Result<Digest, String>;

/// The turns; afterwards each picture is replaced by its digest.
fn turns(body: &mut Value, look: Look) -> Result<Vec<SentTurn>, String> {
    let messages = body.get_mut("messages").and_then(Value::as_array_mut).ok_or("the body has no turns")?;
    let turns = messages.iter_mut().enumerate().map(|(index, message)| {
        turn(message, look).map_err(|why| format!("turn {} of the body {why}", index + 1))
    });
    turns.collect()
}

fn turn(message: &mut Value, look: Look) -> Result<SentTurn, String> {
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
            parts.iter_mut().try_for_each(|part| take(part, look, &mut texts, &mut pictures))?;
        }
        _ => return Err("has no content".to_owned()),
    }
    Ok(SentTurn { role, text: texts.join("\n\n"), pictures })
}

fn take(
    part: &mut Value,
    look: Look,
    texts: &mut Vec<String>,
    pictures: &mut Vec<Digest>,
) -> Result<(), String> {
    match part["type"].as_str() {
        Some("text") => texts.push(part["text"].as_str().ok_or("has a text without words")?.to_owned()),
        Some("image_url") => {
            let url = part.pointer_mut("/image_url/url").ok_or("has an image without an address")?;
            let digest = look(url.as_str().unwrap_or_default())?;
            *url = Value::from(format!("{APART}{digest}"));
            pictures.push(digest);
        }
        other => return Err(format!("has a part of the kind {other:?}")),
    }
    Ok(())
}

fn picture(url: &str) -> Result<Vec<u8>, String> {
    let data = url.strip_prefix("data:image/").and_then(|rest| rest.split_once(";base64,"));
    let (_, data) = data.ok_or("has an image that is no picture in the body itself")?;
    STANDARD.decode(data).map_err(|error| format!("has an image that cannot be read: {error}"))
}
