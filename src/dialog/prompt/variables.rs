//! The open words of a prompt: `{actions}` and its like, and what fills them.

use std::ops::Range;

use crate::domain::ActionSpace;
use crate::domain::ReplyFormat;

/// The open words that a prompt may have, with what each becomes.
pub(super) const VARIABLES: [(&str, &str); 5] = [
    ("actions", "the names of the actions, separated by commas"),
    ("actions_help", "the actions, one a line, each with what it does"),
    ("format", "a reply in the required form"),
    ("picture", "what things look like in the frames of this environment"),
    ("steps_left", "how many steps the episode still has"),
];

/// What fills the open words.
#[derive(Clone, Copy, Debug)]
pub struct VariableValues<'a> {
    /// What is allowed now.
    pub action_space: &'a ActionSpace,
    /// The form of the reply.
    pub reply_format: &'a ReplyFormat,
    /// How many steps the episode still has.
    pub steps_left: u32,
}

/// Every open word of a text: its name and where it stands, braces included. `{{` and `}}` are braces.
pub(super) fn find_variables(text: &str) -> Vec<(&str, Range<usize>)> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(start) = text[from..].find('{').map(|at| from + at) {
        if text[start..].starts_with("{{") {
            from = start + 2;
            continue;
        }
        let Some(end) = text[start..].find('}').map(|at| start + at + 1) else { break };
        found.push((&text[start + 1..end - 1], start..end));
        from = end;
    }
    found
}

/// The text with its words filled in.
pub(super) fn substitute(text: &str, picture: &str, words: &VariableValues<'_>) -> String {
    let mut filled = String::with_capacity(text.len() + 256);
    let mut from = 0;
    for (name, place) in find_variables(text) {
        filled.push_str(&unescape_braces(&text[from..place.start]));
        filled.push_str(&if name == "picture" { picture.to_owned() } else { variable_value(name, words) });
        from = place.end;
    }
    filled.push_str(&unescape_braces(&text[from..]));
    filled
}

fn unescape_braces(text: &str) -> String {
    text.replace("{{", "{").replace("}}", "}")
}

fn variable_value(name: &str, words: &VariableValues<'_>) -> String {
    match name {
        "actions" => words.action_space.names().collect::<Vec<_>>().join(", "),
        "actions_help" => {
            let line = |verb: &crate::domain::ActionSpec| format!("- {}: {}", verb.name, verb.help);
            words.action_space.specs().iter().map(line).collect::<Vec<_>>().join("\n")
        }
        "format" => {
            let count = if words.reply_format.list { 2 } else { 1 };
            let names = words.action_space.names().take(count).map(crate::domain::Action::plain);
            words.reply_format.write("(your analysis)", &names.collect::<Vec<_>>())
        }
        "steps_left" => words.steps_left.to_string(),
        // Reading the file has refused every other word.
        other => format!("{{{other}}}"),
    }
}
