//! The keys of one view.

use crokey::KeyCombination;
use crossterm::event::KeyEvent;

use super::key::{display_name, pressed};
use super::sequence::KeySequence;
use crate::command::{CommandId, ScreenView, commands_in};

/// Keys with their commands, in the order of the help.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Bindings(Vec<(KeySequence, CommandId)>);

impl Bindings {
    /// The default keys of a view.
    pub(super) fn of(view: ScreenView) -> Self {
        let rows = commands_in(view).flat_map(|row| row.keys.iter().map(|keys| (*keys, row.id)));
        Self(rows.filter_map(|(keys, id)| Some((KeySequence::parse(keys).ok()?, id))).collect())
    }

    /// Binds keys to a command, or to none. A key replaces the sequences that it begins.
    pub(super) fn bind(&mut self, keys: KeySequence, id: Option<CommandId>) {
        let replaced = |known: &KeySequence| *known == keys || keys.second.is_none() && known.overlaps(&keys);
        self.0.retain(|(known, _)| !replaced(known));
        self.0.extend(id.map(|id| (keys, id)));
    }

    /// The command of the key that begins this sequence, if it has one of its own.
    pub(super) fn command_of_first(&self, keys: &KeySequence) -> Option<CommandId> {
        self.0.iter().find(|(known, _)| known.second.is_none() && known.overlaps(keys)).map(|(_, id)| *id)
    }

    /// The command bound to a key alone, if any.
    pub(crate) fn command(&self, event: KeyEvent) -> Option<CommandId> {
        self.find(KeySequence { first: pressed(event), second: None })
    }

    /// The command bound to this key after another one, if any.
    pub(crate) fn command_after(&self, first: KeyEvent, event: KeyEvent) -> Option<CommandId> {
        self.find(KeySequence { first: pressed(first), second: Some(pressed(event)) })
    }

    /// Whether this key begins sequences.
    pub(crate) fn is_prefix(&self, event: KeyEvent) -> bool {
        self.following(event).next().is_some()
    }

    /// The keys that may follow this one, as shown to users, with their commands.
    pub(crate) fn following(&self, first: KeyEvent) -> impl Iterator<Item = (String, CommandId)> {
        let first = pressed(first);
        let begun = self.0.iter().filter(move |(keys, _)| keys.first == first);
        begun.filter_map(|(keys, id)| Some((display_name(keys.second?), *id)))
    }

    /// The keys of a command as shown to users, such as `Ctrl-P`; empty when it has none.
    pub(crate) fn keys(&self, id: CommandId) -> Vec<String> {
        self.0.iter().filter(|(_, own)| *own == id).map(|(keys, _)| keys.display()).collect()
    }

    /// The keys of a command as shown to users, without those that begin with one of these.
    pub(crate) fn keys_without(&self, id: CommandId, taken: &[KeyCombination]) -> Vec<String> {
        let own = self.0.iter().filter(|(keys, own)| *own == id && !taken.contains(&keys.first));
        own.map(|(keys, _)| keys.display()).collect()
    }

    fn find(&self, keys: KeySequence) -> Option<CommandId> {
        self.0.iter().find(|(known, _)| *known == keys).map(|(_, id)| *id)
    }

    /// The number of bindings.
    #[cfg(test)]
    pub(super) fn count(&self) -> usize {
        self.0.len()
    }
}
