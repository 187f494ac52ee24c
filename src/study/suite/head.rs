//! The settings that a state is opened with: those of a recorded step as a suite file has them, and a head made from them.

use mageyard_lab::{known_environment, new_head};
use serde_json::Value;

use super::file::Suite;
use mageyard_config::{AssignedSetting, Config, Origin, Problem, setting_kind};
use mageyard_dialog::History;
use mageyard_domain::{Digest, LimitsOfLevel};
use mageyard_engine::Head;
use mageyard_lab::{Lab, LabError, SelectedLevel};

/// Who has decided the steps before a state that was opened from a suite: a person can go on from there.
const AGENT: &str = "human";

/// The head of an episode that leads to a state.
pub(crate) fn suite_head(lab: &Lab, suite: &Suite, index: usize, config: &Config) -> Result<Head, LabError> {
    let Some(state) = suite.states.get(index) else {
        return Err(suite.problem(index, "there is no such state").into());
    };
    let spec = known_environment(lab, &suite.environment)?;
    let level = suite.level(state);
    let Some((own, level)) = level.and_then(|level| Some((level, level.to_level()?))) else {
        let problem = suite.problem(index, "its level has no text, so only its recording opens it");
        return Err(problem.with_help("copy the recorded session into the store").into());
    };
    let agent = AssignedSetting {
        name: "play.agent".to_owned(),
        value: AGENT.into(),
        origin: Origin::Flag("--agent".to_owned()),
    };
    let shipped = Config::shipped(config.folders().clone())?;
    let given = suite.settings.iter().chain(&state.settings).chain([&agent]);
    let config = shipped.with_assigned(given)?;
    let selected = SelectedLevel { spec, reference: own.reference.clone(), level, left_out: 0 };
    Ok(new_head(lab, &config, &selected, state.seed)?)
}

/// The settings of a recorded step that decide how its state looks and what is asked about it.
pub(super) fn settings_of(head: &Head) -> Vec<AssignedSetting> {
    let decided = decided_values(head).into_iter().map(|(name, value)| setting(name, value));
    let laid_out = laid_out_values(head).into_iter().filter_map(|(name, value)| changed(&name, value));
    decided.chain(laid_out).collect()
}

/// The settings that an episode always has, with their values at its start.
pub(crate) fn decided_values(head: &Head) -> Vec<(&'static str, Value)> {
    let mut values = vec![
        ("play.setting", serde_json::to_value(head.setting).unwrap_or_default()),
        ("play.reader", head.rules.name().into()),
        ("play.max_steps", head.max_steps.into()),
        ("memory.am", head.window.am().into()),
        ("memory.om", head.window.om().into()),
    ];
    if !head.prompt.is_empty() {
        values.push(("play.prompt", head.prompt.as_str().into()));
    }
    if head.layout.history == History::Code {
        values.push(("memory.history", "code".into()));
    }
    values
}

/// The values of the layout of requests and of the options of the environment, by the names of their settings; some of the
/// names may not be settings.
pub(crate) fn laid_out_values(head: &Head) -> Vec<(String, Value)> {
    let layout = serde_json::to_value(head.layout).unwrap_or_default();
    let names = [
        ("model", "system_role"),
        ("memory", "dropped_frame"),
        ("memory", "empty_reply"),
        ("memory", "stable_prefix"),
        ("memory", "thoughts"),
        ("memory", "plan_images"),
        ("memory", "feedback"),
        ("memory", "keep"),
    ];
    let of_layout = names.iter().filter_map(|(table, name)| Some((table, name, layout.get(*name)?.clone())));
    let of_layout = of_layout.map(|(table, name, value)| (format!("{table}.{name}"), value));
    let options = head.options.iter();
    let options = options.map(|(name, value)| (format!("{}.{name}", head.environment), value.clone()));
    of_layout.chain(options).collect()
}

/// A setting, unless it has its default or does not exist.
fn changed(name: &str, value: Value) -> Option<AssignedSetting> {
    setting_kind(name, &Origin::Default).ok()?;
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    (mageyard_config::setting_default(name) != text).then(|| setting(name, value))
}

fn setting(name: &str, value: impl Into<Value>) -> AssignedSetting {
    AssignedSetting { name: name.to_owned(), value: value.into(), origin: Origin::Default }
}

/// The digest of what a level is made of.
pub(super) fn level_digest(head: &Head) -> Digest {
    Digest::of(head.level.identity().as_bytes())
}

/// Whether two heads lead to the same states and requests; who began them and when is left out.
pub(super) fn is_same_start(one: &Head, other: &Head) -> bool {
    let plain = |head: &Head| Head {
        program: String::new(),
        started: 0,
        repeat: None,
        limits_of_level: LimitsOfLevel::default(),
        agent: other.agent.clone(),
        ..head.clone()
    };
    plain(one) == plain(other)
}

/// A setting of these that is wrong for a step is reported where it is written.
pub(super) fn problem_of(error: LabError) -> Problem {
    match error {
        LabError::Request(problem) | LabError::Mismatch(problem) | LabError::Failed(problem) => problem,
        other => Problem::new(other.to_string()),
    }
}
