//! What requests take: tokens, and money as exact decimals. Nothing here is ever rounded but for the eye.

use std::fmt;

use serde::Deserialize;
use serde::Serialize;

use super::Usage;

/// Decimal places of a price, and of an amount: a token of a million costs a millionth of the price.
const RATE: u32 = 6;
const AMOUNT: u32 = 12;

/// The price of a million tokens, in millionths of the currency's unit; so also the price of one token in
/// millionths of millionths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Rate(u64);

/// An amount of money, in millionths of millionths of the currency's unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Amount(u128);

/// Digits, with a point in between and at most so many behind it, as a whole number of the smallest part.
fn decimal(text: &str, places: u32) -> Result<u64, String> {
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(part) {
        return Err(format!("{text} is no plain decimal number of 0 or more, such as 2.50"));
    }
    let part = part.trim_end_matches('0');
    let behind = u32::try_from(part.len()).ok().filter(|behind| *behind <= places);
    let behind = behind.ok_or_else(|| format!("{text} has more than {places} decimal places"))?;
    let scaled = format!("{whole}{part}{}", "0".repeat((places - behind) as usize));
    scaled.parse().map_err(|_| format!("{text} is too large"))
}

/// The number of smallest parts as digits with a point, without needless zeros.
fn spelt(number: u128, places: u32, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let unit = 10_u128.pow(places);
    let part = format!("{:0width$}", number % unit, width = places as usize);
    match part.trim_end_matches('0') {
        "" => write!(f, "{}", number / unit),
        part => write!(f, "{}.{part}", number / unit),
    }
}

impl Rate {
    /// A price as people write it, with at most six decimal places.
    pub fn parse(text: &str) -> Result<Self, String> {
        decimal(text, RATE).map(Self)
    }

    fn of(self, tokens: u64) -> Amount {
        Amount(u128::from(self.0) * u128::from(tokens))
    }
}

impl Amount {
    /// An amount as people write it, with at most twelve decimal places.
    pub fn parse(text: &str) -> Result<Self, String> {
        decimal(text, AMOUNT).map(u128::from).map(Self)
    }

    /// Both together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// Whether it is nothing.
    pub fn is_nothing(self) -> bool {
        self.0 == 0
    }

    /// For the eye: at most six decimal places, rounded half up; less than that is `<0.000001`.
    pub fn short(self) -> String {
        let least = 10_u128.pow(AMOUNT - 6);
        let rounded = self.0.saturating_add(least / 2) / least * least;
        if rounded == 0 && self.0 > 0 { "<0.000001".to_owned() } else { Self(rounded).to_string() }
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        spelt(u128::from(self.0), RATE, f)
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        spelt(self.0, AMOUNT, f)
    }
}

impl TryFrom<String> for Rate {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::parse(&text)
    }
}

impl TryFrom<String> for Amount {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::parse(&text)
    }
}

impl From<Rate> for String {
    fn from(rate: Rate) -> Self {
        rate.to_string()
    }
}

impl From<Amount> for String {
    fn from(amount: Amount) -> Self {
        amount.to_string()
    }
}

/// What a model's tokens cost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Price {
    /// A million tokens of requests.
    pub input: Rate,
    /// A million tokens of replies, reasoning included.
    pub output: Rate,
    /// A million tokens of requests that the server had kept from before; as others where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached: Option<Rate>,
    /// The currency, such as `USD`.
    pub currency: String,
}

impl Price {
    /// What these tokens cost.
    pub fn of(&self, usage: Usage) -> Amount {
        let cached = usage.cached.min(usage.input);
        let kept = self.cached.unwrap_or(self.input).of(cached);
        self.input.of(usage.input - cached).and(kept).and(self.output.of(usage.output))
    }
}

/// The prices that somebody wrote down, by the name of the model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prices(pub Vec<(String, Price)>);

impl Prices {
    /// The price of this model: by its exact name, or by the longest beginning that ends in `*`.
    pub fn find(&self, model: &str) -> Option<&Price> {
        let exact = self.0.iter().find(|(name, _)| name == model);
        let begun = self
            .0
            .iter()
            .filter(|(name, _)| name.strip_suffix('*').is_some_and(|beginning| model.starts_with(beginning)));
        exact.or_else(|| begun.max_by_key(|(name, _)| name.len())).map(|(_, price)| price)
    }

    /// What a model's requests cost so far.
    pub fn cost(&self, model: Option<&str>, spent: Spent) -> Cost {
        match model.and_then(|model| self.find(model)) {
            _ if spent.requests == 0 => Cost::Nothing,
            Some(price) if spent.unmetered == 0 => Cost::Known(price.of(spent.usage), price.currency.clone()),
            _ => Cost::Unknown,
        }
    }
}

/// What requests took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// How many requests went out and came to something.
    pub requests: usize,
    /// How many of them the server gave no tokens for.
    pub unmetered: usize,
    /// The tokens of the others.
    pub usage: Usage,
}

impl Spent {
    /// One request.
    pub fn one(usage: Option<Usage>) -> Self {
        Self { requests: 1, unmetered: usize::from(usage.is_none()), usage: usage.unwrap_or_default() }
    }

    /// Both together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let (one, two) = (self.usage, other.usage);
        let usage = Usage {
            input: one.input.saturating_add(two.input),
            output: one.output.saturating_add(two.output),
            cached: one.cached.saturating_add(two.cached),
        };
        let (requests, unmetered) = (self.requests + other.requests, self.unmetered + other.unmetered);
        Self { requests, unmetered, usage }
    }

    /// The tokens of requests and replies together.
    pub fn tokens(self) -> u64 {
        self.usage.input.saturating_add(self.usage.output)
    }
}

impl std::iter::Sum for Spent {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), Self::and)
    }
}

/// What requests cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cost {
    /// There was no request.
    Nothing,
    /// The price or some tokens are not known. Never the same as nothing.
    Unknown,
    /// So much of this currency.
    Known(Amount, String),
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.pad("–"),
            Self::Unknown => f.pad("unknown"),
            Self::Known(amount, currency) => f.pad(&format!("{} {currency}", amount.short())),
        }
    }
}

/// What an episode may take at most. It is looked at before a request goes out, so the last one may go beyond.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budget {
    /// The most tokens, of requests and replies together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// The most money, and the price that it is reckoned by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<(Amount, Price)>,
}

impl Budget {
    /// Whether there is no limit.
    pub fn is_open(&self) -> bool {
        *self == Self::default()
    }

    /// Whether this is all that may be spent.
    pub fn is_spent(&self, spent: Spent) -> bool {
        self.tokens.is_some_and(|most| spent.tokens() >= most)
            || self.cost.as_ref().is_some_and(|(most, price)| price.of(spent.usage) >= *most)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn price(input: &str, output: &str, cached: Option<&str>) -> Price {
        let rate = |text| Rate::parse(text).unwrap();
        Price { input: rate(input), output: rate(output), cached: cached.map(rate), currency: "USD".into() }
    }

    fn usage(input: u64, output: u64, cached: u64) -> Usage {
        Usage { input, output, cached }
    }

    #[test]
    fn money_is_exact_to_the_last_place() {
        let price = price("0.0375", "10", Some("0.000001"));
        assert_eq!(price.of(usage(1, 0, 0)).to_string(), "0.0000000375");
        assert_eq!(price.of(usage(3, 1, 2)).to_string(), "0.000010037502");
        let third: Spent = (0..3000).map(|_| Spent::one(Some(usage(1, 1, 0)))).sum();
        assert_eq!(price.of(third.usage).to_string(), "0.0301125");
        assert_eq!(price.of(usage(u64::MAX, u64::MAX, u64::MAX)).and(Amount(u128::MAX)), Amount(u128::MAX));
    }

    #[test]
    fn an_amount_is_rounded_for_the_eye_alone() {
        for (text, short) in [
            ("0", "0"),
            ("1.50", "1.5"),
            ("0.0000005", "0.000001"),
            ("0.000000499999", "<0.000001"),
            ("12.3456785", "12.345679"),
        ] {
            assert_eq!(Amount::parse(text).unwrap().short(), short);
        }
    }

    #[test]
    fn what_is_no_price_is_refused() {
        for text in
            ["", ".", "1.", ".5", "-1", "+1", "1e3", "1,5", "nan", "0.0000001", "99999999999999999999"]
        {
            assert!(Rate::parse(text).is_err(), "{text}");
        }
        assert_eq!(Rate::parse("2.500000000").unwrap().to_string(), "2.5");
    }

    #[test]
    fn the_exact_name_wins_and_then_the_longest_beginning() {
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
    fn a_cost_that_is_not_known_is_never_nothing() {
        let prices = Prices(vec![("m".into(), price("1", "2", None))]);
        let (known, unknown) = (Spent::one(Some(usage(1_000_000, 500_000, 0))), Spent::one(None));
        assert_eq!(prices.cost(Some("m"), known).to_string(), "2 USD");
        assert_eq!(prices.cost(Some("other"), known), Cost::Unknown);
        assert_eq!(prices.cost(Some("m"), known.and(unknown)), Cost::Unknown);
        assert_eq!(prices.cost(None, Spent::default()), Cost::Nothing);
    }

    #[test]
    fn a_budget_is_spent_as_soon_as_it_is_reached() {
        let spent = Spent::one(Some(usage(100, 50, 0)));
        let budget = |tokens, cost: Option<&str>| Budget {
            tokens,
            cost: cost.map(|most| (Amount::parse(most).unwrap(), price("10", "20", None))),
        };
        for (budget, is_spent) in [
            (budget(None, None), false),
            (budget(Some(151), None), false),
            (budget(Some(150), None), true),
            (budget(None, Some("0.002")), true),
            (budget(None, Some("0.002000000001")), false),
        ] {
            assert_eq!(budget.is_spent(spent), is_spent, "{budget:?}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(rate: u64, amount: u64) {
            prop_assert_eq!(Rate::parse(&Rate(rate).to_string()), Ok(Rate(rate)));
            let amount = Amount(amount.into());
            prop_assert_eq!(Amount::parse(&amount.to_string()), Ok(amount));
        }
    }
}
