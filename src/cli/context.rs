//! The context of a verb: folders and settings sources.

use std::fmt;
use std::path::PathBuf;

use clap::Command;

use super::command::command;
use super::verb::Verb;
use mageyard_config::{Config, Folders, Problem, SettingOverride, Sources};
use mageyard_lab::Lab;

use crate::screen_verbs::ScreenVerbs;

/// What a verb gets: the sources of the settings, the environments and the agents of this invocation.
#[derive(Debug)]
pub struct Context {
    /// The sources of the settings; the screen keeps them to read the settings again.
    pub sources: Sources,
    /// The environments and agents.
    pub lab: Lab,
    /// The screen.
    pub screen: &'static dyn ScreenVerbs,
    verbs: AddedVerbs,
}

/// The verbs that the program adds.
struct AddedVerbs(&'static [&'static dyn Verb]);

impl fmt::Debug for AddedVerbs {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let commands = self.0.iter().map(|verb| verb.command());
        out.debug_list().entries(commands.map(|command| command.get_name().to_owned())).finish()
    }
}

impl Context {
    pub(crate) fn new(
        folders: Folders,
        instead: Option<PathBuf>,
        given: Vec<SettingOverride>,
        lab: Lab,
        screen: &'static dyn ScreenVerbs,
        verbs: &'static [&'static dyn Verb],
    ) -> Self {
        let sources = Sources { folders, user_file_override: instead, overrides: given };
        Self { sources, lab, screen, verbs: AddedVerbs(verbs) }
    }

    /// The complete command line of the program.
    pub(crate) fn command(&self) -> Command {
        command(self.lab.environments(), self.verbs.0)
    }

    /// The folders of the program: settings, state, cache, data.
    pub fn folders(&self) -> &Folders {
        &self.sources.folders
    }

    /// The settings file of the user, or the one given in its place. It may not exist.
    pub(crate) fn settings_file(&self) -> std::path::PathBuf {
        self.sources.user_file_override.clone().unwrap_or_else(|| self.folders().user_file())
    }

    /// Reads the settings. Each call reads the files again, since not every verb needs valid settings.
    ///
    /// # Errors
    ///
    /// The mistake in a file, a variable or a flag, with its place.
    pub fn config(&self) -> Result<Config, Problem> {
        self.sources.read()
    }
}
