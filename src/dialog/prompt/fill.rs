//! The open words of a prompt: `{actions}` and its like, and what fills them.

use std::ops::Range;

use crate::domain::ActionSpace;
use crate::domain::Form;

/// The open words that a prompt may have, with what each becomes.
pub(super) const OPEN: [(&str, &str); 5] = [
    ("actions", "the names of the actions, separated by commas"),
    ("actions_help", "the actions, one a line, each with what it does"),
    ("format", "a reply in the required form"),
    ("picture", "what things look like in the frames of this environment"),
    ("steps_left", "how many steps the episode still has"),
];

/// What fills the open words.
#[derive(Clone, Copy, Debug)]
pub struct Words<'a> {
    /// What is allowed now.
    pub space: &'a ActionSpace,
    /// The form of the reply.
    pub form: &'a Form,
    /// How many steps the episode still has.
    pub steps_left: u32,
}

/// Every open word of a text: its name and where it stands, braces included. `{{` and `}}` are braces.
pub(super) fn open_words(text: &str) -> Vec<(&str, Range<usize>)> {
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
pub(super) fn fill(text: &str, picture: &str, words: &Words<'_>) -> String {
    let mut filled = String::with_capacity(text.len() + 256);
    let mut from = 0;
    for (name, place) in open_words(text) {
        filled.push_str(&plain(&text[from..place.start]));
        filled.push_str(&if name == "picture" { picture.to_owned() } else { word(name, words) });
        from = place.end;
    }
    filled.push_str(&plain(&text[from..]));
    filled
}

fn plain(text: &str) -> String {
    text.replace("{{", "{").replace("}}", "}")
}

fn word(name: &str, words: &Words<'_>) -> String {
    match name {
        "actions" => words.space.names().collect::<Vec<_>>().join(", "),
        "actions_help" => {
            let line = |verb: &crate::domain::Verb| format!("- {}: {}", verb.name, verb.help);
            words.space.verbs().iter().map(line).collect::<Vec<_>>().join("\n")
        }
        "format" => {
            let count = if words.form.list { 2 } else { 1 };
            let names = words.space.names().take(count).map(crate::domain::Action::plain);
            words.form.write("(your analysis)", &names.collect::<Vec<_>>())
        }
        "steps_left" => words.steps_left.to_string(),
        // Reading the file has refused every other word.
        other => format!("{{{other}}}"),
    }
}
