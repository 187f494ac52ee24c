//! The settings of the environment: the table `[football]`.

use std::time::Duration;

use serde_json::Value;

use super::pitch_view::{self, PitchView};
use crate::{EngineAction, Program, RewardRules, SkipRules};
use mageyard_domain::{OptionError, Options, VIEW_OPTION};
use mageyard_kit::{ChoiceOption, IntegerOption, refuse_unknown};

/// Which program plays the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Engine {
    /// Our simulator.
    #[default]
    Lite,
    /// The real engine that the user installed.
    Grf,
}

impl Engine {
    /// Its name in results.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Lite => "football/lite",
            Self::Grf => "football/grf",
        }
    }
}

/// Which actions are allowed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ActionSet {
    /// The 16 of the benchmark's agents.
    #[default]
    Agent,
    /// The 19 of the engine's default set.
    Default,
    /// All 33.
    Full,
}

/// Whether the frames have what is written beside the pitch, and lines of movement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Details {
    #[default]
    Shown,
    Minimal,
}

/// The settings of an episode.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Settings {
    pub(crate) engine: Engine,
    /// Where the real engine is, and how long it may take.
    pub(crate) program: Program,
    pub(crate) reward: RewardRules,
    pub(crate) skip: SkipRules,
    pub(crate) actions: ActionSet,
    pub(crate) view: PitchView,
    pub(crate) minimal: bool,
}

const ENGINE: ChoiceOption<Engine> =
    ChoiceOption { name: "engine", values: &[("lite", Engine::Lite), ("grf", Engine::Grf)] };
/// The Python interpreter of the real engine.
pub(crate) const PYTHON: &str = "python";
/// Seconds that the real engine may take for an answer.
pub(crate) const ENGINE_TIME: IntegerOption =
    IntegerOption { name: "engine_time", min: 1, max: 3600, default: 30 };
const REWARD: ChoiceOption<RewardRules> = ChoiceOption {
    name: "reward",
    values: &[("coded", RewardRules::Coded), ("printed", RewardRules::Printed)],
};
const SKIP: ChoiceOption<SkipRules> = ChoiceOption {
    name: "skip",
    values: &[("coded", SkipRules::Coded), ("printed", SkipRules::Printed), ("off", SkipRules::Off)],
};
/// The option that policies with further actions set.
pub(crate) const ACTIONS: &str = "actions";
/// Its value for all actions.
pub(crate) const FULL: &str = "full";
const ACTION_SETS: ChoiceOption<ActionSet> = ChoiceOption {
    name: ACTIONS,
    values: &[("agent", ActionSet::Agent), ("default", ActionSet::Default), (FULL, ActionSet::Full)],
};
const VIEW: ChoiceOption<PitchView> = ChoiceOption { name: VIEW_OPTION, values: pitch_view::NAMES };
/// The name of the view in recordings of earlier versions. One that is continued in another view has both; the view counts.
const FORMER_VIEW: ChoiceOption<PitchView> = ChoiceOption { name: "picture", values: pitch_view::NAMES };
const DETAILS: ChoiceOption<Details> =
    ChoiceOption { name: "details", values: &[("shown", Details::Shown), ("minimal", Details::Minimal)] };

/// The settings that only say where the real engine is and how long it may take, or name it: the name of the engine
/// says the same.
pub(crate) const LOCAL_SETTINGS: &[&str] = &[ENGINE.name, PYTHON, ENGINE_TIME.name];

impl Settings {
    /// Reads the settings; names the first one that is wrong.
    pub(crate) fn read(options: &Options) -> Result<Self, OptionError> {
        let known = [
            ENGINE.name,
            PYTHON,
            ENGINE_TIME.name,
            REWARD.name,
            SKIP.name,
            ACTIONS,
            VIEW.name,
            DETAILS.name,
            FORMER_VIEW.name,
        ];
        refuse_unknown(options, &known, "football")?;
        let engine = ENGINE.read(options)?;
        let view = if options.contains_key(VIEW.name) { VIEW } else { FORMER_VIEW };
        let (name, view) = (view.name, view.read(options)?);
        if (engine, view) == (Engine::Lite, PitchView::Engine) {
            let why =
                "\"engine\" needs football.engine = \"grf\": the simulator has no frames of the real engine";
            return Err(OptionError { name: name.into(), why: why.into() });
        }
        Ok(Self {
            engine,
            program: program(options)?,
            reward: REWARD.read(options)?,
            skip: SKIP.read(options)?,
            actions: ACTION_SETS.read(options)?,
            view,
            minimal: DETAILS.read(options)? == Details::Minimal,
        })
    }
}

/// The program of the real engine.
fn program(options: &Options) -> Result<Program, OptionError> {
    let limit = Duration::from_secs(ENGINE_TIME.read(options)?);
    match options.get(PYTHON) {
        None => Ok(Program { python: String::new(), limit }),
        Some(Value::String(python)) => Ok(Program { python: python.clone(), limit }),
        Some(other) => Err(OptionError { name: PYTHON.into(), why: format!("{other} is not a text") }),
    }
}

impl ActionSet {
    /// Its actions in the order of the prompt.
    pub(crate) fn actions(self) -> Vec<EngineAction> {
        let all = (0..).map_while(EngineAction::from_code);
        match self {
            Self::Agent => EngineAction::AGENT.to_vec(),
            Self::Default => all.take_while(|action| *action != EngineAction::BuiltinAi).collect(),
            Self::Full => all.collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn read(name: &str, value: &str) -> Result<Settings, String> {
        let options = Options::from([(name.to_owned(), Value::from(value))]);
        Settings::read(&options).map_err(|error| error.to_string())
    }

    #[test]
    fn the_settings_file_states_the_defaults() {
        let file: toml::Table = include_str!("../../../../config.toml").parse().unwrap();
        let table = file["football"].as_table().unwrap();
        let options: Options = serde_json::from_str(&serde_json::to_string(table).unwrap()).unwrap();
        assert_eq!(Settings::read(&options), Ok(Settings::default()));
        assert_eq!(table.len(), 8);
    }

    #[test]
    fn action_sets_are_those_of_the_engine_and_of_the_benchmark() {
        let count = |name: &str| read(ACTIONS, name).unwrap().actions.actions().len();
        assert_eq!([count("agent"), count("default"), count("full")], [16, 19, 33]);
    }

    #[test]
    fn recordings_of_earlier_versions_name_the_view_otherwise() {
        assert_eq!(read("picture", "broadcast").unwrap().view, PitchView::Broadcast);
        let both =
            [("picture", "broadcast"), ("view", "list")].map(|(name, value)| (name.into(), value.into()));
        assert_eq!(Settings::read(&Options::from(both)).unwrap().view, PitchView::List);
    }

    #[test]
    fn wrong_values_are_refused_by_name() {
        for (name, value, says) in [
            ("reward", "paper", "reward: \"paper\" is not one of coded, printed"),
            ("skip", "on", "skip: \"on\" is not one of coded, printed, off"),
            ("views", "board", "did you mean view?"),
            ("view", "braille", "view: \"braille\" is not one of board, broadcast, engine, list"),
            ("picture", "engine", "picture: \"engine\" needs football.engine = \"grf\""),
            ("view", "engine", "view: \"engine\" needs football.engine = \"grf\""),
        ] {
            let error = read(name, value).unwrap_err();
            assert!(error.contains(says), "{error}");
        }
    }
}
