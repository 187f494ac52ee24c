//! The settings as types. Names and defaults stand in the default file, ranges stand here.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::Deserializer;
use serde::de::Error;

use crate::dialog::DroppedFrame;
use crate::domain::Amount;
use crate::domain::EpisodePolicy;
use crate::domain::OnRepeating;
use crate::domain::OnUnreadable;
use crate::domain::Options;
use crate::domain::RepetitionThresholds;
use crate::domain::Setting;

/// All settings, merged and checked.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Settings {
    /// How an episode is played.
    pub play: PlaySettings,
    /// The memory window.
    pub memory: MemorySettings,
    /// How a model is asked.
    pub model: ModelSettings,
    /// How the screen looks and moves.
    pub screen: ScreenSettings,
    /// From when on errors have a name.
    pub faults: FaultSettings,
    /// What is written to the log file.
    pub log: LogSettings,
    /// Where sessions are kept.
    pub store: StoreSettings,
    /// One table an environment; the environments themselves judge the values.
    #[serde(flatten)]
    environments: BTreeMap<String, Options>,
}

impl Settings {
    /// The table of this environment; empty when it has none.
    pub fn options(&self, environment: &str) -> Options {
        self.environments.get(environment).cloned().unwrap_or_default()
    }

    /// What a new episode holds its agent to.
    pub fn episode_policy(&self) -> EpisodePolicy {
        let PlaySettings { on_unreadable, on_repeating, .. } = self.play;
        EpisodePolicy { on_unreadable, on_repeating, thresholds: self.faults.thresholds() }
    }
}

/// How an episode is played.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlaySettings {
    /// The level to open when none is named, as a reference.
    pub level: String,
    /// The agent's name; whether there is such an agent is for the caller to say.
    pub agent: String,
    /// The recording that the agent `replay` speaks from, as a store finds it; empty for none.
    pub from: String,
    /// Global or Online.
    pub setting: Setting,
    /// The prompt variant's name on the environment's shelf of prompts.
    pub prompt: String,
    /// The reading rules' name on the shelf of readers.
    pub reader: String,
    /// The seed of everything random.
    #[serde(deserialize_with = "whole::<_, _, 0, { i64::MAX }>")]
    pub seed: u64,
    /// The most steps, at least 1.
    #[serde(deserialize_with = "whole::<_, _, 1, 1_000_000>")]
    pub max_steps: u32,
    /// The most seconds; 0 for no limit.
    #[serde(deserialize_with = "whole::<_, _, 0, 31_536_000>")]
    max_time: u64,
    /// The most tokens; 0 for no limit.
    #[serde(deserialize_with = "whole::<_, _, 0, { i64::MAX }>")]
    max_tokens: u64,
    /// The most money, in the currency of the model's price; 0 for no limit.
    #[serde(deserialize_with = "money")]
    cost_limit: Amount,
    /// After the last unreadable attempt of a step.
    pub on_unreadable: OnUnreadable,
    /// At the repetition limit.
    pub on_repeating: OnRepeating,
}

impl PlaySettings {
    /// The most seconds an episode may take, if there is a limit.
    pub fn max_time(&self) -> Option<u64> {
        (self.max_time > 0).then_some(self.max_time)
    }
}

impl PlaySettings {
    /// The most tokens an episode may take, if there is a limit.
    pub fn max_tokens(&self) -> Option<u64> {
        (self.max_tokens > 0).then_some(self.max_tokens)
    }

    /// The most money an episode may take, if there is a limit.
    pub fn cost_limit(&self) -> Option<Amount> {
        (!self.cost_limit.is_zero()).then_some(self.cost_limit)
    }
}

/// The memory window, as two numbers that have not met yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MemorySettings {
    /// Action memory.
    #[serde(deserialize_with = "whole::<_, _, 0, 1_000>")]
    pub am: u16,
    /// Observation memory.
    #[serde(deserialize_with = "whole::<_, _, 1, 1_000>")]
    pub om: u16,
    /// What stands where a frame fell out of OM.
    pub dropped_frame: DroppedFrame,
}

/// How a model is asked.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct ModelSettings {
    /// Whether the model knows a system role; otherwise the system text opens the first user turn.
    pub system_role: bool,
    /// The rest of the table; the agent itself judges the values.
    #[serde(flatten)]
    pub options: Options,
}

/// How the screen looks and moves.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScreenSettings {
    /// The theme's name on the shelf of themes.
    pub theme: String,
    /// Milliseconds between two steps while the agent runs by itself.
    #[serde(deserialize_with = "whole::<_, _, 0, 60_000>")]
    pub pace: u64,
    /// How the frame is shown at first.
    pub frame: FrameDisplay,
    /// Whether the mouse is listened to.
    pub mouse: bool,
    /// Whether distances to the goal are searched.
    pub distance: bool,
    /// The most seconds of such a search; 0 for no limit.
    #[serde(deserialize_with = "whole::<_, _, 0, 86_400>")]
    pub distance_time: u64,
}

/// How a frame is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FrameDisplay {
    /// As a picture where the terminal has the colours for it, otherwise as text.
    Auto,
    /// In pixels.
    Picture,
    /// In letters.
    Text,
}

/// From how many repetitions on an episode counts as repeating (RA).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FaultSettings {
    /// The same action so many times in a row, each leaving the state as it was.
    #[serde(deserialize_with = "whole::<_, _, 2, 1_000_000>")]
    pub same_unchanged: usize,
    /// The same action so many times in a row, whatever it did.
    #[serde(deserialize_with = "whole::<_, _, 2, 1_000_000>")]
    pub same: usize,
}

impl FaultSettings {
    /// The same, as an episode is judged by them.
    pub fn thresholds(self) -> RepetitionThresholds {
        RepetitionThresholds { unchanged: self.same_unchanged, same: self.same }
    }
}

/// What is written to the log file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogSettings {
    /// The least grave event that is written.
    pub level: LogLevel,
}

/// How grave an event must be to be logged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names are those of every log")]
pub enum LogLevel {
    Off,
    Error,
    Warn,
    Info,
    Debug,
    Trace,
}

/// Where sessions are kept.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoreSettings {
    /// The folder as written; `Config::store` makes it absolute.
    pub(super) folder: String,
}

/// An amount as it was written: the shortest decimal that the number stands for.
fn money<'de, D: Deserializer<'de>>(from: D) -> Result<Amount, D::Error> {
    let number = f64::deserialize(from)?;
    Amount::parse(&number.to_string()).map_err(D::Error::custom)
}

/// A whole number within these bounds.
fn whole<'de, D, T, const LOW: i64, const HIGH: i64>(from: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: TryFrom<i64>,
{
    let number = i64::deserialize(from)?;
    let within = Some(number).filter(|number| (LOW..=HIGH).contains(number));
    within.and_then(|number| T::try_from(number).ok()).ok_or_else(|| match HIGH {
        i64::MAX => D::Error::custom(format!("{number} is out of range, the minimum is {LOW}")),
        high => D::Error::custom(format!("{number} is out of range, allowed is {LOW} to {high}")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::schema::Schema;

    #[test]
    fn the_default_episode_policy_equals_the_default_file() {
        let known = Schema::load().unwrap();
        let settings =
            known.to_settings(known.settings().iter().map(|setting| setting.default.clone())).unwrap();
        assert_eq!(settings.episode_policy(), EpisodePolicy::default());
    }
}
