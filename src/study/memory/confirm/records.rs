//! The comparison as JSON objects.

use schemars::JsonSchema;
use serde::Serialize;

use super::evaluation::{ConfirmVerdict, ConfirmedWindow};
use super::played::ConfirmSpent;
use super::study::MemoryConfirm;
use super::window::KeptWindow;
use crate::Study;

/// What a comparison of memory windows plays at most (`memory confirm`).
#[derive(Serialize, JsonSchema)]
pub struct ConfirmPlanRecord {
    /// Name of the sweep that has the episodes.
    sweep: String,
    /// Window that the others are compared with.
    reference: String,
    /// Windows that are compared.
    candidates: Vec<String>,
    /// Number of levels.
    levels: usize,
    /// Margin in points.
    margin: f64,
    /// One-sided error of all windows and looks together.
    alpha: f64,
    /// How it is spent: `obrien-fleming` or `pocock`.
    spending: &'static str,
    /// Looks with the error of a single candidate at the start.
    looks: Vec<PlannedLookFields>,
    /// Episodes of all looks.
    episodes: usize,
    /// Those that are there.
    played: usize,
    /// Most calls of all episodes.
    calls: u64,
}

/// When the pairs are evaluated.
#[derive(Serialize, JsonSchema)]
struct PlannedLookFields {
    /// Pairs of each candidate.
    pairs: u32,
    /// One-sided p value below which a candidate is confirmed; 0 if none is.
    nominal: f64,
}

impl ConfirmPlanRecord {
    /// The plan of this comparison.
    pub fn of(study: &MemoryConfirm) -> Self {
        let candidates: Vec<String> = study.windows.iter().skip(1).map(ToString::to_string).collect();
        let looks = study.design.boundaries(candidates.len());
        let looks = (1..).zip(looks).map(|(look, found)| PlannedLookFields {
            pairs: study.design.pairs_at(look),
            nominal: found.nominal,
        });
        let (played, episodes) = study.counts();
        Self {
            sweep: study.sweep().to_owned(),
            reference: study.reference().to_string(),
            candidates,
            levels: study.levels,
            margin: study.design.margin,
            alpha: study.design.alpha,
            spending: study.design.spending.name(),
            looks: looks.collect(),
            episodes,
            played,
            calls: study.needs.bounds.calls.highest,
        }
    }
}

/// A memory window compared with the reference (`memory confirm`).
#[derive(Serialize, JsonSchema)]
pub struct ConfirmedWindowRecord {
    /// The window.
    window: String,
    /// AM.
    am: u16,
    /// OM.
    om: u16,
    /// Keep rules; empty for none.
    keep: String,
    /// `not_worse` or `worse` by more than the margin, `futile` or `not_needed` if it was stopped, or `undecided`.
    verdict: &'static str,
    /// Look of the verdict, from 1; 0 before the first one.
    look: u32,
    /// Pairs of episodes with scores.
    pairs: usize,
    /// Their levels.
    levels: usize,
    /// Mean difference from the reference in points.
    difference: Option<f64>,
    /// Its repeated confidence interval; null if there is none at the look.
    interval: Option<[f64; 2]>,
    /// Further episodes that would probably decide; null if none are foreseen or needed.
    more_episodes: Option<u64>,
    /// Levels that are needed, if too few differ; null otherwise.
    levels_needed: Option<u32>,
    /// Tokens of an episode.
    tokens: f64,
    /// Tokens that an episode saves.
    tokens_saved: f64,
    /// Cost that an episode saves; null if it is unknown.
    cost_saved: Option<f64>,
    /// Its currency.
    currency: Option<String>,
}

impl ConfirmedWindowRecord {
    /// What is known of a candidate.
    pub fn of(window: KeptWindow, found: &ConfirmedWindow) -> Self {
        let (own, reference) = &found.spent;
        let cost = reference.cost_each().zip(own.cost_each()).filter(|((_, one), (_, other))| one == other);
        let (verdict, more_episodes, levels_needed) = verdict_fields(found.verdict);
        Self {
            window: window.to_string(),
            am: window.window.am(),
            om: window.window.om(),
            keep: window.keep.to_string(),
            verdict,
            look: found.look,
            pairs: found.pairs,
            levels: found.levels,
            difference: found.difference,
            interval: found.interval.map(|interval| [interval.low, interval.high]),
            more_episodes,
            levels_needed,
            tokens: own.tokens_each(),
            tokens_saved: reference.tokens_each() - own.tokens_each(),
            cost_saved: cost.map(|((before, _), (after, _))| before - after),
            currency: cost.map(|((_, currency), _)| currency.to_owned()),
        }
    }
}

fn verdict_fields(verdict: ConfirmVerdict) -> (&'static str, Option<u64>, Option<u32>) {
    match verdict {
        ConfirmVerdict::NotWorse => ("not_worse", None, None),
        ConfirmVerdict::Worse => ("worse", None, None),
        ConfirmVerdict::Futile => ("futile", None, None),
        ConfirmVerdict::NotNeeded => ("not_needed", None, None),
        ConfirmVerdict::Undecided(pairs) => ("undecided", pairs.map(|pairs| 2 * u64::from(pairs)), None),
        ConfirmVerdict::NeedsLevels(levels) => ("undecided", None, levels),
    }
}

/// What a comparison of memory windows found (`memory confirm`).
#[derive(Serialize, JsonSchema)]
pub struct ConfirmResultRecord {
    /// Smallest window that is confirmed; null for none.
    smallest: Option<String>,
    /// Whether the plan was changed after its first episodes, so that the error is not known.
    changed: bool,
    /// Episodes of the next look that are missing.
    missing: u64,
    /// Episodes that were played.
    episodes: usize,
    /// Their requests.
    requests: usize,
    /// Their tokens.
    tokens: u64,
    /// Their cost; null if it is unknown.
    cost: Option<String>,
    /// Its currency.
    currency: Option<String>,
}

impl ConfirmResultRecord {
    /// The result of this comparison.
    pub fn of(study: &MemoryConfirm) -> Self {
        let ConfirmSpent { episodes, requests, tokens, cost } = study.spent();
        let (cost, currency) = cost.map(|(amount, currency)| (amount.to_string(), currency)).unzip();
        let stored = study.stored_design();
        Self {
            smallest: study.smallest().map(|window| window.to_string()),
            changed: study.earlier.as_ref().is_some_and(|earlier| *earlier != stored),
            missing: study.left(),
            episodes,
            requests,
            tokens,
            cost,
            currency,
        }
    }
}
