//! The limits of steps and time of a new episode: those of its level, unless a setting is given.

use mageyard_config::Config;
use mageyard_domain::{EnvironmentSpec, Level, LevelLimits, LimitsOfLevel, Seconds};
use mageyard_engine::Head;

/// The limits of an episode, and where they come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EpisodeLimits {
    /// The step limit.
    pub steps: u32,
    /// The time limit, if there is one.
    pub time: Option<Seconds>,
    /// Which of them the level has of its own.
    pub of_level: LimitsOfLevel,
}

impl EpisodeLimits {
    /// The limits of an episode of this level with the settings for its environment.
    pub fn of(config: &Config, spec: &dyn EnvironmentSpec, level: &Level) -> Self {
        let LevelLimits { steps, time } = (spec.capabilities().episodes.level_limits)(level);
        let steps = steps.filter(|_| !config.is_given("play.max_steps"));
        let time = time.filter(|_| !config.is_given("play.max_time"));
        let play = &config.settings().play;
        Self {
            steps: steps.unwrap_or(play.max_steps),
            time: time.or_else(|| play.max_time()),
            of_level: LimitsOfLevel { steps: steps.is_some(), time: time.is_some() },
        }
    }

    /// The head with these limits.
    pub(crate) fn limit(self, head: Head) -> Head {
        Head { max_steps: self.steps, limits_of_level: self.of_level, ..head }.limited_to(self.time)
    }
}
