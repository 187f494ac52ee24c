//! What requests need before the first one is sent: how many they are, their images and tokens, and the cost. Asks, suites
//! and the cells of a sweep are estimated differently, and summed up, priced and worded here.

mod bounds;

use std::collections::BTreeMap;

use mageyard_domain::{Amount, Prices, Usage};

pub use self::bounds::Bounds;

/// The longest reply if the settings have no limit, in tokens.
pub const UNLIMITED_REPLY: u64 = 4000;

/// What requests need.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// The requests.
    pub calls: Bounds,
    /// Their images.
    pub images: Bounds,
    /// Their tokens.
    pub input: Bounds,
    /// The tokens of the replies.
    pub output: Bounds,
    /// The cost of both.
    pub cost: CostBounds,
}

impl Needs {
    /// What both need.
    #[must_use]
    pub fn plus(self, other: &Self) -> Self {
        Self {
            calls: self.calls.plus(other.calls),
            images: self.images.plus(other.images),
            input: self.input.plus(other.input),
            output: self.output.plus(other.output),
            cost: self.cost.plus(&other.cost),
        }
    }
}

/// The cost of requests, which is known for models with a price.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CostBounds {
    /// The lowest and the highest cost by currency, such as `USD`.
    pub known: BTreeMap<String, (Amount, Amount)>,
    /// The models without a price, each once.
    pub unpriced: Vec<String>,
}

impl CostBounds {
    /// The cost of requests to a model with so many tokens, and of its replies.
    pub fn of(model: &str, prices: &Prices, (input, output): (Bounds, Bounds)) -> Self {
        let Some(price) = prices.find(model) else {
            let is_asked = input.highest > 0 || output.highest > 0;
            let unpriced = is_asked.then(|| model.to_owned()).into_iter().collect();
            return Self { unpriced, ..Self::default() };
        };
        let cost = |input, output| price.cost_of(Usage { input, output, ..Usage::default() });
        let ends = (cost(input.lowest, output.lowest), cost(input.highest, output.highest));
        Self { known: BTreeMap::from([(price.currency.clone(), ends)]), unpriced: Vec::new() }
    }

    /// The cost of both.
    #[must_use]
    pub fn plus(mut self, other: &Self) -> Self {
        for (currency, (lowest, highest)) in &other.known {
            let sum = self.known.entry(currency.clone()).or_default();
            *sum = (sum.0.plus(*lowest), sum.1.plus(*highest));
        }
        for model in &other.unpriced {
            if !self.unpriced.contains(model) {
                self.unpriced.push(model.clone());
            }
        }
        self
    }

    /// The cost in each currency, as these words for the lowest and the highest amount, and what is not known.
    pub fn words(&self, known: impl Fn(&str, Amount, Amount) -> String) -> String {
        let known = self.known.iter().map(|(currency, (lowest, highest))| known(currency, *lowest, *highest));
        let unpriced = self.unpriced.iter().map(|model| unpriced_words(model));
        known.chain(unpriced).collect::<Vec<_>>().join("; ")
    }
}

/// That the cost of a model is not known, and what to do.
pub fn unpriced_words(model: &str) -> String {
    format!("unknown for {model}, which has no price (see `mageyard prices example`)")
}

#[cfg(test)]
mod tests {
    use super::*;
    use mageyard_domain::{Price, Rate};

    fn bounds(lowest: u64, highest: u64) -> Bounds {
        Bounds { lowest, highest }
    }

    #[test]
    fn costs_are_summed_by_currency_and_models_without_a_price_are_named_once() {
        let price = |model: &str, currency: &str| {
            let rate = |text| Rate::parse(text).unwrap();
            let [input, output] = ["1", "2"].map(rate);
            let price =
                Price { input, output, cached: None, cache_write: None, currency: currency.to_owned() };
            (model.to_owned(), price)
        };
        let prices = Prices(vec![price("a", "USD"), price("b", "EUR")]);
        let million = 1_000_000;
        let cost = |model: &str, tokens: u64| {
            CostBounds::of(model, &prices, (Bounds::exactly(tokens), bounds(0, tokens)))
        };
        let asked = ["a", "z", "b", "a", "z"].map(|model| cost(model, million));
        let sum = asked.iter().fold(CostBounds::default(), CostBounds::plus);
        assert_eq!(
            sum.words(|currency, lowest, highest| format!("{lowest} to {highest} {currency}")),
            "1 to 3 EUR; 2 to 6 USD; unknown for z, which has no price (see `mageyard prices example`)"
        );
        assert_eq!(cost("z", 0), CostBounds::default(), "nothing is asked");
    }
}
