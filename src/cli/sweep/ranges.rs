//! Numbers of an estimate as short texts.

use mageyard_domain::Amount;
use mageyard_lab::{Bounds, CostBounds};

/// A range of counts in three digits, such as `300–12.5k`.
pub(super) fn short(bounds: Bounds) -> String {
    range(&short_count(bounds.lowest), &short_count(bounds.highest))
}

/// The range of a cost in one currency, without that.
pub(super) fn short_cost(cost: &CostBounds) -> String {
    match cost.known.values().next() {
        Some((lowest, highest)) => range(&amount(*lowest), &amount(*highest)),
        None if cost.unpriced.is_empty() => "–".to_owned(),
        None => "unknown".to_owned(),
    }
}

/// Two ends, or one if they are equal.
fn range(lowest: &str, highest: &str) -> String {
    if lowest == highest { lowest.to_owned() } else { format!("{lowest}–{highest}") }
}

/// An amount in three digits: rough, as the estimate is.
pub(super) fn amount(amount: Amount) -> String {
    let number: f64 = amount.to_string().parse().unwrap_or(f64::NAN);
    match number {
        n if n >= 100.0 => format!("{n:.0}"),
        n if n >= 10.0 => format!("{n:.1}"),
        n if n >= 0.01 || n == 0.0 => format!("{n:.2}"),
        _ => "<0.01".to_owned(),
    }
}

fn short_count(count: u64) -> String {
    match count {
        0..1_000 => count.to_string(),
        1_000..1_000_000 => scaled(count, 1_000, "k"),
        1_000_000..1_000_000_000 => scaled(count, 1_000_000, "M"),
        _ => scaled(count, 1_000_000_000, "G"),
    }
}

#[allow(clippy::cast_precision_loss, reason = "three digits are shown")]
fn scaled(count: u64, unit: u64, letter: &str) -> String {
    let number = count as f64 / unit as f64;
    let digits = usize::from(number < 99.95) + usize::from(number < 9.995);
    let text = format!("{number:.digits$}");
    let plain = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{plain}{letter}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_have_three_digits() {
        let counts = [0, 7, 999, 1_000, 1_234, 45_000, 99_960, 123_456, 5_000_000, 12_340_000_000];
        assert_eq!(
            counts.map(short_count),
            ["0", "7", "999", "1k", "1.23k", "45k", "100k", "123k", "5M", "12.3G"]
        );
        assert_eq!(short(Bounds { lowest: 300, highest: 9_000 }), "300–9k");
        assert_eq!(short(Bounds { lowest: 60, highest: 60 }), "60");
    }

    #[test]
    fn amounts_are_rough_and_never_zero_if_they_are_not() {
        let texts = ["0", "0.004", "0.05", "1.2345", "12.345", "123.45"];
        let shown = texts.map(|text| amount(Amount::parse(text).unwrap()));
        assert_eq!(shown, ["0.00", "<0.01", "0.05", "1.23", "12.3", "123"]);
        let unknown = CostBounds { unpriced: vec!["m".to_owned()], ..CostBounds::default() };
        assert_eq!([unknown, CostBounds::default()].map(|cost| short_cost(&cost)), ["unknown", "–"]);
    }
}
