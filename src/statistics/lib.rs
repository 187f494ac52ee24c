//! Statistics of scores that are nested in levels: means with clustered standard errors, intervals that resample levels
//! first, paired differences, best-of-n curves, shares, and how many repeats a difference needs. Pure: the same samples
//! give the same numbers on every machine, in any order.
//!
//! Every function takes episodes as [`LevelSample`]s. Levels are drawn from a larger population, repeats from what may happen
//! on a level, so two episodes of a level are not two independent results. `docs/report.md` describes each number.
//!
//! It uses no other crate of this program and makes no tables. Start with [`mean_interval`], [`paired_difference`] and
//! [`DifferenceTest`].

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod answers_test;
mod best_cell;
mod best_of;
mod bounded;
mod comparison;
mod components;
mod distributions;
mod exact;
mod interval;
mod levels;
mod levels_needed;
mod margin;
mod mean;
mod paired;
mod rank_tests;
mod ratio;
mod repeats_needed;
mod resampling;
mod sequential;
mod shares;
mod sign_flip;
mod solved_repeats;
#[cfg(test)]
mod tests;
mod visible;

pub use self::answers_test::{AnswerCounts, AnswersTest, answers_test, disagreement_test};
pub use self::best_cell::{BEST_DRAWS, ProbabilityOfBest, probability_of_best};
pub use self::best_of::{BestOf, best_of};
pub use self::comparison::{Correction, Counted, DifferenceTest, Verdict, correct, probability, share};
pub use self::components::VarianceComponents;
pub use self::exact::{fisher_exact, holm};
pub use self::interval::{Interval, mean_interval};
pub use self::levels::{LevelSample, Repeat};
pub use self::levels_needed::{LevelsNeeded, levels_needed};
pub use self::margin::MarginVerdict;
pub use self::mean::{mean, sample_mean, standard_error};
pub use self::paired::{PairedDifference, paired_difference};
pub use self::rank_tests::{RankTest, RankedAnswers, RankedSet, rank_tests};
pub use self::ratio::{Ratio, RatioSample, ratio};
pub use self::repeats_needed::{RepeatsNeeded, Variation, repeats_needed};
pub use self::sequential::{
    ErrorSpending, Look, MarginBounds, MarginTest, conditional_power, further_pairs, predictive_power,
    sequential_looks, upper_tail,
};
pub use self::shares::{Share, share_interval, wilson_interval};
pub use self::sign_flip::sign_flip_test;
pub use self::solved_repeats::{PassHat, RepeatedLevels, SplitLevel, pass_hat};
pub use self::visible::{levels_that_show, samples_that_show, smallest_visible_share};

/// The level of all intervals and of "inside noise": 95 % of the intervals contain the true value, so that 5 % of the
/// differences between equal cells are found to be different.
pub const CONFIDENCE: f64 = 0.95;

/// A count as a number; counts beyond 2^32 do not occur in reports.
fn number(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::INFINITY, f64::from)
}
