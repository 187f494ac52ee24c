//! Reads the turns of chat completions back from the bytes of a request.

use serde_json::Value;

use super::super::DigestOfUrl;
use crate::domain::BLOB_SCHEME;
use crate::domain::DecodedPart;
use crate::domain::DecodedTurn;
use crate::domain::Role;

/// Decodes a turn and replaces each image by its digest.
pub(super) fn turn(message: &mut Value, digest_of: DigestOfUrl) -> Result<DecodedTurn, String> {
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
