//! The object `main_effect`: what one setting changes over all combinations of the others.

use schemars::JsonSchema;
use serde::Serialize;

use super::computed_fields::ends;
use crate::records::Record;
use mageyard_report::MainEffect;

/// What a value of a setting changes in the score, over all combinations of the other settings (`report`).
#[derive(Serialize, JsonSchema)]
pub(crate) struct MainEffectRecord<'a> {
    /// `AM`, `OM`, `prompt` or `model`.
    setting: &'static str,
    /// The value.
    value: &'a str,
    /// The value that it is compared with.
    compared_with: &'a str,
    /// Reference of the level set.
    level_set: &'a str,
    /// Combinations of the other settings that have both values.
    combinations: usize,
    /// Mean difference over the pairs of all of them.
    difference: Option<f64>,
    /// Its standard error, clustered by level.
    difference_se: Option<f64>,
    /// Its 95 % interval.
    interval: Option<[f64; 2]>,
    /// P value, two-sided: the signs of whole levels are flipped.
    p: f64,
    /// The same, corrected by Holm for all main effects.
    p_corrected: f64,
    /// `inside noise`, `different` or `too few pairs`, by the corrected value.
    verdict: &'static str,
    /// The smallest difference that is found with a probability of 0.8.
    smallest_visible: Option<f64>,
    /// Number of pairs.
    pairs: usize,
}

impl Record for MainEffectRecord<'_> {
    const TYPE: &'static str = "main_effect";
}

impl<'a> From<&'a MainEffect> for MainEffectRecord<'a> {
    fn from(effect: &'a MainEffect) -> Self {
        let paired = &effect.paired;
        Self {
            setting: effect.setting,
            value: &effect.value,
            compared_with: &effect.base,
            level_set: &effect.level_set,
            combinations: effect.combinations,
            difference: paired.mean,
            difference_se: paired.error,
            interval: paired.interval.map(ends),
            p: paired.p,
            p_corrected: effect.corrected,
            verdict: paired.verdict_with(effect.corrected).text(),
            smallest_visible: paired.smallest_visible(),
            pairs: paired.pairs.len(),
        }
    }
}
