//! The default reply: an allowed action in the format that the prompt describes.

use serde_json::Value;

/// A reply to a request; it depends on the number of the request.
pub(super) fn reply(request: &Value, number: usize) -> String {
    let text = request_text(request);
    if let Some(role) = super::side::role(request) {
        return super::side::answer(role).to_owned();
    }
    let actions = allowed_actions(&text);
    let pick = |at: usize| actions[(at * 7 + at / 3) % actions.len()].clone();
    if text.contains("### Actions") {
        let list: Vec<String> = (number..number + 6).map(pick).collect();
        return format!("### Analyze\nThe room, at a glance.\n\n### Actions\n{}\n", list.join(", "));
    }
    format!(
        "# analyze\nThe crate is near → I try a way (naïve, but é it is).\n\n# action\n{}\n",
        pick(number)
    )
}

/// The reply of a model that decides by one text in its request.
pub(super) fn decided_by(text: &str, body: &str) -> String {
    let action = if body.contains(text) { "Left" } else { "Up" };
    format!("# analyze\nx\n\n# action\n{action}\n")
}

/// All text of the request.
pub(super) fn request_text(request: &Value) -> String {
    let mut text = String::new();
    let turns = ["messages", "input"].iter().filter_map(|name| request[*name].as_array());
    for message in turns.flatten() {
        match &message["content"] {
            Value::Array(parts) => {
                text.extend(
                    parts.iter().filter_map(|part| part["text"].as_str()).map(|text| format!("{text}\n")),
                );
            }
            content => text.push_str(content.as_str().unwrap_or_default()),
        }
        text.push('\n');
    }
    text
}

/// The names after `action is one of:`.
fn allowed_actions(text: &str) -> Vec<String> {
    let listed = text.split_once("action is one of:").map_or("Up, Down", |found| found.1);
    let end = listed.find(['.', ';', '\n']).unwrap_or(listed.len());
    listed[..end].split(',').map(|name| name.trim().to_owned()).collect()
}
