//! The state of the help, and its entries.

use crate::command::{Command, CommandId, Group, ScreenView, commands_in, is_listed};
use crate::keymap::{action_key_name, join_keys};
use crate::model::{EpisodeView, Model};
use mageyard_domain::{ActionSpec, sanitize};

/// The longest filter in bytes.
const MAX_FILTER: usize = 100;

/// The title of the actions of a person.
const ACTIONS: &str = "Your actions";

/// The state of the help.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct HelpSheet {
    pub(super) selected: usize,
    pub(super) filter: String,
    /// Whether letters are added to the filter.
    pub(super) is_typing: bool,
    /// Whether the whole text about the selected entry is shown.
    pub(super) explains: bool,
}

/// What an entry runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum HelpTarget {
    Command(CommandId),
    /// An action of the person at the screen.
    Action(String),
}

/// An entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HelpEntry {
    pub(super) target: HelpTarget,
    /// The title of its section.
    pub(super) section: &'static str,
    pub(super) keys: String,
    /// What it does in a few words.
    pub(super) brief: String,
    /// What it does in full.
    pub(super) about: String,
}

impl HelpSheet {
    /// The entries that have the words of the filter.
    pub(super) fn entries(&self, model: &Model) -> Vec<HelpEntry> {
        let words: Vec<String> = self.filter.split_whitespace().map(str::to_lowercase).collect();
        let mut entries = all(model);
        entries.retain(|entry| {
            let text = format!("{} {} {} {}", entry.section, entry.keys, entry.brief, entry.about);
            let text = text.to_lowercase();
            words.iter().all(|word| text.contains(word))
        });
        entries
    }

    /// Whether letters are text.
    pub(crate) fn is_typing(&self) -> bool {
        self.is_typing
    }

    /// Adds pasted text to the filter.
    pub(crate) fn paste(&mut self, text: &str) {
        if self.is_typing {
            text.chars().for_each(|letter| self.type_letter(letter));
        }
    }

    /// Moves the selection; it stops at both ends.
    pub(super) fn select_by(&mut self, by: isize, count: usize) {
        let last = count.saturating_sub(1);
        self.selected = self.selected.min(last).saturating_add_signed(by).min(last);
    }

    pub(super) fn type_letter(&mut self, letter: char) {
        if self.filter.len() < MAX_FILTER && !letter.is_control() {
            self.filter.push(letter);
            self.selected = 0;
        }
    }

    #[cfg(test)]
    pub(crate) fn selected(&self) -> usize {
        self.selected
    }
}

fn all(model: &Model) -> Vec<HelpEntry> {
    let mut entries = actions(model);
    for group in Group::OF_EPISODE {
        let own = commands_in(ScreenView::Episode).filter(|row| row.group == group);
        let own: Vec<&Command> = own.collect();
        // Neighbours with the same words are one entry with the keys of both.
        for rows in own.chunk_by(|one, next| one.brief == next.brief) {
            entries.extend(entry(model, group, rows));
        }
    }
    entries
}

/// The entry of a command, or of neighbours with the same words. A command that has no key and is in a family is found there.
fn entry(model: &Model, group: Group, rows: &[&Command]) -> Option<HelpEntry> {
    let first = rows.first()?;
    // One key each, so that the keys of neighbours fit.
    let keys =
        |row: &&Command| model.keys(row.id).into_iter().take(if rows.len() > 1 { 1 } else { usize::MAX });
    let keys: Vec<String> = rows.iter().flat_map(keys).collect();
    let keys = match join_keys(&keys) {
        keys if keys.is_empty() && !is_listed(first) => return None,
        keys if keys.is_empty() => format!(":{}", first.name),
        keys => keys,
    };
    let about = rows.iter().map(|row| format!("{}: {}.", row.name, row.help)).collect::<Vec<_>>().join(" ");
    Some(HelpEntry {
        target: HelpTarget::Command(first.id),
        section: group.title(),
        keys,
        brief: first.brief.to_owned(),
        about,
    })
}

/// The actions of a person who decides now.
fn actions(model: &Model) -> Vec<HelpEntry> {
    let person = model.episode().filter(|viewed| viewed.is_human() && !viewed.is_over());
    person.map_or(&[][..], EpisodeView::action_specs).iter().map(action).collect()
}

fn action(spec: &ActionSpec) -> HelpEntry {
    let key = spec.key.as_ref().and_then(|key| action_key_name(key)).unwrap_or_else(|| ":act".into());
    let params = spec.params.iter().map(|param| {
        let optional = if param.required { "" } else { " (optional)" };
        format!(" {}: {}, {}{optional}.", param.name, param.help, param.kind)
    });
    HelpEntry {
        target: HelpTarget::Action(spec.name.clone()),
        section: ACTIONS,
        keys: key,
        brief: sanitize(&spec.name).into_owned(),
        about: sanitize(&format!("{}: {}.{}", spec.name, spec.help, params.collect::<String>())).into_owned(),
    }
}
