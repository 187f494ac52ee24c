//! Small functions that many judgements of the AI share.

/// Where `value` lies between `low` and `high`: 0 to 1, cut at both ends.
pub(super) fn share(value: f64, low: f64, high: f64) -> f64 {
    ((value - low) / (high - low)).clamp(0.0, 1.0)
}

/// A share, bent into an S by this amount (0 leaves it straight).
pub(super) fn bend(value: f64, amount: f64) -> f64 {
    let curved = value * value * (3.0 - 2.0 * value);
    value + (curved - value) * amount
}

/// `from` at 0, `to` at 1.
pub(super) fn between(from: f64, to: f64, share: f64) -> f64 {
    from + (to - from) * share
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_cut_and_bent_shares_keep_their_ends() {
        assert_eq!([share(-1.0, 0.0, 2.0), share(1.0, 0.0, 2.0), share(9.0, 0.0, 2.0)], [0.0, 0.5, 1.0]);
        assert_eq!([bend(0.0, 1.0), bend(0.5, 1.0), bend(1.0, 1.0)], [0.0, 0.5, 1.0]);
        assert!(bend(0.2, 1.0) < 0.2 && bend(0.8, 1.0) > 0.8);
    }
}
