//! Servers that accept only one form of content.

use serde_json::Value;

use super::Behavior;

/// Why a server with this behavior refuses the content of a request, if it does.
pub(super) fn refusal(behavior: Behavior, request: &Value) -> Option<String> {
    let contents = || request["messages"].as_array().into_iter().flatten().map(|turn| &turn["content"]);
    match behavior {
        Behavior::StringsOnly if contents().any(Value::is_array) => {
            Some("messages: content must be a string, got a list".to_owned())
        }
        Behavior::ListsOnly if contents().any(Value::is_string) => {
            Some("messages: content: Input should be a valid list".to_owned())
        }
        _ => None,
    }
}
