//! How much values vary between levels, and between the repeats of a level.

use super::levels::{LevelSample, by_level};
use super::number;

/// The variance components of values in levels, in the square of their unit: one-way random effects, estimated by the analysis of
/// variance (Searle, Casella and `McCulloch` 1992, section 3.6, also for unequal numbers of repeats).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VarianceComponents {
    /// The variance between the repeats of a level.
    pub within: f64,
    /// The estimate of the variance between the true means of levels. It is negative if the means of levels vary less than the
    /// repeats alone would make them.
    pub between_estimate: f64,
}

impl VarianceComponents {
    /// The components of these samples; `None` without two levels and a level with two repeats.
    ///
    /// With N values in g levels of n(i) repeats, *within* is the mean square within levels, and *between* is the mean square
    /// between levels less that, divided by (N − Σ n(i)²/N)/(g − 1).
    pub fn of(samples: &[LevelSample]) -> Option<Self> {
        let values = |level: Vec<&LevelSample>| level.iter().map(|sample| sample.value).collect();
        let levels: Vec<Vec<f64>> = by_level(samples).into_values().map(values).collect();
        let g = number(levels.len());
        let n = number(samples.len());
        if g < 2.0 || n <= g {
            return None;
        }
        let mean = |values: &[f64]| values.iter().sum::<f64>() / number(values.len());
        let total = levels.iter().flatten().sum::<f64>() / n;
        let inside =
            |values: &Vec<f64>| values.iter().map(|value| (value - mean(values)).powi(2)).sum::<f64>();
        let within = levels.iter().map(inside).sum::<f64>() / (n - g);
        let of_means: f64 = levels.iter().map(|l| number(l.len()) * (mean(l) - total).powi(2)).sum();
        let typical = (n - levels.iter().map(|l| number(l.len()).powi(2)).sum::<f64>() / n) / (g - 1.0);
        Some(Self { within, between_estimate: (of_means / (g - 1.0) - within) / typical })
    }

    /// The variance between levels: the estimate, or 0 where it is negative.
    pub fn between(self) -> f64 {
        self.between_estimate.max(0.0)
    }

    /// Whether the estimate between levels is negative, so that it counts as 0.
    pub fn is_negative(self) -> bool {
        self.between_estimate < 0.0
    }

    /// The share of the variance that is between levels, from 0 to 1 (the intraclass correlation of repeats); `None` if
    /// nothing varies.
    pub fn share_between(self) -> Option<f64> {
        let all = self.within + self.between();
        (all > 0.0).then(|| self.between() / all)
    }
}
