//! Reads settings that have a range: whole numbers, times and amounts of money.

use mageyard_domain::{Amount, Seconds};
use serde::de::Error;
use serde::{Deserialize, Deserializer};

/// An amount of money, from the shortest decimal of the number.
pub(super) fn deserialize_amount<'de, D: Deserializer<'de>>(from: D) -> Result<Amount, D::Error> {
    let number = f64::deserialize(from)?;
    Amount::parse(&number.to_string()).map_err(D::Error::custom)
}

/// The smallest and the largest time limit, in seconds.
const TIME_LIMITS: (f64, f64) = (0.001, 31_536_000.0);

/// A time limit in seconds, or 0 for none.
pub(super) fn seconds<'de, D: Deserializer<'de>>(from: D) -> Result<Seconds, D::Error> {
    let number = f64::deserialize(from)?;
    let (least, most) = TIME_LIMITS;
    if number != 0.0 && !(least..=most).contains(&number) {
        let allowed = format!("allowed is {least} to {most}, or 0 for no limit");
        return Err(D::Error::custom(format!("{number} is out of range, {allowed}")));
    }
    Seconds::try_from(number).map_err(D::Error::custom)
}

/// A time limit in seconds that cannot be absent.
pub(super) fn limit<'de, D: Deserializer<'de>>(from: D) -> Result<Seconds, D::Error> {
    let number = f64::deserialize(from)?;
    if !(0.1..=3600.0).contains(&number) {
        return Err(D::Error::custom(format!("{number} is out of range, allowed is 0.1 to 3600 seconds")));
    }
    Seconds::try_from(number).map_err(D::Error::custom)
}

/// The least and the most percent of a pane.
const SHARES: (i64, i64) = (10, 80);

/// A share in percent, or 0 for none.
pub(super) fn share<'de, D: Deserializer<'de>>(from: D) -> Result<u16, D::Error> {
    let number = i64::deserialize(from)?;
    let (least, most) = SHARES;
    let allowed = number == 0 || (least..=most).contains(&number);
    u16::try_from(number).ok().filter(|_| allowed).ok_or_else(|| {
        D::Error::custom(format!(
            "{number} is out of range, allowed is {least} to {most} percent, or 0 to follow the content"
        ))
    })
}

/// A whole number in a range.
pub(super) fn bounded<'de, D, T, const LOW: i64, const HIGH: i64>(from: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: TryFrom<i64>,
{
    let number = i64::deserialize(from)?;
    let within = Some(number).filter(|number| (LOW..=HIGH).contains(number));
    within.and_then(|number| T::try_from(number).ok()).ok_or_else(|| match HIGH {
        i64::MAX => D::Error::custom(format!("{number} is out of range, the minimum is {LOW}")),
        high => D::Error::custom(format!("{number} is out of range, allowed is {LOW} to {high}")),
    })
}
