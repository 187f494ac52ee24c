//! The object `report_comparison`: what the differences from one reference say together.

use schemars::JsonSchema;
use serde::Serialize;

use crate::records::Record;
use mageyard_report::{Comparison, ConditionFields};
use mageyard_statistics::{BEST_DRAWS, LevelsNeeded, Verdict};

/// What the differences of scores from one reference say together (`report`).
#[derive(Serialize, JsonSchema)]
pub(crate) struct ComparisonRecord {
    /// Settings of the reference.
    reference: ConditionFields,
    /// Objects that are compared with it.
    compared: usize,
    /// Those of them that differ.
    different: usize,
    /// Those inside noise.
    inside_noise: usize,
    /// Those with too few pairs.
    too_few_pairs: usize,
    /// How p values are corrected for the number of comparisons: `holm` or `none`.
    correction: &'static str,
    /// Difference of scores that is to be seen: that of `--difference`, or 5.
    points: f64,
    /// Levels that show it in each comparison with a probability of 0.8, with as many repeats as were played; null if unknown or
    /// above 100,000.
    levels_needed: Option<usize>,
    /// Whether more than 100,000 levels are needed.
    out_of_reach: bool,
    /// Levels that all of them have, on which the best is sought; null for fewer than two.
    common_levels: Option<usize>,
    /// Draws of levels behind the probabilities of being best.
    best_draws: u32,
    /// The same as a sentence.
    text: String,
}

impl Record for ComparisonRecord {
    const TYPE: &'static str = "report_comparison";
}

impl ComparisonRecord {
    pub(super) fn new(found: &Comparison, text: String) -> Self {
        let levels = match found.levels_needed {
            Some(LevelsNeeded::Levels(levels)) => Some(levels),
            Some(LevelsNeeded::OutOfReach) | None => None,
        };
        Self {
            reference: found.reference.fields(),
            compared: found.rows.len(),
            different: found.count(Verdict::Different),
            inside_noise: found.count(Verdict::InsideNoise),
            too_few_pairs: found.count(Verdict::TooFew),
            correction: found.correction.name(),
            points: found.points,
            levels_needed: levels,
            out_of_reach: found.levels_needed == Some(LevelsNeeded::OutOfReach),
            common_levels: found.common_levels,
            best_draws: BEST_DRAWS,
            text,
        }
    }
}
