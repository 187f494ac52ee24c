//! What the episodes say that are over.

use std::collections::BTreeMap;
use std::path::Path;

use mageyard_domain::{Amount, Cost, Prices};
use mageyard_engine::{EpisodeSummary, Store};
use mageyard_lab::Lab;
use mageyard_lab::recorded_episode;
use mageyard_sweep::SweepPlan;

/// An episode that is over.
#[derive(Clone, Debug)]
pub(super) struct PlayedEpisode {
    pub(super) score: Option<f64>,
    /// Input and output tokens.
    pub(super) tokens: u64,
    pub(super) requests: usize,
    pub(super) cost: Option<(Amount, String)>,
}

/// The episodes that are over, by the index of their cell.
pub(super) type Played = BTreeMap<usize, PlayedEpisode>;

/// Adds the episodes that have ended since then; those of cells that are there are not read again.
pub(super) fn read_played(lab: &Lab, plan: &SweepPlan, folder: &Path, prices: &Prices, played: &mut Played) {
    let store = Store::new(folder);
    for (index, cell) in plan.cells.iter().enumerate() {
        if played.contains_key(&index) {
            continue;
        }
        let journal = store.journal_path(&folder.join(&cell.name), 1);
        if !journal.is_file() {
            continue;
        }
        let recording = recorded_episode(lab, journal);
        let summary = recording.summary().filter(|summary| summary.ending.is_some());
        if let Some(summary) = summary {
            let model = recording.head().ok().and_then(|head| head.model().map(str::to_owned));
            played.insert(index, PlayedEpisode::of(&summary, model.as_deref(), prices));
        }
    }
}

impl PlayedEpisode {
    fn of(summary: &EpisodeSummary, model: Option<&str>, prices: &Prices) -> Self {
        let cost = prices.episode_cost(model, summary.spent, &summary.models);
        Self {
            score: summary.score,
            tokens: summary.spent.usage.total(),
            requests: summary.spent.requests,
            cost: match cost {
                Cost::Known { amount, currency, unknown: 0 } => Some((amount, currency)),
                _ => None,
            },
        }
    }
}

/// What several episodes took together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConfirmSpent {
    /// The number of episodes.
    pub episodes: usize,
    /// The number of requests.
    pub requests: usize,
    /// Input and output tokens.
    pub tokens: u64,
    /// The cost and its currency; `None` if it is unknown for an episode, or none was played.
    pub cost: Option<(Amount, String)>,
}

impl ConfirmSpent {
    pub(super) fn of<'a>(episodes: impl Iterator<Item = &'a PlayedEpisode>) -> Self {
        let mut sum = Self::default();
        for PlayedEpisode { tokens, requests, cost, .. } in episodes {
            let known = match (sum.cost.take(), cost) {
                (None, Some((amount, currency))) if sum.episodes == 0 => Some((*amount, currency.clone())),
                (Some((all, of)), Some((amount, currency))) if of == *currency => {
                    Some((all.plus(*amount), of))
                }
                _ => None,
            };
            sum = Self {
                episodes: sum.episodes + 1,
                requests: sum.requests + requests,
                tokens: sum.tokens.saturating_add(*tokens),
                cost: known,
            };
        }
        sum
    }

    /// Tokens for each episode; 0 for none.
    pub fn tokens_each(&self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "a mean to show and to order windows by")]
        each(self.tokens as f64, self.episodes)
    }

    /// The cost for each episode in units of its currency.
    pub fn cost_each(&self) -> Option<(f64, &str)> {
        let (amount, currency) = self.cost.as_ref()?;
        Some((each(amount.units(), self.episodes), currency))
    }
}

fn each(sum: f64, episodes: usize) -> f64 {
    u32::try_from(episodes.max(1)).map_or(0.0, |episodes| sum / f64::from(episodes))
}
