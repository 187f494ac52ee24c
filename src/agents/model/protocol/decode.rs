//! Reads turns back from the bytes of a request, as far as all protocols write them alike.

use serde_json::Value;

use crate::domain::DecodedPart;
use crate::domain::DecodedTurn;
use crate::domain::Role;

/// Decodes a turn, whose parts `decode_part` decodes.
pub(super) fn turn(
    message: &mut Value,
    mut decode_part: impl FnMut(&mut Value) -> Result<DecodedPart, String>,
) -> Result<DecodedTurn, String> {
    let role = match message["role"].as_str() {
        Some("system") => Role::System,
        Some("user") => Role::User,
        Some("assistant") => Role::Assistant,
        other => return Err(format!("has the role {other:?}")),
    };
    let parts: Vec<DecodedPart> = match message.get_mut("content") {
        Some(Value::String(text)) => vec![DecodedPart::Text(text.clone())],
        Some(Value::Array(parts)) => parts.iter_mut().map(&mut decode_part).collect::<Result<_, _>>()?,
        _ => return Err("has no content".to_owned()),
    };
    Ok(DecodedTurn::new(role, parts))
}

/// The text of a part.
pub(super) fn text(part: &Value) -> Result<DecodedPart, String> {
    let text = part["text"].as_str().ok_or("has a text part without text")?;
    Ok(DecodedPart::Text(text.to_owned()))
}
