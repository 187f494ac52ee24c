//! What the counted episodes took: steps, time, tokens and money, per step and per solved level.

use std::collections::BTreeMap;

use mageyard_domain::{Cost, TokenTotals};
use mageyard_engine::EpisodeSummary;

/// The sums over finished episodes that no person changed.
#[derive(Clone, Debug, Default)]
pub struct Effort {
    steps: u64,
    solved: u64,
    milliseconds: u64,
    spent: TokenTotals,
    costs: BTreeMap<String, f64>,
    unknown_costs: bool,
}

/// A sum divided by the number of steps or of solved levels.
#[derive(Clone, Debug, PartialEq)]
pub struct Rates {
    /// The episode's own time in seconds, thinking included.
    pub seconds: f64,
    /// Input tokens; `None` if those of some request are unknown.
    pub tokens_in: Option<f64>,
    /// Output tokens.
    pub tokens_out: Option<f64>,
    /// By currency; `None` if a part is unknown, empty if there was no request.
    pub costs: Option<BTreeMap<String, f64>>,
}

impl Effort {
    /// Adds an episode with its cost.
    pub(super) fn add(&mut self, summary: &EpisodeSummary, cost: &Cost) {
        self.steps += u64::from(summary.steps);
        self.solved += u64::from(summary.is_solved());
        self.milliseconds = self.milliseconds.saturating_add(summary.milliseconds);
        self.spent = self.spent.plus(summary.spent);
        match cost {
            Cost::NoRequests => {}
            Cost::Known { amount, currency, unknown: 0 } => {
                *self.costs.entry(currency.clone()).or_default() +=
                    amount.to_string().parse().unwrap_or(f64::NAN);
            }
            Cost::Known { .. } | Cost::Unknown => self.unknown_costs = true,
        }
    }

    /// Whether requests were sent.
    pub fn has_requests(&self) -> bool {
        self.spent.requests > 0
    }

    /// What a step took; `None` without steps.
    pub fn per_step(&self) -> Option<Rates> {
        self.rates(self.steps)
    }

    /// What all episodes took for each time that a level was solved; `None` if none was.
    pub fn per_solved_level(&self) -> Option<Rates> {
        self.rates(self.solved)
    }

    fn rates(&self, count: u64) -> Option<Rates> {
        let number = |value: u64| u32::try_from(value).map_or(f64::NAN, f64::from);
        let each = |value: f64| value / number(count);
        let tokens = |tokens: u64| (self.spent.unmetered == 0).then(|| each(large(tokens)));
        let costs = || self.costs.iter().map(|(currency, cost)| (currency.clone(), each(*cost))).collect();
        (count > 0).then(|| Rates {
            seconds: each(large(self.milliseconds) / 1000.0),
            tokens_in: tokens(self.spent.usage.input),
            tokens_out: tokens(self.spent.usage.output),
            costs: (!self.unknown_costs).then(costs),
        })
    }
}

/// A number that may be beyond 2^32, exact up to 2^53.
fn large(value: u64) -> f64 {
    let high = value >> 32;
    let low = value & u64::from(u32::MAX);
    let part = |part| u32::try_from(part).map_or(f64::NAN, f64::from);
    part(high) * 4_294_967_296.0 + part(low)
}
