//! Key bindings: the defaults of the table of commands, changed by `keys.toml`, which has a table for the screen of episodes
//! and one for the dashboard of sweeps.

mod bindings;
mod file;
mod key;
mod sequence;
#[cfg(test)]
mod tests;

use std::path::Path;

use crossterm::event::KeyEvent;

pub(crate) use self::bindings::Bindings;
pub(crate) use self::key::{action_key, action_key_name, is_action_key, key_name, parse_key};
use super::command::{CommandId, ScreenView, commands_in};
use mageyard_config::Problem;

/// The tables of `keys.toml` with their views.
const TABLES: [(&str, ScreenView); 2] = [("keys", ScreenView::Episode), ("sweep", ScreenView::Sweep)];

/// Keys with their commands.
#[derive(Clone, Debug, PartialEq)]
pub struct Keymap {
    screen: Bindings,
    dashboard: Bindings,
}

impl Default for Keymap {
    fn default() -> Self {
        Self { screen: Bindings::of(ScreenView::Episode), dashboard: Bindings::of(ScreenView::Sweep) }
    }
}

impl Keymap {
    /// Reads a `keys.toml`: tables `[keys]` and `[sweep]` of `key = "command"` that change the defaults; two keys with a
    /// blank between them are a sequence. `"nothing"` removes a binding.
    pub fn parse_key(file: &Path, text: &str) -> Result<Self, Problem> {
        file::read(file, text)
    }

    /// The command of the screen bound to a key alone, if any.
    pub(crate) fn command(&self, event: KeyEvent) -> Option<CommandId> {
        self.screen.command(event)
    }

    /// All bindings of the screen.
    pub(crate) fn screen(&self) -> &Bindings {
        &self.screen
    }

    /// The keys of a command of the screen as shown to users, such as `Ctrl-P`; empty when it has none.
    pub(crate) fn keys(&self, id: CommandId) -> Vec<String> {
        self.screen.keys(id)
    }

    /// The keys of the dashboard.
    pub(crate) fn dashboard(&self) -> &Bindings {
        &self.dashboard
    }

    /// The keys of a view.
    fn of_view(&self, view: ScreenView) -> &Bindings {
        match view {
            ScreenView::Episode | ScreenView::Lines => &self.screen,
            ScreenView::Sweep => &self.dashboard,
        }
    }

    fn of_view_mut(&mut self, view: ScreenView) -> &mut Bindings {
        match view {
            ScreenView::Episode | ScreenView::Lines => &mut self.screen,
            ScreenView::Sweep => &mut self.dashboard,
        }
    }

    /// One row per command, those of the dashboard last.
    pub fn rows(&self) -> Vec<KeyRow> {
        let default = Self::default();
        let mut rows = Vec::new();
        for (table, view) in TABLES {
            rows.extend(commands_in(view).map(|row| {
                let keys = self.of_view(view).keys(row.id);
                let is_default = keys == default.of_view(view).keys(row.id);
                KeyRow { table, command: row.name, keys, default: is_default, help: row.help }
            }));
        }
        rows
    }
}

/// Keys in a row. Sequences with blanks in them are separated by commas.
pub fn join_keys(keys: &[String]) -> String {
    keys.join(if keys.iter().any(|keys| keys.contains(' ')) { ", " } else { " " })
}

/// A row of the list of keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyRow {
    /// The table of `keys.toml`: `keys` for the screen of episodes, `sweep` for the dashboard of sweeps.
    pub table: &'static str,
    /// Name of the command.
    pub command: &'static str,
    /// Its keys as shown to users; empty when only the palette has it.
    pub keys: Vec<String>,
    /// Whether these are the default keys.
    pub default: bool,
    /// What it does.
    pub help: &'static str,
}
