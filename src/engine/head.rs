//! The head of an episode: every setting it was started with, explicit or default.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use serde::Deserialize;
use serde::Serialize;

use crate::dialog::ReaderRules;
use crate::dialog::RequestLayout;
use crate::domain::Budget;
use crate::domain::EpisodePolicy;
use crate::domain::Level;
use crate::domain::LevelSource;
use crate::domain::Options;
use crate::domain::Seconds;
use crate::domain::Setting;
use crate::domain::Window;

/// The version of the journal format. A journal with a higher version is refused.
pub const JOURNAL_FORMAT: u32 = 1;

/// What an episode was started with. Together with the events it reproduces the episode.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Head {
    /// The program and its version, for people.
    pub program: String,
    /// When it was started: seconds since 1970-01-01 UTC.
    pub started: u64,
    /// The environment's name.
    pub environment: String,
    /// The level reference, such as `sokoban/mini/7`.
    pub reference: String,
    /// The level's title, if it has one.
    pub title: Option<String>,
    /// The level's number in its file, from 1.
    pub number: usize,
    /// What the level is made of, so that the episode opens without its file.
    pub level: LevelSource,
    /// The environment's options.
    pub options: Options,
    /// The agent's name.
    pub agent: String,
    /// The agent's options, if it has any.
    #[serde(default, skip_serializing_if = "Options::is_empty")]
    pub seated: Options,
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
    /// The step limit, at least 1.
    pub max_steps: u32,
    /// The time limit in seconds, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_time: Option<Seconds>,
    /// The budget of tokens and money.
    #[serde(default, skip_serializing_if = "Budget::is_unlimited")]
    pub budget: Budget,
    /// The rules that the agent is held to, so that an episode is always judged as it was started.
    #[serde(default)]
    pub conduct: EpisodePolicy,
}

/// The agent option that names the recording to replay.
pub const REPLAY_SOURCE: &str = "from";

impl Head {
    /// Whether the agent replays a recording: it composes requests but sends none.
    pub fn is_replay(&self) -> bool {
        self.seated.contains_key(REPLAY_SOURCE)
    }

    /// The model's name at its server; `None` for an agent without a model.
    pub fn model(&self) -> Option<&str> {
        self.seated.get("name")?.as_str()
    }

    /// The level of the episode.
    pub fn to_level(&self) -> Level {
        Level { number: self.number, title: self.title.clone(), source: self.level.clone() }
    }
}
