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
    /// What a verdict adds to the numerator and to the denominator; `None` if its episode does not count.
    pub parts: fn(&Verdict) -> Option<(f64, f64)>,
}

impl SetMeasure {
    /// A percentage.
    pub const fn percentage(
        name: &'static str,
        title: &'static str,
        parts: fn(&Verdict) -> Option<(f64, f64)>,
    ) -> Self {
        Self { name, title, factor: 100.0, parts }
    }
}
