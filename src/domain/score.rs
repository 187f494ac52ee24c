//! Returns of episodes and the optima that scores are relative to.

use serde::{Deserialize, Serialize};

/// The optimum of a level.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reference {
    /// The highest possible sum of rewards (`R_best`).
    pub best: f64,
    /// The length of a shortest solution in steps.
    pub steps: u32,
}

/// The published optimum of a level and the score of an episode relative to it. The published value may be
/// wrong, so the score may exceed 100.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PublishedScore {
    /// The published optimum.
    pub reference: Reference,
    /// The score relative to it.
    pub score: f64,
}

/// How the rewards of an environment are converted for training: without the cost of a step, in units of the
/// environment that a benchmark trains on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrainingRewards {
    /// The reward of a step in which nothing happens.
    pub step: f64,
    /// How much reward is one unit.
    pub per_unit: f64,
}

impl TrainingRewards {
    /// The reward for the task of a step with this reward, in units.
    pub fn task(self, reward: f64) -> f64 {
        (reward - self.step) / self.per_unit
    }

    /// The cost of a step, in units; negative.
    pub fn step_cost(self) -> f64 {
        self.step / self.per_unit
    }
}

/// The sums of rewards along an episode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Returns {
    /// The sum of all rewards so far.
    pub sum: f64,
    /// The highest sum at any step, the start included; never below 0.
    pub best: f64,
}

impl Returns {
    /// The sums before any reward, of a state that has these points already.
    pub fn starting_at(points: f64) -> Self {
        Self { sum: points, best: points.max(0.0) }
    }

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
    fn rewards_are_converted_to_units() {
        let units = TrainingRewards { step: -0.5, per_unit: 5.0 };
        assert_eq!([-0.5, 4.5, -5.5, 54.5].map(|reward| units.task(reward)), [0.0, 1.0, -1.0, 11.0]);
        assert_eq!(units.step_cost(), -0.1);
    }

    #[test]
    fn the_best_sum_may_be_at_the_start() {
        let returns = [-0.5, -0.5, 4.5, -5.5].into_iter().fold(Returns::default(), Returns::plus);
        assert!((returns.sum - -2.0).abs() < 1e-9);
        assert!((returns.best - 3.5).abs() < 1e-9);
        assert!(Returns::default().plus(-0.5).best.abs() < 1e-9);
    }
}
