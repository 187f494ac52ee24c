//! What the side requests of a role came to, over the episodes of a group.

use std::collections::BTreeMap;

use mageyard_domain::{Amount, Cost, Prices, TokenTotals};
use mageyard_engine::RoleTotals;

/// Sums over the episodes of a group.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RoleStats {
    /// Side requests; the tries of one count once.
    pub requests: usize,
    /// Replies, those that could not be read included.
    pub replies: u64,
    /// Answers that were used again.
    pub reused: usize,
    /// Replies that could not be read.
    pub unread: usize,
    /// Their tokens.
    pub spent: TokenTotals,
    /// Their cost by currency.
    pub costs: BTreeMap<String, Amount>,
    /// Requests whose cost is unknown.
    pub unknown_requests: usize,
}

impl RoleStats {
    /// Adds what an episode has.
    pub(super) fn add(&mut self, totals: &RoleTotals, prices: &Prices) {
        self.requests += totals.requests;
        self.replies += u64::from(totals.replies);
        self.reused += totals.reused;
        self.unread += totals.unread;
        self.spent = self.spent.plus(totals.spent);
        match totals.cost(prices) {
            Cost::NoRequests => {}
            Cost::Unknown => {
                self.unknown_requests += totals.spent.requests - totals.spent.unanswered.refused;
            }
            Cost::Known { amount, currency, unknown } => {
                self.unknown_requests += unknown;
                let sum = self.costs.entry(currency).or_default();
                *sum = sum.plus(amount);
            }
        }
    }
}
