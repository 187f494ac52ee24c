//! Where things lie: the folders of the program and the files that people edit in them.

use std::path::Path;
use std::path::PathBuf;

use directories::ProjectDirs;

use super::problem::Problem;

/// The program's four folders and the one that the user works in. None of them need exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folders {
    /// What people edit: settings, keys, themes, readers, levels.
    pub config: PathBuf,
    /// What must not be lost: sessions.
    pub data: PathBuf,
    /// What may be lost but should last: the log file.
    pub state: PathBuf,
    /// What can be made again.
    pub cache: PathBuf,
    /// The folder that the user works in.
    pub working: PathBuf,
}

impl Folders {
    /// The folders of this process: the XDG variables, or else the usual places below the home
    /// folder. A relative XDG path does not count, as the XDG rules say.
    pub fn from_environment() -> Result<Self, Problem> {
        let dirs = ProjectDirs::from("", "", "mageyard")
            .ok_or_else(|| Problem::new("this user has no home folder").with_help("set HOME to one"))?;
        let working = std::env::current_dir().map_err(|error| {
            Problem::new(format!("the current folder cannot be found: {error}"))
                .with_help("change to another folder")
        })?;
        Ok(Self {
            config: dirs.config_dir().to_owned(),
            data: dirs.data_dir().to_owned(),
            state: dirs.state_dir().unwrap_or_else(|| dirs.data_local_dir()).to_owned(),
            cache: dirs.cache_dir().to_owned(),
            working,
        })
    }

    /// All five below one folder: an empty world for a test.
    pub fn under(root: &Path) -> Self {
        let [config, data, state, cache, working] =
            ["config", "data", "state", "cache", "working"].map(|name| root.join(name));
        Self { config, data, state, cache, working }
    }

    /// The user's settings.
    pub fn user_file(&self) -> PathBuf {
        self.config.join("config.toml")
    }

    /// The project's settings.
    pub fn project_file(&self) -> PathBuf {
        self.working.join("mageyard.toml")
    }

    /// The user's keymap.
    pub fn keys_file(&self) -> PathBuf {
        self.config.join("keys.toml")
    }

    /// The user's prices of models.
    pub fn prices_file(&self) -> PathBuf {
        self.config.join("prices.toml")
    }

    /// The user's themes.
    pub fn themes(&self) -> PathBuf {
        self.config.join("themes")
    }

    /// The user's reading rules.
    pub fn readers(&self) -> PathBuf {
        self.config.join("readers")
    }

    /// The user's level files for this environment.
    pub fn levels(&self, environment: &str) -> PathBuf {
        self.config.join("levels").join(environment)
    }

    /// The user's prompt variants for this environment.
    pub fn prompts(&self, environment: &str) -> PathBuf {
        self.config.join("prompts").join(environment)
    }

    /// The log file.
    pub fn log_file(&self) -> PathBuf {
        self.state.join("mageyard.log")
    }
}
