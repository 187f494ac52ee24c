//! The context of a verb: folders and settings sources.

use std::path::PathBuf;

use mageyard_config::{Config, Folders, Problem, SettingOverride, Sources};
use mageyard_lab::Lab;

use crate::screen_verbs::ScreenVerbs;

/// The folders and settings sources of this invocation.
#[derive(Debug)]
pub struct Context {
    /// The sources of the settings; the screen keeps them to read the settings again.
    pub sources: Sources,
    /// The environments and agents.
    pub lab: Lab,
    /// The screen.
    pub screen: &'static dyn ScreenVerbs,
}

impl Context {
    pub(crate) fn new(
        folders: Folders,
        instead: Option<PathBuf>,
        given: Vec<SettingOverride>,
        lab: Lab,
        screen: &'static dyn ScreenVerbs,
    ) -> Self {
        Self { sources: Sources { folders, user_file_override: instead, overrides: given }, lab, screen }
    }

    pub fn folders(&self) -> &Folders {
        &self.sources.folders
    }

    /// Reads the settings. Each call reads the files again, since not every verb needs valid settings.
    pub fn config(&self) -> Result<Config, Problem> {
        self.sources.read()
    }
}
