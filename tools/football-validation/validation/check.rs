//! A check of the protocol: what was measured, what is accepted, and the verdict.

use serde::Serialize;

/// One check.
#[derive(Clone, PartialEq, Debug)]
pub struct Check {
    /// Its part of the protocol.
    pub level: Level,
    /// What is compared.
    pub name: String,
    /// What was measured; none where nothing could be measured, which fails.
    pub value: Option<f64>,
    /// The same in the recordings, where it is not a difference.
    pub recorded: Option<f64>,
    /// Which values pass.
    pub accepts: Accepts,
    /// How many values the measure is made of.
    pub samples: usize,
    /// Where the worst case is, or why nothing was measured.
    pub note: String,
}

/// The parts of the protocol.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Ball, speeds, turns, passes, shots.
    Physics,
    /// Rewards, ends, skipping.
    Rules,
    /// Baselines, duels, distributions.
    Behaviour,
}

impl Level {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Physics => "physics",
            Self::Rules => "rules",
            Self::Behaviour => "behaviour",
        }
    }
}

/// Which values pass, bounds included.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Accepts {
    /// At most this.
    Most(f64),
    /// At least this.
    Least(f64),
    /// Between these.
    Between(f64, f64),
}

impl Accepts {
    /// Within a share of a value, or within a distance where that is wider.
    pub(super) fn around(value: f64, share: f64, distance: f64) -> Self {
        let width = (share * value.abs()).max(distance);
        Self::Between(value - width, value + width)
    }

    /// The lower and the upper bound.
    pub fn bounds(self) -> [Option<f64>; 2] {
        match self {
            Self::Most(high) => [None, Some(high)],
            Self::Least(low) => [Some(low), None],
            Self::Between(low, high) => [Some(low), Some(high)],
        }
    }
}

impl Check {
    /// A check without note and recorded value.
    pub(super) fn new(level: Level, name: impl Into<String>, value: Option<f64>, accepts: Accepts) -> Self {
        Self { level, name: name.into(), value, recorded: None, accepts, samples: 0, note: String::new() }
    }

    pub(super) fn samples(self, samples: usize) -> Self {
        Self { samples, ..self }
    }

    pub(super) fn recorded(self, recorded: Option<f64>) -> Self {
        Self { recorded, ..self }
    }

    pub(super) fn note(self, note: impl Into<String>) -> Self {
        Self { note: note.into(), ..self }
    }

    /// Whether it passes.
    pub fn passes(&self) -> bool {
        let [low, high] = self.accepts.bounds();
        self.value
            .is_some_and(|value| low.is_none_or(|low| value >= low) && high.is_none_or(|high| value <= high))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_pass_and_an_unmeasured_value_does_not() {
        let passes = |value, accepts| Check::new(Level::Rules, "a", value, accepts).passes();
        assert!(passes(Some(1.0), Accepts::Most(1.0)) && !passes(Some(1.1), Accepts::Most(1.0)));
        assert!(passes(Some(1.0), Accepts::Least(1.0)) && !passes(Some(0.9), Accepts::Least(1.0)));
        assert!(passes(Some(8.0), Accepts::around(10.0, 0.1, 2.0)));
        assert!(!passes(Some(f64::NAN), Accepts::Most(1.0)) && !passes(None, Accepts::Least(0.0)));
    }
}
