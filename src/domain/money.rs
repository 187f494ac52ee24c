//! Money as exact decimals. Values are rounded only for display.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Decimal places of a price per million tokens, and of an amount (the price of one token is a millionth of it).
const RATE_DECIMALS: u32 = 6;
const AMOUNT_DECIMALS: u32 = 12;

/// The price of a million tokens in 10^-6 currency units, which is also the price of one token in 10^-12
/// currency units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Rate(u64);

/// An amount of money in 10^-12 currency units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Amount(u128);

impl Rate {
    /// Parses a decimal price with at most six decimal places.
    pub fn parse(text: &str) -> Result<Self, String> {
        parse_decimal(text, RATE_DECIMALS).map(Self)
    }

    /// The cost of this number of tokens.
    pub(super) fn cost_of(self, tokens: u64) -> Amount {
        Amount(u128::from(self.0) * u128::from(tokens))
    }
}

impl Amount {
    /// Parses a decimal amount with at most twelve decimal places.
    pub fn parse(text: &str) -> Result<Self, String> {
        parse_decimal(text, AMOUNT_DECIMALS).map(u128::from).map(Self)
    }

    /// The sum, saturating at the maximum.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// Whether the amount is zero.
    pub fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// Its share of another amount, at most 1; 1 of nothing.
    #[allow(clippy::cast_precision_loss, reason = "a share to show")]
    pub fn share_of(self, whole: Self) -> f64 {
        if whole.is_zero() { 1.0 } else { (self.0 as f64 / whole.0 as f64).min(1.0) }
    }

    /// As a number of currency units, for means and differences to show.
    #[allow(clippy::cast_precision_loss, reason = "a number to show")]
    pub fn units(self) -> f64 {
        self.0 as f64 / 10_f64.powi(12)
    }

    /// For display: at most six decimal places, rounded half up; smaller amounts are `<0.000001`.
    pub fn rounded(self) -> String {
        let least = 10_u128.pow(AMOUNT_DECIMALS - 6);
        let rounded = self.0.saturating_add(least / 2) / least * least;
        if rounded == 0 && self.0 > 0 { "<0.000001".to_owned() } else { Self(rounded).to_string() }
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_decimal(u128::from(self.0), RATE_DECIMALS, f)
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_decimal(self.0, AMOUNT_DECIMALS, f)
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

/// Parses digits with an optional point and at most `places` decimals, in units of 10^-`places`.
fn parse_decimal(text: &str, places: u32) -> Result<u64, String> {
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(part) {
        return Err(format!("{text} is not a decimal number of at least 0, such as 2.50"));
    }
    let part = part.trim_end_matches('0');
    let behind = u32::try_from(part.len()).ok().filter(|behind| *behind <= places);
    let behind = behind.ok_or_else(|| format!("{text} has more than {places} decimal places"))?;
    let scaled = format!("{whole}{part}{}", "0".repeat((places - behind) as usize));
    scaled.parse().map_err(|_| format!("{text} is too large"))
}

/// Writes a number of 10^-`places` as a decimal without trailing zeros.
fn write_decimal(number: u128, places: u32, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let unit = 10_u128.pow(places);
    let part = format!("{:0width$}", number % unit, width = places as usize);
    match part.trim_end_matches('0') {
        "" => write!(f, "{}", number / unit),
        part => write!(f, "{}.{part}", number / unit),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_amount_is_rounded_only_for_display() {
        for (text, short) in [
            ("0", "0"),
            ("1.50", "1.5"),
            ("0.0000005", "0.000001"),
            ("0.000000499999", "<0.000001"),
            ("12.3456785", "12.345679"),
        ] {
            assert_eq!(Amount::parse(text).unwrap().rounded(), short);
        }
    }

    #[test]
    fn invalid_prices_are_rejected() {
        for text in
            ["", ".", "1.", ".5", "-1", "+1", "1e3", "1,5", "nan", "0.0000001", "99999999999999999999"]
        {
            assert!(Rate::parse(text).is_err(), "{text}");
        }
        assert_eq!(Rate::parse("2.500000000").unwrap().to_string(), "2.5");
    }

    #[test]
    fn a_sum_saturates_at_the_maximum() {
        assert_eq!(Amount(1).plus(Amount(u128::MAX)), Amount(u128::MAX));
    }

    proptest! {
        #[test]
        fn written_values_parse_to_the_same_values(rate: u64, amount: u64) {
            prop_assert_eq!(Rate::parse(&Rate(rate).to_string()), Ok(Rate(rate)));
            let amount = Amount(amount.into());
            prop_assert_eq!(Amount::parse(&amount.to_string()), Ok(amount));
        }
    }
}
