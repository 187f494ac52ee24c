//! Reads turns back from the bytes of a request, as far as all protocols write them alike.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::Value;

use mageyard_domain::{DecodedPart, DecodedTurn, Role};

/// Decodes a turn, whose parts `decode_part` decodes.
pub(super) fn turn(
    message: &mut Value,
    mut decode_part: impl FnMut(&mut Value) -> Result<DecodedPart, String>,
) -> Result<DecodedTurn, String> {
    let name = message["role"].as_str();
    let role = name.and_then(role).ok_or_else(|| format!("has the role {name:?}"))?;
    let parts: Vec<DecodedPart> = match message.get_mut("content") {
        Some(Value::String(text)) => vec![DecodedPart::Text(text.clone())],
        Some(Value::Array(parts)) => parts.iter_mut().map(&mut decode_part).collect::<Result<_, _>>()?,
        _ => return Err("has no content".to_owned()),
    };
    Ok(DecodedTurn::new(role, parts))
}

/// A turn of these two fields only.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TextTurn<'a> {
    #[serde(borrow)]
    role: Cow<'a, str>,
    content: String,
}

/// Decodes a turn whose content is one text; `None` for any other.
pub(super) fn text_turn(written: &str) -> Option<DecodedTurn> {
    // The fields of an object, not the values of a list.
    let object = Some(written).filter(|written| written.starts_with('{'))?;
    let TextTurn { role: name, content } = serde_json::from_str(object).ok()?;
    Some(DecodedTurn { role: role(&name)?, parts: vec![DecodedPart::Text(content)] })
}

fn role(name: &str) -> Option<Role> {
    match name {
        "system" => Some(Role::System),
        "user" => Some(Role::User),
        "assistant" => Some(Role::Assistant),
        _ => None,
    }
}

/// The text of a part.
pub(super) fn text(part: &Value) -> Result<DecodedPart, String> {
    let text = part["text"].as_str().ok_or("has a text part without text")?;
    Ok(DecodedPart::Text(text.to_owned()))
}
