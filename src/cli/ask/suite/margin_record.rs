//! The object `suite_margin`: a variant compared with a base by a margin.

use schemars::JsonSchema;
use serde::Serialize;

use crate::records::{Record, ends};
use mageyard_study::{Margin, MarginResult};

/// A variant compared with the base by a margin that was fixed before the calls (`ask SUITE --margin`).
#[derive(Serialize, JsonSchema)]
pub(crate) struct MarginRecord<'a> {
    /// Name of the suite.
    suite: &'a str,
    /// Share of accepted answers by which a variant may be worse.
    margin: f64,
    /// Number of the variant that is the base.
    base: usize,
    /// Number of the variant.
    variant: usize,
    /// Its share of accepted answers minus that of the base; null without states that both have replies to.
    difference: Option<f64>,
    /// Lower end of its 95 % interval, which is not corrected for the number of variants.
    low: Option<f64>,
    /// Upper end.
    high: Option<f64>,
    /// States that count.
    states: usize,
    /// `better`, `not_worse` (by more than the margin), `worse` or `undecided`.
    verdict: &'static str,
    /// Whether the margin is kept: it is better or not worse.
    met: bool,
}

impl Record for MarginRecord<'_> {
    const TYPE: &'static str = "suite_margin";
}

impl<'a> MarginRecord<'a> {
    pub(super) fn new(suite: &'a str, margin: &Margin, found: &MarginResult) -> Self {
        let (low, high) = ends(found.interval);
        Self {
            suite,
            margin: margin.size,
            base: found.base + 1,
            variant: found.variant + 1,
            difference: found.difference,
            low,
            high,
            states: found.states,
            verdict: found.verdict.name(),
            met: found.verdict.is_kept(),
        }
    }
}
