//! What the continuations of a variant led to.

use std::collections::BTreeMap;

use super::plan::ContinuationPlan;
use super::stored::StoredContinuation;
use crate::VariantComparison;
use crate::ask::comparisons;
use mageyard_domain::{Cost, ModelTotals, TokenTotals};
use mageyard_engine::EpisodeSummary;
use mageyard_statistics::{Interval, LevelSample, Repeat, Share, mean, mean_interval};

/// A row of the table of continuations.
#[derive(Clone, Debug)]
pub struct ContinuationRow {
    /// Those that are over.
    pub over: usize,
    /// Those that are not.
    pub unfinished: usize,
    /// The share that reached the goal, of those that are over.
    pub won: Share,
    /// The mean score with its interval, if the environment has one.
    pub score: Option<(f64, Option<Interval>)>,
    /// The mean number of steps that were played after the branch began.
    pub steps: Option<(f64, Option<Interval>)>,
    /// How many ended in which way.
    pub endings: BTreeMap<String, usize>,
    /// The tokens of their own requests.
    pub spent: TokenTotals,
    /// The cost of these.
    pub cost: Cost,
}

impl ContinuationPlan {
    /// A row for each variant, in their order.
    pub fn rows(&self, stored: &[StoredContinuation]) -> Vec<ContinuationRow> {
        let own = |index: usize| stored.iter().filter(move |other| other.variant == index);
        (0..self.variants.len()).map(|index| self.row(index, &own(index).collect::<Vec<_>>())).collect()
    }

    /// The steps of a branch after it began.
    pub fn own_steps(&self, summary: &EpisodeSummary) -> u32 {
        summary.steps.saturating_sub(self.request.step.saturating_sub(1))
    }

    /// The tokens of a branch's own requests.
    pub fn own_tokens(&self, summary: &EpisodeSummary) -> TokenTotals {
        summary.spent.since(self.before)
    }

    /// The same by model, where this one decides.
    fn own_models(&self, model: Option<&str>, summary: &EpisodeSummary) -> Vec<ModelTotals> {
        let mut models = Vec::new();
        let mut decisions = self.own_tokens(summary);
        for (role, totals) in &summary.roles {
            let before = self.roles_before.get(role).map(|before| before.spent).unwrap_or_default();
            let spent = totals.spent.since(before);
            decisions = decisions.since(spent);
            ModelTotals::add(&mut models, totals.model.as_deref(), spent);
        }
        ModelTotals::add(&mut models, model, decisions);
        models
    }

    /// All pairs of variants by the share that reached the goal, the surest first.
    pub fn comparisons(rows: &[ContinuationRow]) -> Vec<VariantComparison> {
        comparisons(rows.iter().map(|row| Some(row.won)), false)
    }

    fn row(&self, variant: usize, stored: &[&StoredContinuation]) -> ContinuationRow {
        let over: Vec<&EpisodeSummary> = stored.iter().filter_map(|one| one.summary.as_ref()).collect();
        let known = stored.iter().filter(|one| one.is_over()).count();
        let won = over.iter().filter(|summary| summary.is_solved()).count();
        let scores: Vec<f64> = over.iter().filter_map(|summary| summary.score).collect();
        let steps = over.iter().map(|summary| f64::from(self.own_steps(summary))).collect();
        let spent = over
            .iter()
            .map(|summary| self.own_tokens(summary))
            .fold(TokenTotals::default(), TokenTotals::plus);
        let played = self.variants.get(variant);
        let model = played.and_then(|variant| variant.model.as_deref());
        let models: Vec<_> = over.iter().flat_map(|summary| self.own_models(model, summary)).collect();
        let most = played.map(|variant| Interval { low: 0.0, high: f64::from(variant.steps_left) });
        ContinuationRow {
            over: known,
            unfinished: stored.len() - known,
            won: Share::of(won, known),
            score: (scores.len() == known).then(|| mean_with_interval(scores, self.score_range)).flatten(),
            steps: mean_with_interval(steps, most),
            endings: endings(stored),
            cost: self.prices.cost_of_models(&models),
            spent,
        }
    }
}

/// How many stopped in which way.
fn endings(stored: &[&StoredContinuation]) -> BTreeMap<String, usize> {
    let mut endings = BTreeMap::new();
    for one in stored.iter().filter(|one| one.is_over()) {
        let ending = one.summary.as_ref().and_then(|summary| summary.ending);
        *endings.entry(ending.map_or("no action".to_owned(), |ending| ending.to_string())).or_default() += 1;
    }
    endings
}

fn mean_with_interval(values: Vec<f64>, range: Option<Interval>) -> Option<(f64, Option<Interval>)> {
    let mean = mean(values.iter().copied())?;
    let samples: Vec<LevelSample> = values.into_iter().map(independent).collect();
    Some((mean, mean_interval(&samples, range)))
}

/// A value of its own.
fn independent(value: f64) -> LevelSample {
    LevelSample { level: String::new(), repeat: Repeat::default(), value }
}
