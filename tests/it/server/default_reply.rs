//! What the server says of itself: an allowed action in the form that the prompt asks for.

use serde_json::Value;

/// An answer to this request; another one for another number.
pub(super) fn reply(request: &Value, number: usize) -> String {
    let words = request_text(request);
    let actions = allowed_actions(&words);
    let pick = |at: usize| actions[(at * 7 + at / 3) % actions.len()].clone();
    if words.contains("### Actions") {
        let list: Vec<String> = (number..number + 6).map(pick).collect();
        return format!("### Analyze\nThe room, at a glance.\n\n### Actions\n{}\n", list.join(", "));
    }
    format!(
        "# analyze\nThe crate is near → I try a way (naïve, but é it is).\n\n# action\n{}\n",
        pick(number)
    )
}

/// Every text of the request.
fn request_text(request: &Value) -> String {
    let mut words = String::new();
    for message in request["messages"].as_array().into_iter().flatten() {
        match &message["content"] {
            Value::Array(parts) => {
                words.extend(
                    parts.iter().filter_map(|part| part["text"].as_str()).map(|text| format!("{text}\n")),
                );
            }
            content => words.push_str(content.as_str().unwrap_or_default()),
        }
        words.push('\n');
    }
    words
}

/// The names after `action is one of:`.
fn allowed_actions(words: &str) -> Vec<String> {
    let listed = words.split_once("action is one of:").map_or("Up, Down", |found| found.1);
    let end = listed.find(['.', ';', '\n']).unwrap_or(listed.len());
    listed[..end].split(',').map(|name| name.trim().to_owned()).collect()
}
