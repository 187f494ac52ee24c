//! Key bindings: the defaults of the tables of commands, changed by `keys.toml`. The screen of episodes and the dashboard
//! of sweeps have a table each.

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
use super::command::{COMMANDS, CommandId};
use super::dashboard_command::{DASHBOARD_COMMANDS, DashboardCommand};
use mageyard_config::Problem;

/// The tables of `keys.toml`: of the screen of episodes, and of the dashboard of sweeps.
const TABLES: [&str; 2] = ["keys", "sweep"];

/// Keys with their commands.
#[derive(Clone, Debug, PartialEq)]
pub struct Keymap {
    screen: Bindings<CommandId>,
    dashboard: Bindings<DashboardCommand>,
}

impl Default for Keymap {
    fn default() -> Self {
        let screen = COMMANDS.iter().flat_map(|row| row.keys.iter().map(|key| (*key, row.id)));
        let dashboard = DASHBOARD_COMMANDS.iter().flat_map(|row| row.keys.iter().map(|key| (*key, row.id)));
        Self { screen: Bindings::of(screen), dashboard: Bindings::of(dashboard) }
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
    pub(crate) fn screen(&self) -> &Bindings<CommandId> {
        &self.screen
    }

    /// The keys of a command of the screen as shown to users, such as `Ctrl-P`; empty when it has none.
    pub(crate) fn keys(&self, id: CommandId) -> Vec<String> {
        self.screen.keys(id)
    }

    /// The keys of the dashboard.
    pub(crate) fn dashboard(&self) -> &Bindings<DashboardCommand> {
        &self.dashboard
    }

    /// One row per command, those of the dashboard last.
    pub fn rows(&self) -> Vec<KeyRow> {
        let default = Self::default();
        let screen = COMMANDS.iter().map(|row| {
            let keys = self.screen.keys(row.id);
            let is_default = keys == default.screen.keys(row.id);
            KeyRow { table: TABLES[0], command: row.name, keys, default: is_default, help: row.help }
        });
        let dashboard = DASHBOARD_COMMANDS.iter().map(|row| {
            let keys = self.dashboard.keys(row.id);
            let is_default = keys == default.dashboard.keys(row.id);
            KeyRow { table: TABLES[1], command: row.name, keys, default: is_default, help: row.help }
        });
        screen.chain(dashboard).collect()
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
