//! What every verb is given: where things lie and what was set for this run.

use std::path::PathBuf;

use crate::config::Config;
use crate::config::Folders;
use crate::config::Problem;
use crate::config::SettingOverride;
use crate::config::Sources;

/// The surroundings of one run.
#[derive(Debug)]
pub(crate) struct Context {
    /// Where the settings are read from; the screen keeps it, to read them again.
    pub(crate) sources: Sources,
}

impl Context {
    pub(crate) fn new(folders: Folders, instead: Option<PathBuf>, given: Vec<SettingOverride>) -> Self {
        Self { sources: Sources { folders, user_file_override: instead, overrides: given } }
    }

    pub(crate) fn folders(&self) -> &Folders {
        &self.sources.folders
    }

    /// The settings; read anew, since not every verb needs them to be in order.
    pub(crate) fn config(&self) -> Result<Config, Problem> {
        self.sources.read()
    }
}
