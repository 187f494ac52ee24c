//! Limits of tokens and cost for an episode.

use serde::{Deserialize, Serialize};

use super::Usage;
use super::money::Amount;
use super::price::Price;

/// The limits of tokens and cost. They are checked before each request, so the last request may exceed them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budget {
    /// The maximum of input and output tokens together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// The maximum cost, and the price used to compute it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<(Amount, Price)>,
    /// How requests whose tokens are unknown count.
    #[serde(default, skip_serializing_if = "UnknownUsage::is_ignored")]
    pub unknown: UnknownUsage,
}

/// How requests whose tokens are unknown count against a budget.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnknownUsage {
    /// Not at all.
    #[default]
    Ignore,
    /// With an estimate.
    Estimate,
}

impl UnknownUsage {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    fn is_ignored(&self) -> bool {
        *self == Self::Ignore
    }
}

impl Budget {
    /// Whether no limit is set.
    pub fn is_unlimited(&self) -> bool {
        self.tokens.is_none() && self.cost.is_none()
    }

    /// Whether a limit has been reached with these tokens.
    pub fn is_exhausted(&self, spent: Usage) -> bool {
        self.tokens.is_some_and(|most| spent.total() >= most)
            || self.cost.as_ref().is_some_and(|(most, price)| price.cost_of(spent) >= *most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rate;

    #[test]
    fn a_budget_is_exhausted_when_it_is_reached() {
        let spent = Usage { input: 100, output: 50, ..Usage::default() };
        let rate = |text| Rate::parse(text).unwrap();
        let price = Price {
            input: rate("10"),
            output: rate("20"),
            cached: None,
            cache_write: None,
            currency: "USD".into(),
        };
        let budget = |tokens, cost: Option<&str>| Budget {
            tokens,
            cost: cost.map(|most| (Amount::parse(most).unwrap(), price.clone())),
            unknown: UnknownUsage::Ignore,
        };
        for (budget, is_spent) in [
            (budget(None, None), false),
            (budget(Some(151), None), false),
            (budget(Some(150), None), true),
            (budget(None, Some("0.002")), true),
            (budget(None, Some("0.002000000001")), false),
        ] {
            assert_eq!(budget.is_exhausted(spent), is_spent, "{budget:?}");
        }
    }
}
