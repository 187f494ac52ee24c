//! The context of a verb: folders and settings sources.

use std::path::PathBuf;
use std::time::Duration;

use crate::config::Config;
use crate::config::Folders;
use crate::config::Problem;
use crate::config::SettingOverride;
use crate::config::Sources;

/// The folders and settings sources of this invocation.
#[derive(Debug)]
pub(crate) struct Context {
    /// The sources of the settings; the screen keeps them to read the settings again.
    pub(crate) sources: Sources,
}

impl Context {
    pub(crate) fn new(folders: Folders, instead: Option<PathBuf>, given: Vec<SettingOverride>) -> Self {
        Self { sources: Sources { folders, user_file_override: instead, overrides: given } }
    }

    pub(crate) fn folders(&self) -> &Folders {
        &self.sources.folders
    }

    /// Reads the settings. Each call reads the files again, since not every verb needs valid settings.
    pub(crate) fn config(&self) -> Result<Config, Problem> {
        self.sources.read()
    }
}

/// The time since 1970-01-01 UTC.
pub(super) fn unix_time() -> Duration {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default()
}
