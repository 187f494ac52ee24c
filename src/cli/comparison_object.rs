//! Shares and comparisons of variants as JSON objects.

use serde_json::{Value, json};

use mageyard_domain::Cost;
use mageyard_study::{Comparison, Share};

/// A share with the ends of its interval.
pub(super) fn share(share: Share) -> Value {
    let ends = share.interval.map(|interval| (interval.low, interval.high)).unzip();
    json!({"count": share.count, "of": share.of, "share": share.value(), "low": ends.0, "high": ends.1})
}

/// Two variants.
pub(super) fn comparison(run: &str, comparison: &Comparison) -> Value {
    let (first, second) = comparison.variants;
    json!({
        "run": run, "first": first + 1, "second": second + 1, "difference": comparison.difference,
        "p": comparison.p, "p_corrected": comparison.corrected, "different": comparison.is_different(),
    })
}

/// `cost` and `currency`; null if they are unknown or if no request was sent.
pub(super) fn cost_fields(cost: &Cost) -> Value {
    let (cost, currency) = match cost {
        Cost::Known { amount, currency, .. } => (Some(amount), Some(currency)),
        Cost::Unknown | Cost::NoRequests => (None, None),
    };
    json!({"cost": cost, "currency": currency})
}
