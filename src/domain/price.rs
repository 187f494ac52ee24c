//! The prices of models and the cost of requests.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Usage;
use super::money::{Amount, Rate};
use super::token_totals::{TokenTotals, unknown_text};

/// The price of a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Price {
    /// The price of a million input tokens.
    pub input: Rate,
    /// The price of a million output tokens, reasoning included.
    pub output: Rate,
    /// The price of a million cached input tokens; defaults to `input`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached: Option<Rate>,
    /// The price of a million input tokens that are written into the cache; defaults to `input`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_write: Option<Rate>,
    /// The currency, such as `USD`.
    pub currency: String,
}

impl Price {
    /// The cost of these tokens.
    pub fn cost_of(&self, usage: Usage) -> Amount {
        let cached = usage.cached.min(usage.input);
        let written = usage.cache_writes.min(usage.input - cached);
        let rates = [
            (self.input, usage.input - cached - written),
            (self.cached.unwrap_or(self.input), cached),
            (self.cache_write.unwrap_or(self.input), written),
            (self.output, usage.output),
        ];
        rates.into_iter().fold(Amount::default(), |sum, (rate, tokens)| sum.plus(rate.cost_of(tokens)))
    }
}

/// The known prices by model name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prices(pub Vec<(String, Price)>);

impl Prices {
    /// The price of this model: the exact name, or the longest prefix that ends in `*`.
    pub fn find(&self, model: &str) -> Option<&Price> {
        let exact = self.0.iter().find(|(name, _)| name == model);
        let begun = self
            .0
            .iter()
            .filter(|(name, _)| name.strip_suffix('*').is_some_and(|beginning| model.starts_with(beginning)));
        exact.or_else(|| begun.max_by_key(|(name, _)| name.len())).map(|(_, price)| price)
    }

    /// The cost of a model's requests.
    pub fn cost(&self, model: Option<&str>, spent: TokenTotals) -> Cost {
        match model.and_then(|model| self.find(model)) {
            _ if spent.requests == 0 => Cost::NoRequests,
            Some(price) if !spent.is_unknown() => Cost::Known {
                amount: price.cost_of(spent.usage),
                currency: price.currency.clone(),
                unknown: spent.unmetered,
            },
            _ => Cost::Unknown,
        }
    }
}

/// The tokens of the requests to one model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelTotals {
    /// The model; `None` for requests of an agent without one.
    pub model: Option<String>,
    /// The tokens.
    pub spent: TokenTotals,
}

impl ModelTotals {
    /// Adds what was spent on a model to that of all models, of which each is listed once.
    pub fn add(all: &mut Vec<Self>, model: Option<&str>, spent: TokenTotals) {
        match all.iter_mut().find(|known| known.model.as_deref() == model) {
            Some(known) => known.spent = known.spent.plus(spent),
            None => all.push(Self { model: model.map(str::to_owned), spent }),
        }
    }
}

impl Prices {
    /// The cost of an episode that spent this on a model, or this on several ones if there were others.
    pub fn episode_cost(&self, model: Option<&str>, spent: TokenTotals, models: &[ModelTotals]) -> Cost {
        if models.is_empty() { self.cost(model, spent) } else { self.cost_of_models(models) }
    }

    /// The cost of requests to several models. Those in another currency than the first ones count as unknown.
    pub fn cost_of_models(&self, models: &[ModelTotals]) -> Cost {
        let mut sum: Option<(Amount, String)> = None;
        let mut unknown = 0;
        let mut requests = 0;
        for ModelTotals { model, spent } in models {
            requests += spent.requests;
            match (self.cost(model.as_deref(), *spent), &mut sum) {
                (Cost::NoRequests, _) => {}
                (Cost::Known { amount, currency, unknown: more }, None) => {
                    unknown += more;
                    sum = Some((amount, currency));
                }
                (Cost::Known { amount, currency, unknown: more }, Some((known, of))) if currency == *of => {
                    unknown += more;
                    *known = known.plus(amount);
                }
                (Cost::Known { .. } | Cost::Unknown, _) => unknown += spent.requests,
            }
        }
        match sum {
            Some((amount, currency)) => Cost::Known { amount, currency, unknown },
            None if requests == 0 => Cost::NoRequests,
            None => Cost::Unknown,
        }
    }
}

/// The cost of requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cost {
    /// No request was sent.
    NoRequests,
    /// The price or all token counts are unknown. Never treated as zero.
    Unknown,
    /// The known part.
    Known {
        /// The cost of the requests whose tokens are known.
        amount: Amount,
        /// The currency, such as `USD`.
        currency: String,
        /// The number of requests whose cost is unknown.
        unknown: usize,
    },
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRequests => f.pad("–"),
            Self::Unknown => f.pad("unknown"),
            Self::Known { amount, currency, unknown } => {
                f.pad(&format!("{} {currency}{}", amount.rounded(), unknown_text(*unknown)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn price(input: &str, output: &str, cached: Option<&str>) -> Price {
        let rate = |text| Rate::parse(text).unwrap();
        let input = rate(input);
        let output = rate(output);
        let cached = cached.map(rate);
        Price { input, output, cached, cache_write: None, currency: "USD".into() }
    }

    fn usage(input: u64, output: u64, cached: u64) -> Usage {
        Usage { input, output, cached, cache_writes: 0 }
    }

    #[test]
    fn money_is_exact_to_the_last_place() {
        let price = price("0.0375", "10", Some("0.000001"));
        assert_eq!(price.cost_of(usage(1, 0, 0)).to_string(), "0.0000000375");
        assert_eq!(price.cost_of(usage(3, 1, 2)).to_string(), "0.000010037502");
        let third: TokenTotals = (0..3000).map(|_| TokenTotals::of_request(Some(usage(1, 1, 0)))).sum();
        assert_eq!(price.cost_of(third.usage).to_string(), "0.0301125");
        let most = price.cost_of(usage(u64::MAX, u64::MAX, u64::MAX));
        assert_eq!(most.to_string(), "184467459183839.589859551615");
    }

    #[test]
    fn tokens_written_into_the_cache_have_a_price_of_their_own() {
        let dear = Price { cache_write: Some(Rate::parse("3").unwrap()), ..price("2", "0", Some("1")) };
        let usage = |cache_writes| Usage { cache_writes, ..usage(1_000_000, 0, 200_000) };
        assert_eq!(dear.cost_of(usage(300_000)).to_string(), "2.1");
        assert_eq!(price("2", "0", Some("1")).cost_of(usage(300_000)).to_string(), "1.8");
        assert_eq!(dear.cost_of(usage(u64::MAX)).to_string(), "2.6", "never more tokens than the input");
    }

    #[test]
    fn the_exact_name_wins_then_the_longest_prefix() {
        let names = ["gpt*", "gpt-4o", "gpt-4*", "*"];
        let prices = Prices(
            (1..).zip(names).map(|(at, name)| (name.into(), price(&at.to_string(), "1", None))).collect(),
        );
        for (model, input) in [("gpt-4o", "2"), ("gpt-4o-mini", "3"), ("gpt-3", "1"), ("qwen", "4")] {
            assert_eq!(prices.find(model).unwrap().input.to_string(), input, "{model}");
        }
        assert_eq!(Prices::default().find("gpt-4o"), None);
    }

    #[test]
    fn an_unknown_cost_is_never_zero() {
        let prices = Prices(vec![("m".into(), price("1", "2", None))]);
        let (known, unknown) =
            (TokenTotals::of_request(Some(usage(1_000_000, 500_000, 0))), TokenTotals::of_request(None));
        assert_eq!(prices.cost(Some("m"), known).to_string(), "2 USD");
        assert_eq!(prices.cost(Some("other"), known), Cost::Unknown);
        assert_eq!(prices.cost(Some("m"), unknown), Cost::Unknown);
        assert_eq!(prices.cost(Some("m"), known.plus(unknown)).to_string(), "2 USD + 1 unknown");
        assert_eq!(prices.cost(None, TokenTotals::default()), Cost::NoRequests);
    }
}
