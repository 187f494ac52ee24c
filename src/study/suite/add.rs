//! Adds recorded steps to a suite of the user, or begins one. What the file has stays as it was written; new states follow it.

use crate::collect_suite;
use crate::suite::keep_leading_actions;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::catalog::suite_catalog;
use super::collect::{CollectedSuite, SuiteStep, named_level};
use super::file::{Suite, SuiteState, checked_suite_name};
use super::reader::parse_suite;
use mageyard_config::{AssignedSetting, Config, Origin, Problem, SourceFile, setting_default};
use mageyard_domain::count_noun;
use mageyard_engine::AtomicFile;
use mageyard_lab::{Lab, LabError};

/// A suite to which steps were added.
pub struct ExtendedSuite {
    /// Its file.
    pub path: PathBuf,
    /// The suite now.
    pub suite: Suite,
    /// How many of its states are new; they are the last ones.
    pub added: usize,
    /// The steps that were left out, each with the reason.
    pub left_out: Vec<String>,
}

impl ExtendedSuite {
    /// How many states are new, and how many there are now.
    pub fn summary(&self) -> String {
        let added = count_noun(self.added, "state", "states");
        let all = count_noun(self.suite.states.len(), "state", "states");
        format!(
            "{added} added to the suite {}, which has {all} now: {}",
            self.suite.name,
            self.path.display()
        )
    }
}

/// Adds steps to the suite of the user with this name, which is created if there is none.
pub async fn add_to_suite(
    lab: &Lab,
    name: &str,
    category: Option<&str>,
    steps: &[SuiteStep],
    config: &Config,
) -> Result<ExtendedSuite, LabError> {
    let name = checked_suite_name(name).map_err(Problem::new)?;
    let own = own_suite(&name, config)?;
    let path = config.folders().suites().join(format!("{name}.toml"));
    let CollectedSuite { suite: new, mut left_out } =
        collect_suite(lab, (&name, ""), category, steps, config).await?;
    let Some(own) = own else {
        write(&path, &new.to_text(), false)?;
        let added = new.states.len();
        return Ok(ExtendedSuite { path, suite: new, added, left_out });
    };
    let path = own.file.path.clone();
    let mut extended = own.clone();
    left_out.extend(extended.take_states(&new)?);
    for index in own.states.len()..extended.states.len() {
        keep_leading_actions(lab, &mut extended, index, config).await?;
    }
    let text = extended.with_states_from(own.levels.len(), own.states.len());
    let suite = parse_suite(&SourceFile { path: path.clone(), text: text.as_str().into() })?;
    write(&path, &text, true)?;
    Ok(ExtendedSuite { path, added: suite.states.len() - own.states.len(), suite, left_out })
}

/// The suite of the user with this name, if there is one. A shipped suite stays as it is.
pub(super) fn own_suite(name: &str, config: &Config) -> Result<Option<Suite>, Problem> {
    let catalog = suite_catalog(config.folders());
    let entry = catalog.entries().into_iter().find(|entry| entry.name == name);
    match entry {
        None => Ok(None),
        Some(entry) if entry.path.is_none() => {
            let problem = Problem::new(format!("{name} is shipped with the program and stays as it is"));
            Err(problem.with_help(format!("choose another name, such as my-{name}; it is created")))
        }
        Some(entry) => Ok(Some(parse_suite(&catalog.read(&entry)?)?)),
    }
}

pub(super) fn write(path: &Path, text: &str, replace: bool) -> Result<(), Problem> {
    let written = write_atomically(path, text, replace);
    written.map_err(|error| Problem::new(format!("cannot be written: {error}")).at(path, "", 0..0))
}

fn write_atomically(path: &Path, text: &str, replace: bool) -> io::Result<()> {
    std::fs::create_dir_all(path.parent().unwrap_or(Path::new("")))?;
    // The target of a symbolic link is replaced, not the link.
    let path = if replace { path.canonicalize()? } else { path.to_owned() };
    let draft = AtomicFile::stage(&path, text.as_bytes())?.synced()?;
    if replace { draft.replace() } else { draft.create_new() }.map(drop)
}

impl Suite {
    /// Takes the states of another suite. The result says which were left out, because they are there already.
    fn take_states(&mut self, new: &Self) -> Result<Vec<String>, Problem> {
        if self.environment != new.environment {
            let what = format!(
                "{} has states of {}, and the steps are of {}",
                self.name, self.environment, new.environment
            );
            return Err(Problem::new(what)
                .with_help("choose the name of another suite; it is created if there is none"));
        }
        let known = self.states.len();
        let mut left_out = Vec::new();
        for state in &new.states {
            let same = |other: &SuiteState| other.address.is_some() && other.address == state.address;
            if let Some(index) = self.states.iter().position(same) {
                let address = state.address.as_deref().unwrap_or_default();
                left_out.push(format!("{address} is state {} of {} already", index + 1, self.name));
                continue;
            }
            let Some(level) = new.level(state) else { continue };
            let level = named_level(&mut self.levels, level.clone());
            let settings = self.own_settings(new, state);
            self.states.push(SuiteState { level, settings, ..state.clone() });
        }
        match left_out.first() {
            Some(first) if self.states.len() == known => Err(Problem::new(first.clone())),
            _ => Ok(left_out),
        }
    }

    /// The settings that a state of another suite needs here: those that this suite has not, or has with another value.
    fn own_settings(&self, new: &Self, state: &SuiteState) -> Vec<AssignedSetting> {
        let whole: Vec<&AssignedSetting> = new.settings.iter().chain(&state.settings).collect();
        let has = |one: &AssignedSetting| {
            self.settings.iter().any(|other| (&other.name, &other.value) == (&one.name, &one.value))
        };
        let others = self.settings.iter().filter(|own| whole.iter().all(|one| one.name != own.name));
        let own = whole.iter().filter(|one| !has(one)).map(|one| (*one).clone());
        own.chain(others.map(|own| with_default(&own.name)).filter(|one| !has(one))).collect()
    }
}

/// A setting with its default.
fn with_default(name: &str) -> AssignedSetting {
    let text = setting_default(name);
    let value = serde_json::from_str(text).unwrap_or_else(|_| Value::from(text));
    AssignedSetting { name: name.to_owned(), value, origin: Origin::Default }
}
