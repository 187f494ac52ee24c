//! Side requests: which role a request has, and its answer.

use serde_json::Value;

use super::default_reply::request_text;

/// The role of a request, by the first words of the shipped prompts; `None` if it is for a decision.
pub(crate) fn role(request: &Value) -> Option<&'static str> {
    let text = request_text(request);
    let roles = [("reward", "You watch an agent"), ("judge", "You compare two texts")];
    roles.into_iter().find(|(_, words)| text.contains(words)).map(|(role, _)| role)
}

/// The answer of a role.
pub(super) fn answer(role: &str) -> &'static str {
    match role {
        "judge" => "```0.5```",
        _ => r#"{"status": "doing", "score": 7, "reason": "It moved.", "description": "One box is left."}"#,
    }
}
