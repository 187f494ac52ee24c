//! Finds action names anywhere in a text, as words of their own.

use std::ops::Range;

use super::{Leniency, strip_word};
use mageyard_domain::{Action, ActionSpace};

/// One action name, or several with only punctuation, numbers, "and" or "then" between them.
pub(super) struct Names {
    pub(super) actions: Vec<Action>,
    pub(super) span: Range<usize>,
    /// Set if a name has other capitals.
    pub(super) leniency: Option<Leniency>,
}

/// The names in a text, in order. `capitals` accepts other capitals, unless two actions differ only in those.
pub(super) fn find_names(text: &str, capitals: bool, action_space: &ActionSpace) -> Vec<Names> {
    let mut found: Vec<Names> = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let Some((action, length, exact)) = name_at(text, at, capitals, action_space) else {
            at += first.len_utf8();
            continue;
        };
        let end = at + length;
        let leniency = (!exact).then_some(Leniency::Capitals);
        match found.last_mut() {
            Some(last) if joins(&text[last.span.end..at]) => {
                last.actions.push(action);
                last.span.end = end;
                last.leniency = last.leniency.or(leniency);
            }
            _ => found.push(Names { actions: vec![action], span: at..end, leniency }),
        }
        at = end;
    }
    found
}

/// The longest action name at this byte: the action, its length in bytes, and whether the capitals are the same.
fn name_at(
    text: &str,
    at: usize,
    capitals: bool,
    action_space: &ActionSpace,
) -> Option<(Action, usize, bool)> {
    let (before, rest) = text.split_at(at);
    let mut best: Option<(&str, usize, bool)> = None;
    let mut ambiguous = false;
    if let Some(found) = call_at(text, at, action_space) {
        return Some(found);
    }
    for spec in action_space.specs().iter().filter(|spec| spec.is_plain()) {
        let name = spec.name.as_str();
        let exact = rest.starts_with(name);
        let Some(after) = strip_word(rest, name, capitals) else { continue };
        let length = rest.len() - after.len();
        if !is_separate(before, &rest[..length], after) {
            continue;
        }
        let better = best.is_none_or(|(_, other, is_exact)| (length, exact) > (other, is_exact));
        ambiguous = if better {
            false
        } else {
            ambiguous || best.is_some_and(|best| (best.1, best.2) == (length, exact))
        };
        best = if better { Some((name, length, exact)) } else { best };
    }
    let (name, length, exact) = best.filter(|_| !ambiguous)?;
    Some((Action::plain(name), length, exact))
}

/// The call with arguments at this byte, such as `click(at=(1, 2))`.
fn call_at(text: &str, at: usize, action_space: &ActionSpace) -> Option<(Action, usize, bool)> {
    let (before, rest) = text.split_at(at);
    let mut called = action_space.specs().iter().filter(|spec| !spec.params.is_empty()).filter(|spec| {
        let opens = |after: &str| after.starts_with('(') && is_separate(before, &spec.name, after);
        rest.strip_prefix(spec.name.as_str()).is_some_and(opens)
    });
    called.find_map(|spec| {
        let read = spec.read_arguments(rest, spec.name.len()).ok()?;
        Some((read.action, read.length, true))
    })
}

/// Whether a name is not a part of a longer word, such as `top-left`.
fn is_separate(before: &str, name: &str, after: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let continues = |mut chars: Box<dyn Iterator<Item = char> + '_>| match chars.next() {
        Some('-' | '\'' | '’') => chars.next().is_some_and(is_word),
        next => next.is_some_and(is_word),
    };
    let starts = name.starts_with(is_word) && continues(Box::new(before.chars().rev()));
    let ends = name.ends_with(is_word) && continues(Box::new(after.chars()));
    !starts && !ends
}

/// Whether a text between two names makes them one list.
fn joins(between: &str) -> bool {
    let mut words = between.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    words.all(|word| ["and", "then"].iter().any(|joint| word.eq_ignore_ascii_case(joint)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str, capitals: bool, space: &[(&str, &str)]) -> Vec<String> {
        let found = find_names(text, capitals, &ActionSpace::new(space));
        let show = |found: &Names| {
            let actions: Vec<_> = found.actions.iter().map(Action::to_string).collect();
            format!("{}: {}", &text[found.span.clone()], actions.join("+"))
        };
        found.iter().map(show).collect()
    }

    const SPACE: [(&str, &str); 3] = [("Up", ""), ("Left", ""), ("Move A to B", "")];

    #[test]
    fn names_are_words_of_their_own() {
        for (text, capitals, expected) in [
            ("Go Up, not Left.", false, &["Up: Up", "Left: Left"][..]),
            ("Upper Leftover top-Left Left-hand Up's _Up Up2", false, &[]),
            ("**Up** or `Left` or - Up", false, &["Up: Up", "Left: Left", "Up: Up"]),
            ("up or LEFT", false, &[]),
            ("up or LEFT", true, &["up: Up", "LEFT: Left"]),
            ("ÉUp éUp Up", false, &["Up: Up"]),
            ("I Move A to B now, Move A to C", false, &["Move A to B: Move A to B"]),
            ("", false, &[]),
        ] {
            assert_eq!(names(text, capitals, &SPACE), expected, "{text}");
        }
    }

    #[test]
    fn names_with_only_punctuation_between_them_are_one_match() {
        for (text, expected) in [
            ("Up, Left then Up and Left", &["Up, Left then Up and Left: Up+Left+Up+Left"][..]),
            ("1. Up\n2. Left\n", &["Up\n2. Left: Up+Left"]),
            ("Up -> Left, because Up", &["Up -> Left: Up+Left", "Up: Up"]),
        ] {
            assert_eq!(names(text, false, &SPACE), expected, "{text}");
        }
    }

    #[test]
    fn the_longest_name_wins_and_ambiguous_capitals_are_refused() {
        assert_eq!(names("go on, Go", true, &[("go", ""), ("go on", ""), ("GO", "")]), ["go on: go on"]);
        assert_eq!(names("GO or go", true, &[("go", ""), ("GO", "")]), ["GO: GO", "go: go"]);
        assert_eq!(names("(A) or [A]", false, &[("(A)", ""), ("A", "")]), ["(A): (A)", "A: A"]);
    }
}
