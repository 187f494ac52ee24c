//! Limits of tokens and cost for an episode.

use serde::Deserialize;
use serde::Serialize;

use super::money::Amount;
use super::price::Price;
use super::token_totals::TokenTotals;

/// The limits of tokens and cost. They are checked before each request, so the last request may exceed them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budget {
    /// The maximum of input and output tokens together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// The maximum cost, and the price used to compute it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<(Amount, Price)>,
}

impl Budget {
    /// Whether no limit is set.
    pub fn is_unlimited(&self) -> bool {
        *self == Self::default()
    }

    /// Whether a limit has been reached.
    pub fn is_exhausted(&self, spent: TokenTotals) -> bool {
        self.tokens.is_some_and(|most| spent.total_tokens() >= most)
            || self.cost.as_ref().is_some_and(|(most, price)| price.cost_of(spent.usage) >= *most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Rate;
    use crate::domain::Usage;

    #[test]
    fn a_budget_is_exhausted_when_it_is_reached() {
        let spent = TokenTotals::of_request(Some(Usage { input: 100, output: 50, ..Usage::default() }));
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
