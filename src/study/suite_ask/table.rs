//! The report of a suite: what share of each variant's answers has which property, and how sure the differences are. It is
//! made from what is stored.

use std::collections::BTreeSet;

use super::compare::{COMPARED, SuiteComparison, comparisons};
use super::measure::{MEASURES, Measure};
use super::state::JudgedState;
use super::states::{DifferingState, ordered_states};
use crate::{AskCall, Variant};
use mageyard_domain::{Cost, Prices, TokenTotals};
use mageyard_statistics::{LevelSample, Repeat, Share};

/// A share of the replies to the states in which it can be judged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeasuredShare {
    /// What was measured.
    pub measure: Measure,
    /// The states in which it can be judged.
    pub states: usize,
    /// How many replies have it. Its interval is for states like these; samples of one state are not taken for independent.
    pub share: Share,
}

/// What a variant has answered to all states.
#[derive(Clone, Debug)]
pub struct SuiteRow {
    /// The replies.
    pub replies: usize,
    /// The calls without a reply.
    pub failed: usize,
    /// The shares of all measures that can be judged somewhere.
    pub shares: Vec<MeasuredShare>,
    /// The share of accepted answers in each category.
    pub categories: Vec<(String, MeasuredShare)>,
    /// The tokens.
    pub spent: TokenTotals,
    /// Their cost.
    pub cost: Cost,
}

impl SuiteRow {
    /// The share of a measure, if it can be judged.
    pub fn share(&self, measure: Measure) -> Option<MeasuredShare> {
        self.shares.iter().copied().find(|share| share.measure == measure)
    }
}

/// The report of a suite.
#[derive(Clone, Debug)]
pub struct SuiteTable {
    /// A row for each variant.
    pub rows: Vec<SuiteRow>,
    /// All pairs of variants, the surest first.
    pub comparisons: Vec<SuiteComparison>,
    /// All states, those in which the variants differ most first.
    pub states: Vec<DifferingState>,
}

impl SuiteTable {
    /// The report of these states, the calls of each, and the variants that all have.
    pub fn of(
        states: &[JudgedState],
        calls: &[impl AsRef<[AskCall]>],
        variants: &[Variant],
        prices: &Prices,
    ) -> Self {
        let calls: Vec<&[AskCall]> = calls.iter().map(AsRef::as_ref).collect();
        let calls = calls.as_slice();
        let row =
            |(index, variant): (usize, &Variant)| row(states, calls, (index, variant.model_name()), prices);
        let compared: Vec<Vec<LevelSample>> =
            (0..variants.len()).map(|variant| samples(COMPARED, states, calls, variant, None)).collect();
        Self {
            rows: variants.iter().enumerate().map(row).collect(),
            comparisons: comparisons(&compared),
            states: ordered_states(states, calls, variants.len()),
        }
    }
}

fn row(
    states: &[JudgedState],
    calls: &[&[AskCall]],
    (variant, model): (usize, &str),
    prices: &Prices,
) -> SuiteRow {
    let own: Vec<&AskCall> = calls.iter().copied().flatten().filter(|call| call.variant == variant).collect();
    let replies = own.iter().filter(|call| call.reply.is_some()).count();
    let spent = own.iter().map(|call| call.spent).fold(TokenTotals::default(), TokenTotals::plus);
    let measured = |measure: Measure, category: Option<&str>| {
        measured(measure, &samples(measure, states, calls, variant, category))
    };
    let named: BTreeSet<&str> = states.iter().filter_map(|state| state.category.as_deref()).collect();
    let category = |name: &str| {
        Some((name.to_owned(), measured(COMPARED, Some(name)).filter(|found| found.share.of > 0)?))
    };
    SuiteRow {
        replies,
        failed: own.len() - replies,
        shares: MEASURES.iter().filter_map(|measure| measured(*measure, None)).collect(),
        categories: named.into_iter().filter_map(category).collect(),
        cost: prices.cost(Some(model), spent),
        spent,
    }
}

/// A sample for each reply of a variant to a state in which this can be judged: 1 if the answer has it.
fn samples(
    measure: Measure,
    states: &[JudgedState],
    calls: &[&[AskCall]],
    variant: usize,
    category: Option<&str>,
) -> Vec<LevelSample> {
    let is_wanted = |state: &JudgedState| category.is_none() || state.category.as_deref() == category;
    let judged = states.iter().zip(calls).filter(|(state, _)| is_wanted(state));
    let of = |(state, calls): (&JudgedState, &&[AskCall])| {
        let replies = calls.iter().filter(|call| call.variant == variant && call.reply.is_some());
        let sample = |call: &AskCall| {
            let value = f64::from(u8::from(measure.is_met(state, call.answer())?));
            let repeat = Repeat { number: call.sample, seed: 0 };
            Some(LevelSample { level: state.number.to_string(), repeat, value })
        };
        replies.filter_map(sample).collect::<Vec<_>>()
    };
    judged.flat_map(of).collect()
}

/// The share of samples; `None` if nothing can be judged.
fn measured(measure: Measure, samples: &[LevelSample]) -> Option<MeasuredShare> {
    let states: BTreeSet<&str> = samples.iter().map(|sample| sample.level.as_str()).collect();
    (!samples.is_empty()).then(|| MeasuredShare {
        measure,
        states: states.len(),
        share: Share::of_samples(samples),
    })
}
