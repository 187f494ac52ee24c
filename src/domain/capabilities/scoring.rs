//! What an environment knows about levels and episodes beside the score.

use std::sync::atomic::AtomicBool;

use crate::{Level, Loss, Observation, Options, Reference, SetMeasure, TrainingRewards};

/// The optimum of levels and figures about episodes. Each method has a default: nothing is known.
pub trait Scoring: Send + Sync {
    /// The optimum of a level, or `None` if it is unknown. The search can be slow, visits the same states on every
    /// machine, and ends when `stop` is set.
    fn reference(&self, level: &Level, options: &Options, stop: &AtomicBool) -> Option<Reference> {
        let _ = (level, options, stop);
        None
    }

    /// The optimum published with a level, if its text has one. It never replaces [`Scoring::reference`].
    fn published_reference(&self, level: &Level) -> Option<Reference> {
        let _ = level;
        None
    }

    /// The lowest and the highest score of any level, if every score is between two values. Intervals do not leave it.
    fn score_range(&self) -> Option<[f64; 2]> {
        None
    }

    /// The group of a level in its set, such as its size; reports have a score for each group. `None` if it has none.
    fn level_group(&self, level: &Level) -> Option<String> {
        let _ = level;
        None
    }

    /// Properties of a level by which reports can tell rows apart, such as its platform, with their values.
    fn level_properties(&self, level: &Level) -> Vec<(&'static str, String)> {
        let _ = level;
        Vec::new()
    }

    /// The measures of a set of episodes, beside the mean of their scores.
    fn set_measures(&self) -> &'static [SetMeasure] {
        &[]
    }

    /// Further figures about an episode, beside its score: the names of facts of its last state that are numbers.
    fn metrics(&self) -> &'static [&'static str] {
        &[]
    }

    /// The parts of the score that can be lost, in the order of a table. The fact `losses` of the last state has the
    /// share of each by its name, from 0 to 1. A state without it has lost everything to the first one: no action was
    /// read.
    fn losses(&self) -> &'static [Loss] {
        &[]
    }

    /// The names of the terms that a reward is the sum of, in their order. The fact `reward_terms` of a state is an array of
    /// what each has earned so far ([`RewardTerms`](crate::RewardTerms)).
    fn reward_terms(&self) -> &'static [&'static str] {
        &[]
    }

    /// Why the observed state is provably dead (the goal cannot be reached), in a sentence; `None` if there is no
    /// proof. Called only when an episode is evaluated, never for the agent. Successors of a dead state are dead.
    fn dead_state_reason(&self, observation: &Observation) -> Option<String> {
        let _ = observation;
        None
    }

    /// Whether the facts of a state name what failed after the action before it: an array `errors` with `ren` (its
    /// result cannot be shown) or `act` (an interaction with it failed). The step gets these marks.
    fn finds_errors(&self) -> bool {
        false
    }

    /// Whether the score after each step counts, and not only the last one. Reports then have both.
    fn has_score_by_step(&self) -> bool {
        false
    }

    /// The conversion of rewards for training, if it is defined.
    fn training_rewards(&self) -> Option<TrainingRewards> {
        None
    }
}

/// The scoring of an environment that knows nothing beside the score.
#[derive(Clone, Copy, Debug)]
pub struct NoScoring;

impl Scoring for NoScoring {}
