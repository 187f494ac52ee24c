//! The context of a verb: folders and settings sources.

use std::path::PathBuf;

use mageyard_config::{Config, Folders, Problem, SettingOverride, Sources};
use mageyard_lab::Lab;

/// The folders and settings sources of this invocation.
#[derive(Debug)]
pub(crate) struct Context {
    /// The sources of the settings; the screen keeps them to read the settings again.
    pub(crate) sources: Sources,
    /// The environments and agents.
    pub(crate) lab: Lab,
}

impl Context {
    pub(crate) fn new(
        folders: Folders,
        instead: Option<PathBuf>,
        given: Vec<SettingOverride>,
        lab: Lab,
    ) -> Self {
        Self { sources: Sources { folders, user_file_override: instead, overrides: given }, lab }
    }

    pub(crate) fn folders(&self) -> &Folders {
        &self.sources.folders
    }

    /// Reads the settings. Each call reads the files again, since not every verb needs valid settings.
    pub(crate) fn config(&self) -> Result<Config, Problem> {
        self.sources.read()
    }
}
