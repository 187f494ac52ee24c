//! A key, or two keys that are pressed one after the other, as `keys.toml` writes them: `x`, `"g g"`, `"ctrl-w +"`.
//!
//! The first key waits in the model for the second one; there is no timer.

use crokey::KeyCombination;
use crossterm::event::KeyCode;

use super::key::{display_name, parse, parse_bindable};

/// One key or two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct KeySequence {
    pub(super) first: KeyCombination,
    pub(super) second: Option<KeyCombination>,
}

impl KeySequence {
    /// The keys with these names, or why they cannot be bound.
    pub(super) fn parse(names: &str) -> Result<Self, String> {
        let mut names = names.split_whitespace();
        let first = names.next().unwrap_or_default();
        let second = names.next();
        let third = names.next();
        if third.is_some() {
            return Err("a sequence has at most two keys, such as \"g g\"".to_owned());
        }
        let key = parse_bindable(first)?;
        let Some(second) = second else { return Ok(Self { first: key, second: None }) };
        // After another key a digit is no count.
        let is_digit = second.len() == 1 && second.bytes().all(|byte| byte.is_ascii_digit());
        let next = if is_digit { parse(second).ok_or("unknown key")? } else { parse_bindable(second)? };
        if [key, next].iter().any(|key| *key.codes.first() == KeyCode::Esc) {
            return Err("esc leaves a sequence".to_owned());
        }
        Ok(Self { first: key, second: Some(next) })
    }

    /// Whether one of both begins the other.
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        self.first == other.first && self.second.is_none() != other.second.is_none()
    }

    /// The keys as shown to users: `x`, `gg`, `Ctrl-W +`.
    pub(super) fn display(&self) -> String {
        let first = display_name(self.first);
        let Some(second) = self.second.map(display_name) else { return first };
        let is_letter = |name: &str| name.chars().count() == 1;
        let space = if is_letter(&first) && is_letter(&second) { "" } else { " " };
        format!("{first}{space}{second}")
    }
}
