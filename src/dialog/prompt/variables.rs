//! The variables of a prompt, such as `{actions}`, and their values.

use std::ops::Range;

use mageyard_domain::{ActProblem, ActionSpace, ActionSpec, ReplyFormat, nearest_names};

/// The variables that a prompt may use, each with a description of its value.
pub(super) const VARIABLES: [(&str, &str); 8] = [
    ("actions", "the names of the actions with their parameters, separated by commas"),
    ("actions_help", "one line per action, with its description, and one per parameter"),
    ("actions_left", "the number of steps that are left with its noun: 1 action, 2 actions"),
    ("format", "a reply in the required format"),
    ("picture", "a description of the frames of the environment"),
    ("shown", "what the state is given as in a word: image, or state if it is not a picture alone"),
    ("steps_left", "the number of steps that are left"),
    ("view", "what the state is given as, with the description of the frames if there are any"),
];

/// The variables of the segment `feedback`, which has no others.
pub(super) const FEEDBACK_VARIABLES: [(&str, &str); 2] = [
    ("outcome", "how the last action ended: was refused, failed"),
    ("reason", "why, as the environment says it"),
];

/// The values of the variables for one request.
#[derive(Clone, Copy, Debug)]
pub struct VariableValues<'a> {
    /// The allowed actions.
    pub action_space: &'a ActionSpace,
    /// The format of the reply.
    pub reply_format: &'a ReplyFormat,
    /// The number of steps that are left.
    pub steps_left: u32,
    /// Whether one action is counted in the singular; see [`RequestLayout::exact_words`](crate::RequestLayout).
    pub exact_words: bool,
}

/// The name of each variable in a text and its span, including the braces. `{{` and `}}` are literal braces.
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

/// What is wrong with a variable of this name, if it is not in this table.
pub(super) fn unknown_variable(name: &str, table: &[(&str, &str)]) -> Option<String> {
    let known = || table.iter().map(|row| row.0);
    if known().any(|variable| variable == name) {
        return None;
    }
    let list = || known().map(|name| format!("{{{name}}}")).collect::<Vec<_>>().join(", ");
    Some(match nearest_names(name, known()).as_slice() {
        [] => format!("unknown variable {{{name}}}; known: {} (write {{{{ for a brace)", list()),
        near => format!("unknown variable {{{name}}}; did you mean {{{}}}?", near[0]),
    })
}

/// The value of a variable of the segment `feedback`.
pub(super) fn feedback_value<'a>(name: &str, problem: &'a ActProblem) -> &'a str {
    match (name, problem) {
        ("reason", problem) => problem.reason(),
        (_, ActProblem::Refused(_)) => "was refused",
        (_, ActProblem::Failed(_)) => "failed",
    }
}

/// The value of a variable other than `picture`, `shown` and `view`.
pub(super) fn variable_value(name: &str, values: &VariableValues<'_>) -> String {
    match name {
        "actions" => {
            let signatures = values.action_space.specs().iter().map(ActionSpec::signature);
            signatures.collect::<Vec<_>>().join(", ")
        }
        "actions_help" => {
            values.action_space.specs().iter().map(ActionSpec::description).collect::<Vec<_>>().join("\n")
        }
        "format" => {
            let count = if values.reply_format.list { 2 } else { 1 };
            let examples = values.action_space.specs().iter().take(count).map(ActionSpec::example);
            values.reply_format.write("(your analysis)", &examples.collect::<Vec<_>>(), values.action_space)
        }
        "actions_left" if values.steps_left == 1 && values.exact_words => "1 action".to_owned(),
        "actions_left" => format!("{} actions", values.steps_left),
        "steps_left" => values.steps_left.to_string(),
        // The parser refuses every other name.
        other => format!("{{{other}}}"),
    }
}
