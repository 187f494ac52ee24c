//! What rewards add up to, and what they are measured against.

use serde::Deserialize;
use serde::Serialize;

/// The best that can be reached on a level, and how that is known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reference {
    /// The highest sum of rewards that any play can reach (`R_best`).
    pub best: f64,
    /// The fewest steps that reach the goal.
    pub steps: u32,
}

/// What somebody else published as the best on a level, and what an episode scores by it. It need not
/// be true, so a perfect player may score more than full marks.
#[derive(Clone, Debug, PartialEq)]
pub struct PublishedScore {
    /// The published values.
    pub reference: Reference,
    /// The score of the episode by them.
    pub score: f64,
}

/// The sums along an episode. The best moment may be the start, where the sum is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Returns {
    /// Sum of all rewards so far.
    pub sum: f64,
    /// The highest sum at any moment, the start included; never below 0.
    pub best: f64,
}

impl Returns {
    /// The sums after one more reward.
    #[must_use]
    pub fn plus(self, reward: f64) -> Self {
        let sum = self.sum + reward;
        Self { sum, best: self.best.max(sum) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_sum_may_be_at_the_start() {
        let returns = [-0.5, -0.5, 4.5, -5.5].into_iter().fold(Returns::default(), Returns::plus);
        assert!((returns.sum - -2.0).abs() < 1e-9);
        assert!((returns.best - 3.5).abs() < 1e-9);
        assert!(Returns::default().plus(-0.5).best.abs() < 1e-9);
    }
}
