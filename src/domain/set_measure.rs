//! Measures of a set of episodes: quotients of sums over its episodes, such as precision or a mean distance.

use super::Verdict;

/// A measure of a set of episodes.
#[derive(Clone, Copy, Debug)]
pub struct SetMeasure {
    /// The name in data, such as `precision`.
    pub name: &'static str,
    /// The title of its column.
    pub title: &'static str,
    /// What the quotient is multiplied by: 100 for a percentage.
    pub factor: f64,
    parts: Parts,
}

/// What an episode adds to the numerator and to the denominator.
#[derive(Clone, Copy, Debug)]
enum Parts {
    /// Both from its verdict; `None` if it does not count.
    OfVerdict(fn(&Verdict) -> Option<(f64, f64)>),
    /// Its cost, and this; `None` if it does not count.
    CostOver(fn(&Verdict) -> Option<f64>),
}

/// The parts of an amount of money that costs are counted in, so that a cost below 1 is not taken for a share.
const MONEY_PARTS: f64 = 1e6;

impl SetMeasure {
    /// A percentage.
    pub const fn percentage(
        name: &'static str,
        title: &'static str,
        parts: fn(&Verdict) -> Option<(f64, f64)>,
    ) -> Self {
        Self { name, title, factor: 100.0, parts: Parts::OfVerdict(parts) }
    }

    /// A quotient that is not a percentage.
    pub const fn ratio(
        name: &'static str,
        title: &'static str,
        parts: fn(&Verdict) -> Option<(f64, f64)>,
    ) -> Self {
        Self { name, title, factor: 1.0, parts: Parts::OfVerdict(parts) }
    }

    /// What is paid in US dollars for one of what the verdicts count.
    pub const fn cost_over(
        name: &'static str,
        title: &'static str,
        count: fn(&Verdict) -> Option<f64>,
    ) -> Self {
        Self { name, title, factor: 1.0 / MONEY_PARTS, parts: Parts::CostOver(count) }
    }

    /// What an episode with this verdict adds to the numerator and to the denominator. `usd` is its cost in US dollars, if all
    /// of it is known. `None` if the episode does not count.
    pub fn parts(&self, verdict: &Verdict, usd: Option<f64>) -> Option<(f64, f64)> {
        match self.parts {
            Parts::OfVerdict(parts) => parts(verdict),
            Parts::CostOver(count) => Some((usd? * MONEY_PARTS, count(verdict)?)),
        }
    }

    /// How many decimals its values are shown with.
    pub fn decimals(&self) -> usize {
        match self.parts {
            Parts::OfVerdict(_) if self.factor > 1.0 => 1,
            Parts::OfVerdict(_) => 2,
            Parts::CostOver(_) => 4,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cost_that_is_not_known_is_not_zero() {
        const COST: SetMeasure = SetMeasure::cost_over("usd", "USD", |verdict| verdict.score);
        let verdict = Verdict { score: Some(4.0), ..Verdict::default() };
        assert_eq!(COST.parts(&verdict, None), None);
        let (above, under) = COST.parts(&verdict, Some(0.5)).unwrap();
        assert!((above / under * COST.factor - 0.125).abs() < 1e-12);
        assert_eq!(COST.parts(&verdict, Some(0.0)), Some((0.0, 4.0)), "a model that costs nothing");
        assert_eq!(COST.parts(&Verdict::default(), Some(0.5)), None);
    }
}
