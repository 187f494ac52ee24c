//! The boundary of each look, by recursive integration (Armitage and others 1969, "Repeated significance tests on accumulating
//! data"; Jennison and Turnbull 2000, *Group sequential methods*, chapter 19).
//!
//! Sums of independent pairs are seen as a Brownian motion at the shares of the information. The density of the paths that have
//! not crossed a boundary so far is kept on a grid, from which the next look follows by one integral.

use std::f64::consts::PI;

use super::ErrorSpending;
use crate::distributions::{normal_probability, normal_quantile};
use crate::number;

/// Values of a standard normal variable beyond this do not count: their probability is below 1e-18.
const FURTHEST: f64 = 9.0;

/// Points of a grid for each standard deviation of what it is smoothed with; Simpson's rule is exact to 1e-6 by then.
const POINTS: f64 = 12.0;

/// The most pairs of intervals of a grid: what looks that are close together need.
const MOST_PAIRS: usize = 10_000;

/// The least error that a look can spend; at a look that would spend less nothing is significant.
const LEAST_SPENT: f64 = 1e-15;

/// How many times an interval is halved: until it cannot be smaller.
const HALVINGS: usize = 80;

/// One look at the data, fixed before the first pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// The share of the information, above 0 and at most 1.
    pub share: f64,
    /// The error that has been spent by then.
    pub spent: f64,
    /// The standard normal value above which the statistic is significant; infinite if nothing is.
    pub z: f64,
    /// The same as a one-sided p value of this look alone; 0 if nothing is significant.
    pub nominal: f64,
}

/// The looks at these shares of the information, with a one-sided error of `alpha` for all of them together.
///
/// `None` unless alpha is above 0 and at most 0.5 and the shares increase, above 0 and at most 1.
pub fn sequential_looks(alpha: f64, spending: ErrorSpending, shares: &[f64]) -> Option<Vec<Look>> {
    let mut before = 0.0;
    for share in shares {
        if !(before < *share && *share <= 1.0) {
            return None;
        }
        before = *share;
    }
    if !(0.0 < alpha && alpha <= 0.5) {
        return None;
    }
    let mut looks: Vec<Look> = Vec::with_capacity(shares.len());
    let mut paths = Paths::start();
    for (index, share) in shares.iter().enumerate() {
        let spent = spending.spent(alpha, *share);
        let error = spent - looks.last().map_or(0.0, |look| look.spent);
        let limit = paths.boundary(*share, error);
        let z = limit / share.sqrt();
        looks.push(Look { share: *share, spent, z, nominal: normal_probability(-z) });
        if let Some(next) = shares.get(index + 1) {
            paths = paths.continued(*share, limit, *next - *share);
        }
    }
    Some(looks)
}

/// The paths that have not crossed a boundary: values of the motion, each with its probability.
struct Paths {
    /// The share of the information.
    share: f64,
    points: Vec<(f64, f64)>,
}

impl Paths {
    /// Before the first pair.
    fn start() -> Self {
        Self { share: 0.0, points: vec![(0.0, 1.0)] }
    }

    /// The value at this share that paths exceed with the probability `error`.
    fn boundary(&self, share: f64, error: f64) -> f64 {
        if error < LEAST_SPENT {
            return f64::INFINITY;
        }
        if self.share == 0.0 {
            return -normal_quantile(error) * share.sqrt();
        }
        let mut low = -FURTHEST * share.sqrt();
        let mut high = FURTHEST * share.sqrt();
        for _ in 0..HALVINGS {
            let middle = f64::midpoint(low, high);
            if self.exceeding(share, middle) > error { low = middle } else { high = middle }
        }
        f64::midpoint(low, high)
    }

    /// The probability that a path is above the value at this share.
    fn exceeding(&self, share: f64, value: f64) -> f64 {
        let deviation = (share - self.share).sqrt();
        let above = |(from, weight): &(f64, f64)| weight * normal_probability((from - value) / deviation);
        self.points.iter().map(above).sum()
    }

    /// The paths at this share that are below the limit, on a grid for a next look that is `step` later.
    fn continued(&self, share: f64, limit: f64, step: f64) -> Self {
        let furthest = FURTHEST * share.sqrt();
        let limit = limit.min(furthest);
        let grid = grid(-furthest, limit, step.min(share).sqrt() / POINTS);
        let deviation = (share - self.share).sqrt();
        let density = |value: f64| -> f64 {
            let of = |(from, weight): &(f64, f64)| weight * normal_density((value - from) / deviation);
            self.points.iter().map(of).sum::<f64>() / deviation
        };
        let points = grid.into_iter().map(|(value, weight)| (value, weight * density(value))).collect();
        Self { share, points }
    }
}

/// Points from one end to the other with the weights of Simpson's rule, at most this far apart.
fn grid(low: f64, high: f64, distance: f64) -> Vec<(f64, f64)> {
    let pairs = ((high - low) / distance / 2.0).ceil().clamp(1.0, number(MOST_PAIRS));
    let step = (high - low) / (2.0 * pairs);
    let weight = |index: usize, is_end: bool| match (is_end, index % 2) {
        (true, _) => 1.0,
        (false, 0) => 2.0,
        (false, _) => 4.0,
    };
    let weighed = |index: usize| {
        let is_end = index == 0 || number(index) >= 2.0 * pairs;
        (low + number(index) * step, weight(index, is_end) * step / 3.0)
    };
    (0..=2 * MOST_PAIRS).take_while(|index| number(*index) <= 2.0 * pairs).map(weighed).collect()
}

fn normal_density(x: f64) -> f64 {
    (-0.5 * x * x).exp() / (2.0 * PI).sqrt()
}
