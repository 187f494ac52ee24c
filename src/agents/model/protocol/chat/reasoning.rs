//! The reasoning of a message: servers and gateways put it into many fields and forms. It is displayed, never parsed for
//! actions.

use serde_json_borrow::Value;

/// The fields of a message that hold its reasoning. A gateway sends the same reasoning in several of them, so the first
/// one with a text counts.
const FIELDS: [&str; 6] =
    ["reasoning_content", "reasoning", "reasoning_text", "thinking", "reasoning_details", "thinking_blocks"];

/// The fields of an object that hold its text.
const TEXTS: [&str; 4] = ["text", "thinking", "summary", "content"];

/// The reasoning of a message or of a part of it; empty if there is none.
pub(super) fn of_message(message: &Value<'_>) -> String {
    let texts = FIELDS.iter().map(|field| text_of(message.get(*field)));
    texts.into_iter().find(|text| !text.is_empty()).unwrap_or_default()
}

/// Whether a part of a content list with this type is reasoning.
pub(super) fn is_kind(kind: &str) -> bool {
    kind.contains("thinking") || kind.contains("reasoning")
}

/// All texts in a value: of a string, of the objects in a list, of an object.
pub(super) fn text_of(value: &Value<'_>) -> String {
    match value {
        Value::Str(text) => text.clone().into_owned(),
        Value::Array(parts) => parts.iter().map(text_of).collect(),
        Value::Object(_) => {
            let texts = TEXTS.iter().map(|field| text_of(value.get(*field)));
            texts.into_iter().find(|text| !text.is_empty()).unwrap_or_default()
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn found_in(find: impl Fn(&Value<'_>) -> String, json: &serde_json::Value) -> String {
        find(&serde_json::from_str(&json.to_string()).unwrap())
    }

    #[test]
    fn the_reasoning_of_every_server_is_found_once() {
        for (message, found) in [
            (json!({"reasoning_content": "a"}), "a"),
            (json!({"reasoning": "a", "reasoning_details": [{"type": "reasoning.text", "text": "a"}]}), "a"),
            (
                json!({"reasoning": null, "reasoning_details": [{"type": "reasoning.summary", "summary": "s"}]}),
                "s",
            ),
            (json!({"reasoning_details": [{"type": "reasoning.encrypted", "data": "gAAA"}]}), ""),
            (json!({"reasoning_text": "t"}), "t"),
            (json!({"thinking": "t"}), "t"),
            (json!({"thinking_blocks": [{"type": "thinking", "thinking": "b", "signature": "x"}]}), "b"),
            (
                json!({"reasoning_content": "", "thinking_blocks": [{"thinking": "b"}, {"thinking": "c"}]}),
                "bc",
            ),
            (json!({"content": "text"}), ""),
        ] {
            assert_eq!(found_in(of_message, &message), found, "{message}");
        }
        let list = json!({"type": "thinking", "thinking": [{"type": "text", "text": "m"}]});
        assert_eq!(found_in(text_of, &list), "m");
        assert!(is_kind("thinking") && is_kind("reasoning.text") && !is_kind("text"));
    }
}
