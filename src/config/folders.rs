//! The folders of the program and the paths of the files that users edit.

use std::path::{Path, PathBuf};

use directories::ProjectDirs;

use super::problem::Problem;

/// The four folders of the program and the working folder. They need not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folders {
    /// User files: settings, keys, themes, readers, prompts, levels.
    pub config: PathBuf,
    /// Data that must not be lost: sessions.
    pub data: PathBuf,
    /// State that should persist but can be lost: the log file.
    pub state: PathBuf,
    /// Data that can be created again.
    pub cache: PathBuf,
    /// The working folder.
    pub working: PathBuf,
}

impl Folders {
    /// The folders of this process: from the XDG variables, or the default folders in the home folder. A relative XDG
    /// path is ignored, as the XDG specification requires.
    pub fn from_environment() -> Result<Self, Problem> {
        let dirs = ProjectDirs::from("", "", "mageyard")
            .ok_or_else(|| Problem::new("no home folder").with_help("set the variable HOME"))?;
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

    /// All five under one folder, for tests.
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

    /// The user's presets of models.
    pub fn models_file(&self) -> PathBuf {
        self.config.join("models.toml")
    }

    /// The user's themes.
    pub fn themes(&self) -> PathBuf {
        self.config.join("themes")
    }

    /// The user's readers.
    pub fn readers(&self) -> PathBuf {
        self.config.join("readers")
    }

    /// The user's suites.
    pub fn suites(&self) -> PathBuf {
        self.config.join("suites")
    }

    /// The user's sweeps.
    pub fn sweeps(&self) -> PathBuf {
        self.config.join("sweeps")
    }

    /// The user's level files for this environment.
    pub fn levels(&self, environment: &str) -> PathBuf {
        self.config.join("levels").join(environment)
    }

    /// The user's prompts for this environment.
    pub fn prompts(&self, environment: &str) -> PathBuf {
        self.config.join("prompts").join(environment)
    }

    /// What is kept of the prompts of an environment besides their files: versions that were asked, and deleted ones.
    pub fn prompt_data(&self, environment: &str) -> PathBuf {
        self.data.join("prompts").join(environment)
    }

    /// The episodes of lessons, which are removed after a day.
    pub fn lessons(&self) -> PathBuf {
        self.cache.join("tutor")
    }

    /// The log file.
    pub fn log_file(&self) -> PathBuf {
        self.state.join("mageyard.log")
    }
}
