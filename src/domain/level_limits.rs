//! Limits of steps and time that a level has of its own.

use serde::{Deserialize, Serialize};

use super::Seconds;

/// The largest step limit.
const MOST_STEPS: u32 = 1_000_000;
/// The smallest and the largest time limit, in seconds.
const TIMES: (f64, f64) = (0.001, 31_536_000.0);

/// The limits that the file of a level says. A setting that is given replaces them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LevelLimits {
    /// The most steps of an episode; with 0 the agent is never asked.
    pub steps: Option<u32>,
    /// The most time of an episode.
    pub time: Option<Seconds>,
}

impl LevelLimits {
    /// No limit.
    pub const NONE: Self = Self { steps: None, time: None };

    /// Reads a step limit: a whole number, 0 included. An error says what is allowed.
    pub fn read_steps(text: &str) -> Result<u32, String> {
        let steps = text.trim().parse().ok().filter(|steps| *steps <= MOST_STEPS);
        steps.ok_or_else(|| {
            format!("{text:?} is not a step limit; allowed is a whole number from 0 to {MOST_STEPS}")
        })
    }

    /// Reads a time limit in seconds. An error says what is allowed.
    pub fn read_time(text: &str) -> Result<Seconds, String> {
        let (least, most) = TIMES;
        let seconds = text.trim().parse().ok().filter(|seconds| (least..=most).contains(seconds));
        seconds.and_then(|seconds| Seconds::try_from(seconds).ok()).ok_or_else(|| {
            format!("{text:?} is not a time limit; allowed is a number of seconds from {least} to {most}")
        })
    }
}

/// Which limits of an episode are those of its level. The others are settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LimitsOfLevel {
    /// The step limit.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub steps: bool,
    /// The time limit.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub time: bool,
}

impl LimitsOfLevel {
    /// Whether all limits are settings.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Their names: `steps`, `time`.
    pub fn names(self) -> Vec<&'static str> {
        [("steps", self.steps), ("time", self.time)]
            .into_iter()
            .filter_map(|(name, is_own)| is_own.then_some(name))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_numbers_in_their_range() {
        for (text, steps) in
            [("0", Some(0)), (" 30 ", Some(30)), ("-1", None), ("1000001", None), ("x", None)]
        {
            assert_eq!(LevelLimits::read_steps(text).ok(), steps, "{text}");
        }
        for (text, time) in
            [("30", Some(30.0)), ("0.5", Some(0.5)), ("0", None), ("inf", None), ("NaN", None)]
        {
            let seconds = LevelLimits::read_time(text).ok().map(|time| time.duration().as_secs_f64());
            assert_eq!(seconds, time, "{text}");
        }
        let error = LevelLimits::read_steps("many").unwrap_err();
        assert_eq!(error, "\"many\" is not a step limit; allowed is a whole number from 0 to 1000000");
    }

    #[test]
    fn only_limits_of_the_level_are_stored() {
        let both = LimitsOfLevel { steps: true, time: true };
        assert_eq!(serde_json::to_string(&both).unwrap(), r#"{"steps":true,"time":true}"#);
        assert_eq!((both.names(), LimitsOfLevel::default().is_empty()), (vec!["steps", "time"], true));
        assert_eq!(serde_json::from_str::<LimitsOfLevel>("{}").unwrap(), LimitsOfLevel::default());
    }
}
