//! Where the levels and the settings are from: levels as they are named, or recorded sessions.

use std::collections::BTreeMap;

use mageyard_config::{Config, Origin, Problem, ResolvedSetting, SettingOverride, setting_kind};
use mageyard_domain::Setting;
use mageyard_engine::{Head, Store};
use mageyard_lab::{
    Lab, LabError, PRESET_KEY, agent_options, config_for, playable_levels, read_recordings, select_level,
};
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
        let source = match levels_of(lab, named, config) {
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
        }?;
        source.refuse_without_requests(lab, config)?;
        Ok(source)
    }

    /// Refuses an agent without a memory.
    fn refuse_without_requests(&self, lab: &Lab, config: &Config) -> Result<(), Problem> {
        let recorded = self.settings.get("play.agent").and_then(Value::as_str);
        let agent = recorded.unwrap_or(&config.settings().play.agent);
        if lab.agent(agent).is_none_or(|row| row.requests.is_some()) {
            return Ok(());
        }
        let problem =
            Problem::new(format!("the agent {agent} sends no requests, so it has no memory window"));
        Err(problem.with_help("give --agent model --model NAME, or name sessions of a model"))
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
                let windows: Vec<String> = several.iter().map(ToString::to_string).collect();
                let problem =
                    Problem::new(format!("the sessions have several windows: {}", windows.join("; ")));
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
    let decided = decided_values(head).into_iter().map(|(name, value)| (name.to_owned(), value));
    let agent = ("play.agent".to_owned(), head.agent.name.as_str().into());
    let of_level = |name: &str| name == "play.max_steps" && head.limits_of_level.steps;
    let is_taken = |(name, value): &(String, Value)| {
        setting_kind(name, &Origin::Default).is_ok()
            && !OF_WINDOWS.contains(&name.as_str())
            && !of_level(name)
            && row(&own, name).is_some_and(|row| row.value != *value)
    };
    let values = decided.chain([agent]).chain(laid_out_values(head)).filter(is_taken);
    Ok(values.chain(agent_values(lab, head, &own)?).collect())
}

fn row<'a>(config: &'a Config, name: &str) -> Option<&'a ResolvedSetting> {
    config.resolved_settings().iter().find(|row| row.name() == name)
}

/// The settings of the recorded agent that it would not have with these.
fn agent_values(lab: &Lab, head: &Head, config: &Config) -> Result<Vec<(String, Value)>, Problem> {
    let Some(agent) = lab.agent(&head.agent.name) else { return Ok(Vec::new()) };
    let Some(own) = agent.settings else { return Ok(Vec::new()) };
    let here = agent_options(lab, agent, config)?;
    let is_given = |name: &str| {
        row(config, name).is_some_and(|row| !matches!(row.origin, Origin::Default | Origin::Environment(_)))
    };
    let mut found = Vec::new();
    // A recorded preset is its content, not its name.
    let options = head.agent.options.iter().filter(|(name, _)| *name != PRESET_KEY);
    for (name, value) in options.filter(|(name, value)| here.get(*name) != Some(value)) {
        if let Some(part) = value.as_object().filter(|_| own.part == Some(name.as_str())) {
            let other = |key: &String| here.get(name).and_then(|part| part.get(key));
            let differing = part.iter().filter(|(key, value)| other(key) != Some(value));
            found.extend(differing.map(|(key, value)| (format!("{name}.{key}"), value.clone())));
            continue;
        }
        let setting = format!("{}.{name}", own.table);
        if !own.connection.contains(&name.as_str()) || !is_given(&setting) {
            found.push((setting, value.clone()));
        }
    }
    Ok(found)
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
