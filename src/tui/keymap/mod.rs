//! Key bindings: the defaults of the tables of commands, changed by `keys.toml`. The screen of episodes and the dashboard
//! of sweeps have a table each.

mod bindings;
mod key;
#[cfg(test)]
mod tests;

use std::path::Path;

use crossterm::event::KeyEvent;
use toml::Spanned;
use toml::de::DeString;
use toml::de::DeTable;
use toml::de::DeValue;

pub(crate) use self::bindings::Bindings;
use self::key::parse_bindable;
pub(crate) use self::key::{action_key_name, is_action_key, key_name};
use super::command::COMMANDS;
use super::command::CommandId;
use super::command::find_command;
use super::dashboard_command::DASHBOARD_COMMANDS;
use super::dashboard_command::DashboardCommand;
use super::dashboard_command::find_dashboard_command;
use crate::config::Problem;

/// The tables of `keys.toml`: of the screen of episodes, and of the dashboard of sweeps.
const TABLES: [&str; 2] = ["keys", "sweep"];

/// The word that removes a default binding.
const UNBOUND: &str = "nothing";

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

/// Makes a problem at a place of the file.
type Refuse<'a> = &'a dyn Fn(String, std::ops::Range<usize>) -> Problem;

impl Keymap {
    /// Reads a `keys.toml`: tables `[keys]` and `[sweep]` of `key = "command"` that change the defaults.
    /// `"nothing"` removes a binding.
    pub fn parse_key(file: &Path, text: &str) -> Result<Self, Problem> {
        let refuse = |what: String, span| Problem::new(what).at(file, text, span);
        let table = DeTable::parse(text)
            .map_err(|error| refuse(error.message().to_owned(), error.span().unwrap_or(0..0)))?;
        let mut keymap = Self::default();
        for (name, value) in table.get_ref() {
            let known = TABLES.into_iter().find(|known| name.get_ref() == known);
            let (known, rows) = known.zip(value.get_ref().as_table()).ok_or_else(|| {
                let what = format!("unknown table {:?} in a keymap", name.get_ref());
                let help = "bindings belong under [keys], such as x = \"step\", or, for the dashboard, under [sweep]";
                refuse(what, name.span()).with_help(help)
            })?;
            rows.iter().try_for_each(|(key, command)| keymap.bind(known, key, command, &refuse))?;
        }
        Ok(keymap)
    }

    fn bind(
        &mut self,
        table: &str,
        key: &Spanned<DeString<'_>>,
        command: &Spanned<DeValue<'_>>,
        refuse: Refuse<'_>,
    ) -> Result<(), Problem> {
        let combination = parse_bindable(key.get_ref()).map_err(|why| {
            let what = format!("cannot bind the key {:?}: {why}", key.get_ref());
            refuse(what, key.span())
        })?;
        let Some(name) = command.get_ref().as_str() else {
            return Err(refuse("expected the name of a command in quotes".into(), command.span()));
        };
        let unknown = |names: Vec<&'static str>| {
            let problem = refuse(format!("there is no command {name:?}"), command.span());
            problem.with_suggestions(name, names.into_iter().chain([UNBOUND]))
        };
        let is_bound = name != UNBOUND;
        if table == TABLES[0] {
            let id = is_bound.then(|| find_command(name).map(|row| row.id));
            let names = || COMMANDS.iter().map(|row| row.name).collect();
            self.screen.bind(combination, id.map(|id| id.ok_or_else(|| unknown(names()))).transpose()?);
        } else {
            let id = is_bound.then(|| find_dashboard_command(name).map(|row| row.id));
            let names = || DASHBOARD_COMMANDS.iter().map(|row| row.name).collect();
            self.dashboard.bind(combination, id.map(|id| id.ok_or_else(|| unknown(names()))).transpose()?);
        }
        Ok(())
    }

    /// The command of the screen bound to a key, if any.
    pub(crate) fn command(&self, event: KeyEvent) -> Option<CommandId> {
        self.screen.command(event)
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
