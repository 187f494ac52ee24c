//! The keys of one table of commands.

use crokey::KeyCombination;
use crossterm::event::KeyEvent;

use super::key::display_name;
use super::key::parse;
use super::key::pressed;

/// Keys with their commands, in the order of the help.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Bindings<I>(Vec<(KeyCombination, I)>);

impl<I: Copy + PartialEq> Bindings<I> {
    /// The bindings of these keys, in the notation of `keys.toml`.
    pub(super) fn of<'a>(rows: impl Iterator<Item = (&'a str, I)>) -> Self {
        Self(rows.filter_map(|(key, id)| Some((parse(key)?, id))).collect())
    }

    /// Binds a key to a command, or to none.
    pub(super) fn bind(&mut self, key: KeyCombination, id: Option<I>) {
        self.0.retain(|(known, _)| *known != key);
        self.0.extend(id.map(|id| (key, id)));
    }

    /// The command bound to a key, if any.
    pub(crate) fn command(&self, event: KeyEvent) -> Option<I> {
        let pressed = pressed(event);
        self.0.iter().find(|(key, _)| *key == pressed).map(|(_, id)| *id)
    }

    /// The keys of a command as shown to users, such as `Ctrl-P`; empty when it has none.
    pub(crate) fn keys(&self, id: I) -> Vec<String> {
        self.0.iter().filter(|(_, own)| *own == id).map(|(key, _)| display_name(*key)).collect()
    }

    /// The number of bindings.
    #[cfg(test)]
    pub(super) fn count(&self) -> usize {
        self.0.len()
    }
}
