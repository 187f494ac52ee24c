//! Where the levels and the settings are from: levels as they are named, or recorded sessions.

use std::collections::BTreeMap;

use mageyard_config::{Config, Problem, SettingOverride, setting_kind};
use mageyard_domain::Setting;
use mageyard_engine::{Head, Store};
use mageyard_lab::{Lab, LabError, config_for, playable_levels, read_recordings, select_level};
use serde_json::Value;

use super::window::KeptWindow;
use crate::suite::{decided_values, laid_out_values};

/// The settings that a window consists of, which no flag gives here.
const OF_WINDOWS: [&str; 3] = ["memory.am", "memory.om", "memory.keep"];

/// Levels, what all episodes have in common, and the window that is there.
pub(super) struct ConfirmSource {
    /// References of single levels, each once.
    pub(super) levels: Vec<String>,
    /// The settings that differ from those of this process.
    pub(super) settings: BTreeMap<String, Value>,
    /// The window of the sessions, or of the settings; why there is not one.
    pub(super) window: Result<KeptWindow, Problem>,
}

impl ConfirmSource {
    /// Reads what is named: levels and sets of levels, or else sessions and sweeps. `flags` are the settings that the command
    /// line gives.
    pub(super) fn read(
        lab: &Lab,
        named: &[String],
        flags: &[SettingOverride],
        config: &Config,
    ) -> Result<Self, LabError> {
        if let Some(flag) = flags.iter().find(|flag| OF_WINDOWS.contains(&flag.name.as_str())) {
            let problem = flag.origin.problem("the windows are those of --reference and --candidates");
            return Err(problem.with_help("leave it out").into());
        }
        match levels_of(lab, named, config) {
            Ok(levels) => {
                let settings = config.settings();
                let window = KeptWindow { window: config.window(), keep: settings.memory.keep };
                refuse_plans(settings.play.setting)?;
                Ok(Self { levels, settings: BTreeMap::new(), window: Ok(window) })
            }
            Err(not_levels) => Self::recorded(lab, named, config).map_err(|error| match error {
                LabError::Store(_) => not_levels.with_help("name levels, sessions or a sweep").into(),
                error => error,
            }),
        }
    }

    fn recorded(lab: &Lab, named: &[String], config: &Config) -> Result<Self, LabError> {
        let store = Store::new(config.store_folder());
        let mut levels: Vec<String> = Vec::new();
        let mut windows: Vec<KeptWindow> = Vec::new();
        let mut settings: Option<BTreeMap<String, Value>> = None;
        for recording in read_recordings(lab, &store, named) {
            let head = recording?.head()?;
            if head.parent.is_some() {
                continue;
            }
            refuse_plans(head.setting)?;
            check_level(lab, &head, config)?;
            let own = recorded_settings(lab, &head, config)?;
            match &settings {
                None => settings = Some(own),
                Some(first) => refuse_other_settings(first, &own)?,
            }
            let window = KeptWindow { window: head.window, keep: head.layout.keep };
            if !windows.contains(&window) {
                windows.push(window);
            }
            if !levels.contains(&head.reference) {
                levels.push(head.reference);
            }
        }
        let nothing = || Problem::new("these sessions have no episode").with_help("name levels or sessions");
        let settings = settings.ok_or_else(nothing)?;
        let window = match windows.as_slice() {
            [only] => Ok(*only),
            several => {
                let names: Vec<String> = several.iter().map(ToString::to_string).collect();
                let problem =
                    Problem::new(format!("the sessions have several windows: {}", names.join("; ")));
                Err(problem.with_help("name the one to compare with by --reference"))
            }
        };
        Ok(Self { levels, settings, window })
    }
}

fn levels_of(lab: &Lab, named: &[String], config: &Config) -> Result<Vec<String>, Problem> {
    let mut levels: Vec<String> = Vec::new();
    for reference in named {
        for level in playable_levels(lab, config, reference)?.0 {
            if !levels.contains(&level.reference) {
                levels.push(level.reference);
            }
        }
    }
    Ok(levels)
}

fn refuse_plans(setting: Setting) -> Result<(), Problem> {
    if setting == Setting::Online {
        return Ok(());
    }
    let problem = Problem::new("Global episodes have one request, so a memory window changes nothing");
    Err(problem.with_help("name Online sessions, or give --setting online"))
}

/// Refuses a level that is another one here than the recorded one.
fn check_level(lab: &Lab, head: &Head, config: &Config) -> Result<(), Problem> {
    let here = select_level(lab, config.folders(), &head.reference)?;
    if here.level.source.identity() == head.level.identity() {
        return Ok(());
    }
    let problem = Problem::new(format!("{} is another level here than in the recording", head.reference));
    Err(problem.with_help("name levels that are here"))
}

/// The settings of a recorded episode that this process has otherwise: agent, model, prompt, reader, limit of steps, layout of
/// requests and environment, without the window. What says how a server is reached is taken over where nothing else is set.
fn recorded_settings(lab: &Lab, head: &Head, config: &Config) -> Result<BTreeMap<String, Value>, Problem> {
    let Some(spec) = lab.environment(&head.environment) else {
        return Err(Problem::new(format!("{} is not an environment of this program", head.environment)));
    };
    let own = config_for(lab, config, spec)?;
    let shipped = Config::shipped(config.folders().clone())?;
    let value_in = |config: &Config, name: &str| {
        let row = config.resolved_settings().iter().find(|row| row.name() == name);
        row.map(|row| row.value.clone())
    };
    let decided = decided_values(head).into_iter().map(|(name, value)| (name.to_owned(), value));
    let agent = ("play.agent".to_owned(), head.agent.name.as_str().into());
    let of_agent = agent_values(lab, head).into_iter().filter(|(name, _, is_connection)| {
        !is_connection || value_in(&own, name) == value_in(&shipped, name)
    });
    let of_agent = of_agent.map(|(name, value, _)| (name, value));
    let all = decided.chain([agent]).chain(laid_out_values(head)).chain(of_agent);
    let of_level = |name: &str| name == "play.max_steps" && head.limits_of_level.steps;
    let is_taken = |(name, value): &(String, Value)| {
        setting_kind(name, &mageyard_config::Origin::Default).is_ok()
            && !OF_WINDOWS.contains(&name.as_str())
            && !of_level(name)
            && value_in(&own, name).is_some_and(|here| here != *value)
    };
    Ok(all.filter(is_taken).collect())
}

/// The settings of the recorded agent by their names, and whether they say how a server is reached.
fn agent_values(lab: &Lab, head: &Head) -> Vec<(String, Value, bool)> {
    let Some(own) = lab.agent(&head.agent.name).and_then(|row| row.settings) else { return Vec::new() };
    let mut found = Vec::new();
    for (name, value) in &head.agent.options {
        match value.as_object().filter(|_| own.part == Some(name.as_str())) {
            Some(part) => {
                found.extend(part.iter().map(|(key, value)| (format!("{name}.{key}"), value.clone(), false)));
            }
            // A recorded preset is its content, not its name.
            None if name == mageyard_lab::PRESET_KEY => {}
            None => {
                let is_connection = own.connection.contains(&name.as_str());
                found.push((format!("{}.{name}", own.table), value.clone(), is_connection));
            }
        }
    }
    found
}

fn refuse_other_settings(
    first: &BTreeMap<String, Value>,
    other: &BTreeMap<String, Value>,
) -> Result<(), Problem> {
    let names = first.keys().chain(other.keys());
    let Some(name) = names.into_iter().find(|name| first.get(*name) != other.get(*name)) else {
        return Ok(());
    };
    let problem = Problem::new(format!("the sessions differ in {name}"));
    Err(problem.with_help("name sessions of one agent, model and prompt"))
}
