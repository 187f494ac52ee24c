//! What the versions of a prompt were answered on the pinned states.

use std::collections::BTreeMap;

use super::better::VersionComparison;
use crate::{AskCall, JudgedState, Measure, Variant};
use mageyard_config::Problem;
use mageyard_domain::{Cost, ModelTotals, Prices, TokenTotals};
use mageyard_statistics::{LevelSample, Repeat};

/// A version with what it sends in each state.
#[derive(Clone, Debug)]
pub struct AskedVersion {
    /// Its number, from 1.
    pub number: u32,
    /// For each state what it sends, or why that is not possible; `None` while it is not known.
    pub variants: Vec<Option<Result<Variant, Problem>>>,
}

/// What versions were answered, the oldest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VersionTable {
    /// A row for each version.
    pub rows: Vec<VersionRow>,
    /// The newest version that has replies compared with the one before.
    pub comparison: Option<VersionComparison>,
}

/// What a version was answered.
#[derive(Clone, Debug, PartialEq)]
pub struct VersionRow {
    /// The number of the version.
    pub number: u32,
    /// The replies in each state.
    pub cells: Vec<VersionCell>,
    /// The accepted replies and those that can be judged.
    pub accepted: (usize, usize),
    /// What all replies cost when they were made.
    pub cost: Cost,
}

/// The replies of a version in a state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VersionCell {
    /// The actions with their number, the most frequent first; `None` for replies that cannot be read.
    pub answers: Vec<(Option<String>, usize)>,
    /// The replies.
    pub replies: usize,
    /// The accepted ones; `None` if that cannot be judged, or is not judged yet.
    pub accepted: Option<usize>,
    /// What they cost when they were made; `None` without a model.
    pub cost: Option<Cost>,
    /// Why the version sends nothing in this state.
    pub refused: Option<String>,
}

impl VersionRow {
    /// The number of replies.
    pub fn replies(&self) -> usize {
        self.cells.iter().map(|cell| cell.replies).sum()
    }
}

impl VersionTable {
    /// The table of these versions with the calls of each in each state, and the states that are judged.
    pub(super) fn of(
        versions: &[AskedVersion],
        calls: &[Vec<Option<Vec<AskCall>>>],
        judged: &[Option<JudgedState>],
        prices: &Prices,
    ) -> Self {
        let rows: Vec<VersionRow> =
            versions.iter().zip(calls).map(|(version, calls)| row(version, calls, judged, prices)).collect();
        let asked: Vec<usize> = (0..rows.len()).filter(|index| rows[*index].replies() > 0).collect();
        let comparison = match asked.as_slice() {
            [.., older, newer] => {
                let samples = |index: usize| samples(&calls[index], judged);
                let numbers = (rows[*older].number, rows[*newer].number);
                VersionComparison::of(numbers, &samples(*older), &samples(*newer))
            }
            _ => None,
        };
        Self { rows, comparison }
    }
}

fn row(
    version: &AskedVersion,
    calls: &[Option<Vec<AskCall>>],
    judged: &[Option<JudgedState>],
    prices: &Prices,
) -> VersionRow {
    let states = version.variants.iter().zip(calls).zip(judged);
    let answers: Vec<VersionCell> = states
        .map(|((variant, calls), judged)| cell(variant.as_ref(), calls.as_deref(), judged.as_ref(), prices))
        .collect();
    let spent: Vec<ModelTotals> = version.variants.iter().zip(calls).filter_map(spent).collect();
    let known = answers.iter().filter_map(|cell| Some((cell.accepted?, cell.replies)));
    VersionRow {
        number: version.number,
        accepted: known.fold((0, 0), |sum, (accepted, replies)| (sum.0 + accepted, sum.1 + replies)),
        cost: prices.cost_of_models(&spent),
        cells: answers,
    }
}

/// What the replies in a state took; `None` if nothing is sent there.
fn spent(
    (variant, calls): (&Option<Result<Variant, Problem>>, &Option<Vec<AskCall>>),
) -> Option<ModelTotals> {
    let variant = variant.as_ref()?.as_ref().ok()?;
    let spent = calls.iter().flatten().map(|call| call.spent).fold(TokenTotals::default(), TokenTotals::plus);
    Some(ModelTotals { model: Some(variant.model_name().to_owned()), spent })
}

fn cell(
    variant: Option<&Result<Variant, Problem>>,
    calls: Option<&[AskCall]>,
    judged: Option<&JudgedState>,
    prices: &Prices,
) -> VersionCell {
    let variant = match variant {
        None => return VersionCell::default(),
        Some(Err(why)) => return VersionCell { refused: Some(why.to_string()), ..VersionCell::default() },
        Some(Ok(variant)) => variant,
    };
    let calls = calls.unwrap_or_default();
    let mut counts: BTreeMap<Option<&str>, usize> = BTreeMap::new();
    for call in calls {
        *counts.entry(call.answer()).or_default() += 1;
    }
    let mut answers: Vec<(Option<String>, usize)> =
        counts.into_iter().map(|(answer, count)| (answer.map(str::to_owned), count)).collect();
    answers.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let accepted = judged.filter(|judged| judged.accepted.is_some()).map(|judged| {
        calls.iter().filter(|call| Measure::Accepted.is_met(judged, call.answer()) == Some(true)).count()
    });
    let spent = calls.iter().map(|call| call.spent).fold(TokenTotals::default(), TokenTotals::plus);
    let cost = Some(prices.cost(Some(variant.model_name()), spent));
    VersionCell { answers, replies: calls.len(), accepted, cost, refused: None }
}

/// A sample for each reply that can be judged: 1 if it is accepted. The level of a sample is its state.
fn samples(calls: &[Option<Vec<AskCall>>], judged: &[Option<JudgedState>]) -> Vec<LevelSample> {
    let states =
        calls.iter().zip(judged).filter_map(|(calls, judged)| Some((calls.as_ref()?, judged.as_ref()?)));
    let sample = |(calls, judged): (&Vec<AskCall>, &JudgedState)| {
        let of = |call: &AskCall| {
            let value = f64::from(u8::from(Measure::Accepted.is_met(judged, call.answer())?));
            let repeat = Repeat { number: call.sample, seed: 0 };
            Some(LevelSample { level: judged.number.to_string(), repeat, value })
        };
        calls.iter().filter_map(of).collect::<Vec<_>>()
    };
    states.flat_map(sample).collect()
}
