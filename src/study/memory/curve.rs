//! What each remembered part is worth, by how many steps back it is.

use std::collections::{BTreeMap, BTreeSet};

use super::answers::{MemoryAnswers, MemoryPart};
use super::reach::LEVEL;
use mageyard_statistics::{
    AnswerCounts, Interval, LevelSample, Repeat, disagreement_test, holm, mean_interval, sample_mean,
};

/// What requests without the part of one distance lead to.
#[derive(Clone, Debug, PartialEq)]
pub struct DistanceValue {
    /// What is left out.
    pub part: MemoryPart,
    /// The states in which there is such a part, with replies to both requests.
    pub states: usize,
    /// The levels of these states.
    pub levels: usize,
    /// The share of decisions that change: how often an answer without the part differs from one with it, beyond how often two
    /// answers to the same request differ, averaged over states. It can be below 0 by chance.
    pub change: f64,
    /// Its 95 % interval; levels are the clusters.
    pub change_interval: Option<Interval>,
    /// How much smaller the share of optimal answers is without the part; `None` if the solver cannot say.
    pub worse: Option<f64>,
    /// Its 95 % interval; `None` if fewer than six levels differ from the others.
    pub worse_interval: Option<Interval>,
    /// The p value of a permutation test that the answers are the same.
    pub p: f64,
    /// The same, corrected by Holm for all parts.
    pub corrected: f64,
}

impl DistanceValue {
    /// Whether decisions change beyond chance.
    pub fn matters(&self) -> bool {
        self.corrected < LEVEL
    }
}

/// The answers of a state to the complete request and to one without a part.
struct Pair<'a> {
    state: &'a MemoryAnswers,
    without: &'a [usize],
}

/// The values by what is left out and by distance.
pub fn distance_values(states: &[MemoryAnswers]) -> Vec<DistanceValue> {
    let mut pairs: BTreeMap<MemoryPart, Vec<Pair<'_>>> = BTreeMap::new();
    for state in states {
        for (part, without) in &state.without {
            if sum(&state.complete) > 0 && sum(without) > 0 {
                pairs.entry(*part).or_default().push(Pair { state, without });
            }
        }
    }
    let mut values: Vec<DistanceValue> =
        pairs.iter().filter_map(|(part, pairs)| value(*part, pairs)).collect();
    let tested: Vec<f64> = values.iter().map(|value| value.p).collect();
    for (value, corrected) in values.iter_mut().zip(holm(&tested)) {
        value.corrected = corrected;
    }
    values
}

fn sum(counts: &[usize]) -> usize {
    counts.iter().sum()
}

fn value(part: MemoryPart, pairs: &[Pair<'_>]) -> Option<DistanceValue> {
    let counts: Vec<AnswerCounts> = pairs.iter().map(Pair::counts).collect();
    let p = disagreement_test(&counts)?;
    let changes =
        pairs.iter().zip(&counts).filter_map(|(pair, counts)| Some(pair.sample(counts.disagreement()?)));
    let changes: Vec<LevelSample> = changes.collect();
    let worse: Vec<LevelSample> = pairs.iter().filter_map(Pair::worse).collect();
    let levels: BTreeSet<&str> = pairs.iter().map(|pair| pair.state.level.as_str()).collect();
    Some(DistanceValue {
        part,
        states: pairs.len(),
        levels: levels.len(),
        change: sample_mean(&changes)?,
        change_interval: mean_interval(&changes, Some(Interval { low: 0.0, high: 1.0 })),
        worse: sample_mean(&worse),
        worse_interval: mean_interval(&worse, None),
        p,
        corrected: p,
    })
}

impl Pair<'_> {
    fn sample(&self, value: f64) -> LevelSample {
        let repeat = Repeat { number: self.state.step, seed: 0 };
        LevelSample { level: self.state.level.clone(), repeat, value }
    }

    fn counts(&self) -> AnswerCounts {
        AnswerCounts { one: self.state.complete.clone(), other: self.without.to_vec() }
    }

    /// How much smaller the share of optimal answers is without the part, if each action was judged.
    fn worse(&self) -> Option<LevelSample> {
        let is_optimal = self.state.optimal.as_ref()?;
        let number = |count: usize| u32::try_from(count).map_or(f64::NAN, f64::from);
        let share = |counts: &[usize]| {
            let optimal = counts.iter().zip(is_optimal).filter(|(_, is_optimal)| **is_optimal);
            number(optimal.map(|(count, _)| count).sum()) / number(sum(counts))
        };
        Some(self.sample(share(&self.state.complete) - share(self.without)))
    }
}
