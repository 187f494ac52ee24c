//! The fields of output that identify an episode: who played what, and with which settings. Every object about an
//! episode or a step has them, so that each line of a file can be attributed by itself.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::EpisodeId;
use mageyard_domain::{
    Amount, Confirm, OnCut, OnRepeating, OnReplyFailure, OnUnreadable, Options, Seconds, Setting,
    TimeChecked, UnknownUsage,
};
use mageyard_engine::{Head, Step, branch_name};

/// The title of a level, or its number if it has none.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum LevelName {
    /// The title.
    Title(String),
    /// The number, from 1.
    Number(usize),
}

/// Which episode an object is about.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct EpisodeIdentity {
    /// Name of the session.
    pub session: String,
    /// Path of the session.
    pub folder: PathBuf,
    /// Number in the session; null outside a session.
    pub episode: Option<u32>,
    /// Repetition of the level; null in old journals.
    pub repeat: Option<u32>,
    /// Name of the branch, such as `b1`; null for the episode itself.
    pub branch: Option<String>,
}

/// The settings of an episode; in an object about a step those of the step.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct EpisodeSettings {
    /// Name of the environment.
    pub environment: String,
    /// Title of the level, or its number.
    pub level: LevelName,
    /// Reference of the level.
    pub reference: String,
    /// Settings of the environment.
    pub options: Options,
    /// Name of the agent; in a step the one that decided.
    pub agent: String,
    /// Name of the model; null for other agents.
    pub model: Option<String>,
    /// Temperature of the model.
    #[schemars(with = "Option<f64>")]
    pub temperature: Option<Value>,
    /// Prompt variant; in a step that of its request.
    pub prompt: String,
    /// Reader rules with version, such as `strict/1`.
    pub reader: String,
    /// `online` or `global`.
    #[schemars(with = "String")]
    pub setting: Setting,
    /// Action memory.
    pub am: u16,
    /// Observation memory.
    pub om: u16,
    /// Random seed.
    pub seed: u64,
    /// Step limit.
    pub max_steps: u32,
    /// Time limit in seconds.
    #[schemars(with = "Option<f64>")]
    pub max_time: Option<Seconds>,
    /// Token limit.
    pub max_tokens: Option<u64>,
    /// Cost limit as a decimal.
    #[schemars(with = "Option<String>")]
    pub cost_limit: Option<Amount>,
    /// How unknown usage counts: `ignore` or `estimate`.
    #[schemars(with = "String")]
    pub unknown_usage: UnknownUsage,
    /// After a final parse error: `skip` or `end`.
    #[schemars(with = "String")]
    pub on_unreadable: OnUnreadable,
    /// At a repetition threshold: `go_on`, `end` or `refuse`.
    #[schemars(with = "String")]
    pub on_repeating: OnRepeating,
    /// After a truncated reply: `read`, `unreadable`, `end` or `stop`.
    #[schemars(with = "String")]
    pub on_cut: OnCut,
    /// After a refusal, a filter or a tool call: `unreadable`, `end` or `stop`.
    #[schemars(with = "String")]
    pub on_refusal: OnReplyFailure,
    /// Limits that the level has of its own: `steps`, `time`.
    pub limits_of_level: Vec<&'static str>,
    /// Attempts of a step.
    pub attempts: u32,
    /// When the time limit is checked: `always` or `between`.
    #[schemars(with = "String")]
    pub time_checked: TimeChecked,
    /// Actions that a person confirms: `never` or `each`.
    #[schemars(with = "String")]
    pub confirm: Confirm,
    /// Engine, such as `football/lite`, if there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub engine: Option<String>,
}

/// An episode and its settings.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct EpisodeFields {
    /// Which episode it is.
    #[serde(flatten)]
    pub identity: EpisodeIdentity,
    /// Its settings.
    #[serde(flatten)]
    pub settings: EpisodeSettings,
}

impl EpisodeFields {
    /// The fields of an episode.
    pub fn of(id: &EpisodeId, head: &Head) -> Self {
        let identity = EpisodeIdentity {
            session: id.session_name(),
            folder: id.session.clone(),
            episode: id.number,
            repeat: head.repeat,
            branch: id.branch.map(branch_name),
        };
        Self { identity, settings: EpisodeSettings::of(head) }
    }

    /// The fields of a step: those of its episode, with the agent, the prompt and the window of the step.
    pub fn of_step(id: &EpisodeId, head: &Head, step: &Step) -> Self {
        let Self { identity, settings } = Self::of(id, head);
        let version = step.attempts.iter().rev().find_map(|attempt| attempt.prompt_version.as_ref());
        let settings = EpisodeSettings {
            prompt: version.map_or(&head.prompt, |version| &version.prompt).clone(),
            am: step.window.am(),
            om: step.window.om(),
            agent: step.agent.name.clone(),
            model: step.agent.model.clone(),
            temperature: step.agent.options.get("temperature").cloned(),
            ..settings
        };
        Self { identity, settings }
    }
}

impl EpisodeSettings {
    /// The settings of an episode at its start.
    pub fn of(head: &Head) -> Self {
        let title = head.title.clone().map(LevelName::Title);
        Self {
            environment: head.environment.clone(),
            level: title.unwrap_or(LevelName::Number(head.number)),
            reference: head.reference.clone(),
            options: head.options.clone(),
            agent: head.agent.name.clone(),
            model: head.model().map(str::to_owned),
            temperature: head.agent.options.get("temperature").cloned(),
            prompt: head.prompt.clone(),
            reader: head.rules.to_string(),
            setting: head.setting,
            am: head.window.am(),
            om: head.window.om(),
            seed: head.seed,
            max_steps: head.max_steps,
            max_time: head.max_time,
            max_tokens: head.budget.tokens,
            cost_limit: head.budget.cost.as_ref().map(|(limit, _)| *limit),
            unknown_usage: head.budget.unknown,
            on_unreadable: head.conduct.on_unreadable,
            on_repeating: head.conduct.on_repeating,
            on_cut: head.conduct.on_cut,
            on_refusal: head.conduct.on_refusal,
            limits_of_level: head.limits_of_level.names(),
            attempts: head.conduct.attempts.count(),
            time_checked: head.conduct.time_checked,
            confirm: head.conduct.confirm,
            engine: head.engine.clone(),
        }
    }
}
