//! What the requests of all episodes of a run have cost together, and the limits for it. Every billed request counts, also
//! those of episodes that failed, and those of earlier processes and of others that run now.

mod log;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use serde::{Deserialize, Serialize};

use self::log::{SpendingLog, SpentLine};
use crate::EpisodeId;

use mageyard_domain::{Amount, Cost, ModelTotals, Prices, TokenTotals, Usage, with_thousands};
use mageyard_engine::{Episode, EpisodeSummary};

/// The limits of a run. They are checked before each step, so what is under way may exceed them: a step in each episode
/// that is played at once, over all processes, and those that begin in the 50 ms for each process before it learns what
/// the others have spent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SpendingLimits {
    /// The maximum cost, in the currency of the prices.
    pub cost: Option<Amount>,
    /// The maximum of input and output tokens together.
    pub tokens: Option<u64>,
}

/// What a run has spent.
#[derive(Debug)]
pub struct Spending {
    limits: Mutex<SpendingLimits>,
    prices: Prices,
    state: Mutex<State>,
    /// What the other processes spend, if there may be others.
    others: OnceLock<Others>,
    /// Why what was spent earlier is not known completely.
    uncounted: OnceLock<String>,
}

#[derive(Debug, Default)]
struct State {
    ended: Spent,
    /// The episodes in `ended`.
    over: HashSet<String>,
    /// Episodes that are not over, with their requests so far.
    open: BTreeMap<String, EpisodeSpent>,
}

/// What the requests of an episode have spent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EpisodeSpent {
    /// The model of the head.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The tokens of all requests.
    #[serde(rename = "spent")]
    pub totals: TokenTotals,
    /// The tokens by model; empty if all were spent on that of the head.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<ModelTotals>,
}

impl EpisodeSpent {
    /// What an episode has spent so far.
    pub fn of(episode: &Episode) -> Self {
        let model = episode.head().model().map(str::to_owned);
        Self { model, totals: episode.spent_with_estimate(), models: episode.models() }
    }

    /// What an episode in which this model decides has spent, as its summary says.
    pub fn of_summary(model: Option<&str>, summary: &EpisodeSummary) -> Self {
        let totals = summary.spent_with_estimate();
        Self { model: model.map(str::to_owned), totals, models: summary.models.clone() }
    }
}

/// The other processes that run episodes of the same sessions.
#[derive(Debug)]
struct Others {
    log: SpendingLog,
    /// The sessions that count.
    sessions: HashSet<String>,
}

/// Sums over episodes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// The requests and their tokens.
    pub totals: TokenTotals,
    /// The known cost by currency.
    pub costs: BTreeMap<String, Amount>,
    /// The requests whose cost is unknown. They are never counted as free: limits count an estimate.
    pub unknown: usize,
    /// The estimated cost of those among them whose model has a price, by currency.
    pub estimates: BTreeMap<String, Amount>,
}

impl Spent {
    fn add(&mut self, prices: &Prices, spent: &EpisodeSpent) {
        let EpisodeSpent { model, totals, models } = spent;
        let totals = *totals;
        let model = model.as_deref();
        self.totals = self.totals.plus(totals);
        let price = model.and_then(|model| prices.find(model));
        if let (Some(price), Some(estimate)) = (price, totals.estimated) {
            let sum = self.estimates.entry(price.currency.clone()).or_default();
            *sum = sum.plus(price.cost_of(estimate));
        }
        match prices.episode_cost(model, totals, models) {
            Cost::NoRequests => {}
            Cost::Unknown => self.unknown += totals.requests - totals.unanswered.refused,
            Cost::Known { amount, currency, unknown } => {
                self.unknown += unknown;
                let sum = self.costs.entry(currency).or_default();
                *sum = sum.plus(amount);
            }
        }
    }
}

impl Spent {
    /// The tokens and the estimate of those that are unknown.
    fn tokens(&self) -> (u64, u64) {
        (self.totals.usage.total(), self.totals.estimated.map_or(0, Usage::total))
    }

    /// The known and the estimated cost in each currency.
    fn amounts(&self) -> impl Iterator<Item = (&String, Amount, Amount)> {
        let currencies: BTreeSet<&String> = self.costs.keys().chain(self.estimates.keys()).collect();
        let of =
            |amounts: &BTreeMap<String, Amount>, currency| amounts.get(currency).copied().unwrap_or_default();
        currencies
            .into_iter()
            .map(move |currency| (currency, of(&self.costs, currency), of(&self.estimates, currency)))
    }
}

impl Spending {
    /// Nothing spent yet.
    pub fn new(limits: SpendingLimits, prices: Prices) -> Self {
        let limits = Mutex::new(limits);
        Self { limits, prices, state: Mutex::default(), others: OnceLock::new(), uncounted: OnceLock::new() }
    }

    /// Counts what other processes spend on these sessions too, and tells them what this one does, in this folder.
    /// `process` is a name that no other process has.
    pub fn share(&self, folder: PathBuf, process: &str, sessions: HashSet<String>) -> io::Result<()> {
        let log = SpendingLog::open(folder, process)?;
        // It is shared once.
        let _ = self.others.set(Others { log, sessions });
        Ok(())
    }

    /// Whether there is any limit.
    pub fn has_limits(&self) -> bool {
        self.limits() != SpendingLimits::default()
    }

    /// The prices with which it counts.
    pub fn prices(&self) -> &Prices {
        &self.prices
    }

    /// Limits what is spent from now on by these numbers. What was spent before counts too.
    pub fn set_limits(&self, limits: SpendingLimits) {
        *self.limits.lock().unwrap_or_else(PoisonError::into_inner) = limits;
    }

    fn limits(&self) -> SpendingLimits {
        self.limits.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Says that an earlier episode cannot be counted, and why. No limit holds any more.
    pub fn note_uncounted(&self, why: String) {
        // The first reason is enough.
        let _ = self.uncounted.set(why);
    }

    /// Sets what an episode of this process has spent so far.
    pub fn update(&self, journal: &Path, spent: EpisodeSpent) {
        if spent.totals.requests > 0 {
            self.note_own(journal, spent, false);
        }
    }

    /// Counts an episode of this process that is over for good.
    pub fn end(&self, journal: &Path, spent: EpisodeSpent) {
        self.note_own(journal, spent, true);
    }

    /// Counts an episode that was recorded earlier, by any process.
    pub fn count(&self, journal: &Path, spent: EpisodeSpent, over: bool) {
        self.lock().note(SpentLine::of(journal, spent, over), &self.prices);
    }

    fn note_own(&self, journal: &Path, spent: EpisodeSpent, over: bool) {
        let line = SpentLine::of(journal, spent, over);
        // The next line of the episode has these numbers too.
        if let Some(Err(error)) = self.others.get().map(|others| others.log.append(&line)) {
            tracing::warn!(%error, "what this process has spent cannot be written for the others");
        }
        self.lock().note(line, &self.prices);
    }

    /// Counts what the other processes have spent since the last time.
    fn read_others(&self) -> io::Result<()> {
        let Some(others) = self.others.get() else { return Ok(()) };
        let lines = others.log.read_new()?;
        let mut state = self.lock();
        for line in lines.into_iter().filter(|line| others.sessions.contains(line.session())) {
            state.note(line, &self.prices);
        }
        Ok(())
    }

    /// What all episodes have spent.
    pub fn total(&self) -> Spent {
        if let Err(error) = self.read_others() {
            tracing::warn!(%error, "what other processes have spent cannot be read");
        }
        let state = self.lock();
        let mut spent = state.ended.clone();
        state.open.values().for_each(|open| spent.add(&self.prices, open));
        spent
    }

    /// What this total uses of each limit: what it limits, the used amount and the limit in words, and the used share, at most 1.
    pub fn used(&self, spent: &Spent) -> Vec<(&'static str, String, f64)> {
        let limits = self.limits();
        let (known, estimate) = spent.tokens();
        let tokens = limits.tokens.map(|most| {
            let used = known.saturating_add(estimate);
            #[expect(clippy::cast_precision_loss, reason = "a share to show")]
            let [used, most] = [used, most].map(|tokens| tokens as f64);
            let text = format!("{} of {}", with_thousands(used), with_thousands(most));
            ("tokens", text, (used / most.max(1.0)).min(1.0))
        });
        let cost = limits.cost.map(|most| {
            // The currency that is nearest to the limit, as that is the one that ends the run.
            let sums = spent.amounts().map(|(currency, known, estimate)| (known.plus(estimate), currency));
            let (used, currency) =
                sums.max().map_or((Amount::default(), ""), |(sum, currency)| (sum, currency));
            let text = format!("{} of {most} {currency}", used.rounded());
            ("cost", text.trim_end().to_owned(), used.share_of(most))
        });
        cost.into_iter().chain(tokens).collect()
    }

    /// The limit that is reached, as a sentence. A limit cannot hold if it is not known what other processes have spent.
    pub fn exhausted(&self) -> Option<String> {
        if !self.has_limits() {
            return None;
        }
        if let Err(error) = self.read_others() {
            return Some(format!(
                "what other processes have spent cannot be read, so no limit holds: {error}"
            ));
        }
        if let Some(why) = self.uncounted.get() {
            return Some(format!("what was spent earlier cannot be read, so no limit holds: {why}"));
        }
        let limits = self.limits();
        let spent = self.total();
        let (known, estimate) = spent.tokens();
        let tokens = known.saturating_add(estimate);
        if let Some(most) = limits.tokens.filter(|most| tokens >= *most) {
            let part = estimated_part(estimate > 0, &estimate);
            return Some(format!("the token limit is reached: {tokens} of {most} tokens{part}"));
        }
        let most = limits.cost?;
        let (currency, known, estimate) =
            spent.amounts().find(|(_, known, estimate)| known.plus(*estimate) >= most)?;
        let part = estimated_part(estimate > Amount::default(), &estimate);
        Some(format!("the cost limit is reached: {} of {most} {currency}{part}", known.plus(estimate)))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What part of a sum is an estimate, as text after it; empty if nothing is.
fn estimated_part(is_any: bool, estimate: &dyn Display) -> String {
    if is_any {
        format!(", of which {estimate} are an estimate for requests whose tokens are unknown")
    } else {
        String::new()
    }
}

impl State {
    /// Takes the totals of an episode, unless there are newer ones.
    fn note(&mut self, line: SpentLine, prices: &Prices) {
        let SpentLine { episode, spent, over } = line;
        let newer = |before: &EpisodeSpent| before.totals.requests > spent.totals.requests;
        if self.over.contains(&episode) || self.open.get(&episode).is_some_and(newer) {
            return;
        }
        if over {
            self.open.remove(&episode);
            self.ended.add(prices, &spent);
            self.over.insert(episode);
        } else {
            self.open.insert(episode, spent);
        }
    }
}

impl SpentLine {
    fn of(journal: &Path, spent: EpisodeSpent, over: bool) -> Self {
        let id = EpisodeId::of_journal(journal);
        let episode = format!("{}/{}", id.session_name(), id.number.unwrap_or_default());
        Self { episode, spent, over }
    }

    /// The name of its session.
    fn session(&self) -> &str {
        self.episode.rsplit_once('/').map_or("", |(session, _)| session)
    }
}
