//! The head of an episode: everything that was asked for and everything that was implied.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use serde::Deserialize;
use serde::Serialize;

use crate::dialog::ReaderRules;
use crate::dialog::RequestLayout;
use crate::domain::Budget;
use crate::domain::EpisodePolicy;
use crate::domain::Level;
use crate::domain::Options;
use crate::domain::Setting;
use crate::domain::Window;

/// The version of the journal's stored form. A journal with a higher one is refused, never guessed at.
pub const JOURNAL_FORMAT: u32 = 1;

/// What an episode was started with. Together with the events it repeats the episode.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Head {
    /// The program and its version, for people.
    pub program: String,
    /// When it was started: seconds since 1970-01-01 UTC.
    pub started: u64,
    /// The kind of environment.
    pub environment: String,
    /// The level as it was asked for, such as `sokoban/mini/7`.
    pub reference: String,
    /// The level's title, if it has one.
    pub title: Option<String>,
    /// The level's place in its file, from 1.
    pub number: usize,
    /// The level itself, so that the episode opens without its file.
    pub level: String,
    /// The environment's settings.
    pub options: Options,
    /// The agent in the seat.
    pub agent: String,
    /// The settings of the agent, for one that has any.
    #[serde(default, skip_serializing_if = "Options::is_empty")]
    pub seated: Options,
    /// The seed of everything random.
    pub seed: u64,
    /// Global or Online.
    pub setting: Setting,
    /// The memory window at the start.
    pub window: Window,
    /// The prompt variant at the start.
    pub prompt: String,
    /// How requests are laid out.
    pub layout: RequestLayout,
    /// The reading rules, whole, so that their file may change meanwhile.
    pub rules: ReaderRules,
    /// The most steps the episode may have, at least 1.
    pub max_steps: u32,
    /// The most seconds the episode may take, if there is a limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_time: Option<u64>,
    /// What it may take in tokens and money.
    #[serde(default, skip_serializing_if = "Budget::is_unlimited")]
    pub budget: Budget,
    /// What it holds its agent to, so that an episode is judged as it was begun.
    #[serde(default)]
    pub conduct: EpisodePolicy,
}

/// The setting of an agent that names the recording it speaks from.
pub const REPLAY_SOURCE: &str = "from";

impl Head {
    /// Whether the agent speaks from a recording: it makes requests, but sends none.
    pub fn is_replay(&self) -> bool {
        self.seated.contains_key(REPLAY_SOURCE)
    }

    /// The model in the seat, as its server spells it; `None` for an agent that asks none.
    pub fn model(&self) -> Option<&str> {
        self.seated.get("name")?.as_str()
    }

    /// The level that is played.
    pub fn to_level(&self) -> Level {
        Level { number: self.number, title: self.title.clone(), text: self.level.clone() }
    }
}
