//! The head of an episode: every setting it was started with, explicit or default.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use serde::{Deserialize, Serialize};

use crate::branch::Parent;
use crate::recorded_agent::RecordedAgent;
use crate::side::RecordedRoles;
use mageyard_dialog::{ReaderRules, RequestLayout};
use mageyard_domain::{
    Budget, Confirm, EpisodePolicy, Level, LevelSource, LimitsOfLevel, Options, Seconds, Setting, SideRole,
    TimeCounted, Window,
};

/// The version of the journal format.
pub const JOURNAL_FORMAT: u32 = 2;
/// The version of the journal of a branch, which an older program would take for a whole episode. A journal with a higher
/// version is refused.
pub const BRANCH_FORMAT: u32 = 3;

/// What an episode was started with. Together with the events it reproduces the episode.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Head {
    /// The program and its version, for people.
    pub program: String,
    /// When it was started: seconds since 1970-01-01 UTC.
    pub started: u64,
    /// The environment's name.
    pub environment: String,
    /// The level reference, such as `hanoi/first/7`.
    pub reference: String,
    /// The level's title, if it has one.
    pub title: Option<String>,
    /// The level's number in its file, from 1.
    pub number: usize,
    /// What the level is made of, so that the episode opens without its file.
    pub level: LevelSource,
    /// The environment's options.
    pub options: Options,
    /// The name of the engine that plays, if the environment has several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// The agent with its settings.
    #[serde(flatten)]
    pub agent: RecordedAgent,
    /// The random seed.
    pub seed: u64,
    /// The repetition of the level in its session, from 1; `None` in journals of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeat: Option<u32>,
    /// Global or Online.
    pub setting: Setting,
    /// The memory window at the start.
    pub window: Window,
    /// The prompt variant at the start.
    pub prompt: String,
    /// The layout of requests.
    pub layout: RequestLayout,
    /// A full copy of the reading rules, because their file may change.
    pub rules: ReaderRules,
    /// The step limit; with 0 the agent is never asked.
    pub max_steps: u32,
    /// The time limit in seconds, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_time: Option<Seconds>,
    /// Which of these two limits the level has of its own.
    #[serde(default, skip_serializing_if = "LimitsOfLevel::is_empty")]
    pub limits_of_level: LimitsOfLevel,
    /// The budget of tokens and money.
    #[serde(default, skip_serializing_if = "Budget::is_unlimited")]
    pub budget: Budget,
    /// The rules that the agent is held to, so that an episode is always judged as it was started.
    #[serde(default)]
    pub conduct: EpisodePolicy,
    /// Most seconds of the verdict of the environment, which judges the episode when it is over; `None` if it does not, so
    /// that rewards are the score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict_limit: Option<Seconds>,
    /// Who answers side requests, by role. A module of the agent that is not among them is off.
    #[serde(default, skip_serializing_if = "RecordedRoles::is_empty")]
    pub roles: RecordedRoles,
    /// What opening the environment destroys outside of it, a sentence each; a person must allow that first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allow: Vec<String>,
    /// Whether a person who plays sees the optimum, the score and distances before the end. Models see only frames
    /// (`MageBench`, supplement A.5), so such an episode is no baseline.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub solver_visible: bool,
    /// How many records of the level file were left out when the episode was planned, because they could not be played.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub left_out: usize,
    /// Where it leaves another episode, if it is a branch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<Box<Parent>>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// The program and its version, as heads name it.
const PROGRAM: &str = concat!("mageyard ", env!("CARGO_PKG_VERSION"));

impl Head {
    /// The head of an episode of this level, started at `started` (seconds since 1970-01-01 UTC). Everything else is
    /// the least: no options, no memory of frames, one step, no limits. The caller sets what it has settings for.
    pub fn new(
        environment: impl Into<String>,
        reference: impl Into<String>,
        level: Level,
        agent: RecordedAgent,
        rules: ReaderRules,
        started: u64,
    ) -> Self {
        Self {
            program: PROGRAM.to_owned(),
            started,
            environment: environment.into(),
            reference: reference.into(),
            title: level.title,
            number: level.number,
            level: level.source,
            options: Options::new(),
            engine: None,
            agent,
            seed: 0,
            repeat: None,
            setting: Setting::Online,
            window: Window::MINIMUM,
            prompt: String::new(),
            layout: RequestLayout::default(),
            rules,
            max_steps: 1,
            max_time: None,
            limits_of_level: LimitsOfLevel::default(),
            budget: Budget::default(),
            conduct: EpisodePolicy::default(),
            verdict_limit: None,
            roles: RecordedRoles::new(),
            allow: Vec::new(),
            solver_visible: false,
            left_out: 0,
            parent: None,
        }
    }

    /// The head of a new episode with everything that this one was started with.
    #[must_use]
    pub fn restarted(&self, started: u64) -> Self {
        Self { program: PROGRAM.to_owned(), started, parent: None, ..self.clone() }
    }

    /// The head of an episode of another level of the environment, with everything else that this one was started with.
    #[must_use]
    pub fn with_level(&self, reference: impl Into<String>, level: Level) -> Self {
        let Level { number, title, source } = level;
        Self { reference: reference.into(), title, number, level: source, ..self.clone() }
    }

    /// The head with this time limit, which counts the time that is played. Without a limit the head is as before there was a
    /// choice.
    #[must_use]
    pub fn limited_to(self, max_time: Option<Seconds>) -> Self {
        let time_counted = if max_time.is_some() { TimeCounted::Play } else { TimeCounted::default() };
        Self { max_time, conduct: EpisodePolicy { time_counted, ..self.conduct }, ..self }
    }

    /// The version of the journal that it begins.
    pub fn journal_format(&self) -> u32 {
        if self.parent.is_some() { BRANCH_FORMAT } else { JOURNAL_FORMAT }
    }

    /// What a person is needed for in an episode that has this head, as far as that is known before; `None` if for nothing.
    pub fn needs_person(&self) -> Option<String> {
        let of_person = self.roles.iter().find(|(_, recorded)| recorded.agent.is_person());
        match of_person {
            _ if !self.allow.is_empty() => Some("must be allowed to open by a person".to_owned()),
            _ if self.conduct.confirm == Confirm::Each => {
                Some("has each action confirmed by a person".to_owned())
            }
            Some((SideRole::Person, _)) => Some("asks a person".to_owned()),
            Some((role, _)) => Some(format!("has a person as its {role}")),
            None => None,
        }
    }

    /// The model's name at its server; `None` for an agent without a model.
    pub fn model(&self) -> Option<&str> {
        self.agent.model.as_deref()
    }

    /// The name of the model that answers for a role; `None` if none does.
    pub fn model_of(&self, role: SideRole) -> Option<&str> {
        self.roles.get(&role)?.agent.model.as_deref()
    }

    /// The level of the episode.
    pub fn to_level(&self) -> Level {
        Level { number: self.number, title: self.title.clone(), source: self.level.clone() }
    }
}
