//! Whether a version is better than the one before: the difference of their accepted answers on the same states, with its
//! interval, or how many more states it needs to be seen.

use std::fmt;

use mageyard_domain::count_noun;
use mageyard_statistics::{
    DifferenceTest, Interval, LevelSample, LevelsNeeded, PairedDifference, levels_needed, levels_that_show,
    paired_difference, probability,
};

/// The range of shares.
const SHARES: Option<Interval> = Some(Interval { low: 0.0, high: 1.0 });

/// A version compared with an older one, by a test that flips the signs of whole states.
#[derive(Clone, Debug, PartialEq)]
pub struct VersionComparison {
    /// The number of the older version.
    pub older: u32,
    /// The number of the newer version.
    pub newer: u32,
    /// The share of accepted answers of the newer one minus that of the older one.
    pub difference: f64,
    /// Its 95 % interval for states like these.
    pub interval: Option<Interval>,
    /// The states that count.
    pub states: usize,
    /// The p value of the test.
    pub p: f64,
    /// Whether the difference is more than chance.
    pub is_different: bool,
    /// How many more states are needed, if it is not.
    pub more: MoreStates,
}

/// How many states are missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoreStates {
    /// With so many more states such a difference is found with a probability of 0.8.
    Needed(usize),
    /// The spread of these states says nothing yet; with fewer more states no difference can be found.
    AtLeast(usize),
    /// More than any suite has.
    OutOfReach,
}

impl VersionComparison {
    /// Compares the samples of two versions, whose levels are states; `None` without a state that both have replies to.
    pub(super) fn of(
        (older, newer): (u32, u32),
        before: &[LevelSample],
        now: &[LevelSample],
    ) -> Option<Self> {
        let paired = paired_difference(now, before, SHARES);
        let difference = paired.mean?;
        // The test alone decides.
        let test = DifferenceTest { has_zero: false, ..paired.test };
        Some(Self {
            older,
            newer,
            difference,
            interval: paired.interval,
            states: paired.levels(),
            p: test.p,
            is_different: test.is_different(),
            more: more_states(difference, &paired),
        })
    }
}

/// As many states as differ at present have to be enough for the test, and as many as the spread of the pairs asks.
fn more_states(difference: f64, paired: &PairedDifference) -> MoreStates {
    let states = paired.levels();
    let least = (levels_that_show(1) * states).div_ceil(paired.differing.max(1)).saturating_sub(states);
    match levels_needed(difference, paired).filter(|_| difference != 0.0) {
        Some(LevelsNeeded::Levels(levels)) => {
            MoreStates::Needed(levels.saturating_sub(states).max(least).max(1))
        }
        Some(LevelsNeeded::OutOfReach) => MoreStates::OutOfReach,
        None => MoreStates::AtLeast(least.max(1)),
    }
}

/// `version 3 against 2: +20 points accepted (-31 to +71) in 5 states, p 0.5: not decided, at least 7 more states are needed`.
impl fmt::Display for VersionComparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { older, newer, difference, .. } = self;
        let ends =
            self.interval.map(|ends| format!(" ({:+.0} to {:+.0})", 100.0 * ends.low, 100.0 * ends.high));
        let states = count_noun(self.states, "state", "states");
        write!(
            f,
            "version {newer} against {older}: {:+.0} points accepted{} in {states}, p {}: ",
            100.0 * difference,
            ends.unwrap_or_default(),
            probability(self.p)
        )?;
        if self.is_different {
            return f.write_str(if *difference > 0.0 { "better" } else { "worse" });
        }
        let more = |count: usize| {
            if count == 1 {
                "1 more state is needed".to_owned()
            } else {
                format!("{count} more states are needed")
            }
        };
        match self.more {
            MoreStates::Needed(count) => write!(f, "not decided, about {}", more(count)),
            MoreStates::AtLeast(count) => write!(f, "not decided, at least {}", more(count)),
            MoreStates::OutOfReach => f.write_str("not decided, and no number of states would show it"),
        }
    }
}
