//! How many levels a difference needs that was measured on some.

use super::number;
use super::paired::PairedDifference;
use super::repeats_needed::{MOST_LEVELS, fewest, visible_errors};

/// Of fewer levels none is ever called different.
const FEWEST_LEVELS: u32 = 6;

/// How many levels show a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LevelsNeeded {
    /// This many, each with as many repeats as were played.
    Levels(usize),
    /// More than any run can have.
    OutOfReach,
}

/// The fewest levels on which a true difference of this size is found with a probability of 0.8 by a two-sided test at the
/// level 0.05, with pairs that vary like these: the smallest N with (t(0.975) + t(0.8)) · s/√N ≤ `difference`, for N - 1
/// degrees of freedom. s is the standard error of the pairs, clustered by level, times the root of the number of their
/// levels, so repeats are as many as they were. At least six: with fewer nothing is called different. It is not corrected for a number of
/// comparisons.
///
/// `None` if the spread of the pairs says nothing: fewer than six levels differ, all differ by the same, or there is one level only.
pub fn levels_needed(difference: f64, paired: &PairedDifference) -> Option<LevelsNeeded> {
    paired.test.smallest_visible?;
    let levels = Some(paired.levels()).filter(|levels| *levels > 1)?;
    let error = paired.error.filter(|error| *error > 0.0)?;
    let spread = error * number(levels).sqrt();
    let shows = |levels: u32| {
        let errors = usize::try_from(levels).ok().and_then(visible_errors);
        errors.is_some_and(|errors| difference.abs() >= errors * spread / f64::from(levels).sqrt())
    };
    let found = fewest(FEWEST_LEVELS, MOST_LEVELS, shows).and_then(|levels| usize::try_from(levels).ok());
    Some(found.map_or(LevelsNeeded::OutOfReach, LevelsNeeded::Levels))
}
