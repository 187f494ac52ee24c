//! Completions of the arguments of an action that a person types: parameters, and the values of a choice.

use super::model::Completion;
use mageyard_domain::{ActionSpec, Arg, ParamKind, ParamSpec};

/// The completions of a line that begins with the name of an action with parameters; `None` if it begins with none.
pub(super) fn completions(specs: &[ActionSpec], typed: &str) -> Option<Vec<Completion>> {
    let begins = |spec: &&ActionSpec| {
        let rest = typed.strip_prefix(spec.name.as_str());
        !spec.params.is_empty() && rest.is_some_and(|rest| rest.starts_with([' ', '(']))
    };
    let spec = specs.iter().filter(begins).max_by_key(|spec| spec.name.len())?;
    let start = last_argument(typed, spec.name.len());
    let (before, last) = typed.split_at(start);
    let offers = if let Some((name, value)) = last.split_once('=') {
        let offer = |value| completion(before, format!("{}={value}", name.trim()), String::new(), false);
        let param = spec.param(name.trim());
        param.map_or_else(Vec::new, |param| values(param, value)).into_iter().map(offer).collect()
    } else {
        let is_open = |param: &&ParamSpec| {
            param.name.starts_with(last) && !before.contains(&format!("{}=", param.name))
        };
        let offer = |param: &ParamSpec| {
            let help = format!("{}: {}", param.help, param.kind);
            completion(before, format!("{}={}", param.name, opening(&param.kind)), help, true)
        };
        spec.params.iter().filter(is_open).map(offer).collect()
    };
    Some(offers)
}

fn completion(before: &str, label: String, help: String, is_partial: bool) -> Completion {
    Completion {
        line: format!("{before}{label}"),
        label,
        matched: Vec::new(),
        help,
        keys: String::new(),
        is_partial,
    }
}

/// What a value begins with.
fn opening(kind: &ParamKind) -> &'static str {
    match kind {
        ParamKind::Text { .. } | ParamKind::Code { .. } => "\"",
        ParamKind::Point { .. } => "(",
        ParamKind::Number { .. } | ParamKind::Choice { .. } => "",
    }
}

/// The values of a choice that begin as typed.
fn values(param: &ParamSpec, typed: &str) -> Vec<String> {
    let ParamKind::Choice { values } = &param.kind else { return Vec::new() };
    let typed = typed.trim_start().trim_start_matches('"');
    let quoted = |value: &String| Arg::Text(value.clone()).to_string();
    values.iter().filter(|value| value.starts_with(typed)).map(quoted).collect()
}

/// Where the last argument begins: after the last space, comma or opening parenthesis of the call that is in no value.
fn last_argument(typed: &str, name: usize) -> usize {
    let mut start = name;
    let mut in_string = false;
    let mut escaped = false;
    let mut depth = 0_usize;
    for (at, sign) in typed.char_indices().skip_while(|(at, _)| *at < name) {
        let was_escaped = std::mem::take(&mut escaped);
        match sign {
            '"' if !was_escaped => in_string = !in_string,
            '\\' if in_string => escaped = !was_escaped,
            _ if in_string => {}
            '(' | '[' if at > name => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            ' ' | ',' | '(' if depth == 0 => start = at + 1,
            _ => {}
        }
    }
    start
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offered(typed: &str) -> Option<Vec<String>> {
        let spec = ActionSpec::new("click", "click a point")
            .with_param(ParamSpec::new("at", "where", ParamKind::Point { width: 9, height: 9 }))
            .with_param(
                ParamSpec::new("button", "which", ParamKind::choice(["left", "right", "left right"]))
                    .optional(),
            )
            .with_param(ParamSpec::new("note", "why", ParamKind::text()).optional());
        let offers = completions(&[ActionSpec::new("click on", ""), spec], typed);
        Some(offers?.into_iter().map(|offer| offer.line).collect())
    }

    #[test]
    fn parameters_and_values_are_completed() {
        let some = |lines: &[&str]| Some(lines.iter().map(|line| (*line).to_owned()).collect());
        for (typed, expected) in [
            ("clic", None),
            ("click", None),
            ("click ", some(&["click at=(", "click button=", "click note=\""])),
            ("click(b", some(&["click(button="])),
            ("click at=(1, 2) ", some(&["click at=(1, 2) button=", "click at=(1, 2) note=\""])),
            ("click at=(1, ", some(&[])),
            ("click button=le", some(&["click button=\"left\"", "click button=\"left right\""])),
            ("click button=\"left r", some(&["click button=\"left right\""])),
            ("click note=\"a b", some(&[])),
            ("click note=\"a, b\", a", some(&["click note=\"a, b\", at=("])),
            ("click x=", some(&[])),
        ] {
            assert_eq!(offered(typed), expected, "{typed}");
        }
    }
}
