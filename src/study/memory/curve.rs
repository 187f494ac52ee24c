//! What each remembered part is worth, by how many steps back it is.

use std::collections::{BTreeMap, BTreeSet};

use crate::{ActionVerdict, AskCall, StoredAsk};
use mageyard_dialog::LeftOut;
use mageyard_statistics::{
    AnswerCounts, Interval, LevelSample, Repeat, disagreement_test, holm, mean_interval, sample_mean,
};

/// The level of the tests.
const LEVEL: f64 = 0.05;

/// What is left out of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Remembered {
    /// A past step: its output, and its frame if that is in OM.
    Row,
    /// A frame.
    Frame,
}

impl Remembered {
    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Row => "output with its frame",
            Self::Frame => "frame",
        }
    }
}

/// What requests without the part of one distance lead to.
#[derive(Clone, Debug, PartialEq)]
pub struct DistanceValue {
    /// What is left out.
    pub what: Remembered,
    /// How many steps back it is; 0 for the frame of the step.
    pub back: u32,
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
    /// The same, corrected by Holm for all distances.
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
    level: &'a str,
    complete: Vec<&'a AskCall>,
    without: Vec<&'a AskCall>,
    ask: &'a StoredAsk,
}

/// The values by what is left out and by distance. Each ask is of a state with the reference of its level.
pub(super) fn distance_values(asks: &[(&str, &StoredAsk)]) -> Vec<DistanceValue> {
    let mut pairs: BTreeMap<(Remembered, u32), Vec<Pair<'_>>> = BTreeMap::new();
    for (level, ask) in asks {
        for (index, variant) in ask.record.variants.iter().enumerate() {
            let (what, step) = match variant.left_out {
                Some(LeftOut::Row(step)) => (Remembered::Row, step),
                Some(LeftOut::Frame(step)) => (Remembered::Frame, step),
                Some(LeftOut::Segment(_)) | None => continue,
            };
            let pair = Pair { level, complete: replies(ask, 0), without: replies(ask, index), ask };
            if !pair.complete.is_empty() && !pair.without.is_empty() {
                pairs.entry((what, ask.record.step.saturating_sub(step))).or_default().push(pair);
            }
        }
    }
    let found = pairs.iter().filter_map(|((what, back), pairs)| value(*what, *back, pairs));
    let mut values: Vec<DistanceValue> = found.collect();
    let tested: Vec<f64> = values.iter().map(|value| value.p).collect();
    for (value, corrected) in values.iter_mut().zip(holm(&tested)) {
        value.corrected = corrected;
    }
    values
}

fn replies(ask: &StoredAsk, variant: usize) -> Vec<&AskCall> {
    ask.calls.iter().filter(|call| call.variant == variant && call.reply.is_some()).collect()
}

fn value(what: Remembered, back: u32, pairs: &[Pair<'_>]) -> Option<DistanceValue> {
    let counts: Vec<AnswerCounts> = pairs.iter().map(Pair::counts).collect();
    let p = disagreement_test(&counts)?;
    let changes =
        pairs.iter().zip(&counts).filter_map(|(pair, counts)| Some(pair.sample(counts.disagreement()?)));
    let changes: Vec<LevelSample> = changes.collect();
    let worse: Vec<LevelSample> = pairs.iter().filter_map(Pair::worse).collect();
    let levels: BTreeSet<&str> = pairs.iter().map(|pair| pair.level).collect();
    Some(DistanceValue {
        what,
        back,
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
        let repeat = Repeat { number: self.ask.record.step, seed: 0 };
        LevelSample { level: self.level.to_owned(), repeat, value }
    }

    /// How often each answer was given; replies that cannot be read are one answer.
    fn counts(&self) -> AnswerCounts {
        let answers = |calls: &[&AskCall]| -> Vec<Option<String>> {
            calls.iter().map(|call| call.actions.first().cloned()).collect()
        };
        let (one, other) = (answers(&self.complete), answers(&self.without));
        let kinds: BTreeSet<&Option<String>> = one.iter().chain(&other).collect();
        let count = |given: &[Option<String>]| {
            kinds.iter().map(|kind| given.iter().filter(|answer| *answer == *kind).count()).collect()
        };
        AnswerCounts { one: count(&one), other: count(&other) }
    }

    /// How much smaller the share of optimal answers is without the part, if each action was judged.
    fn worse(&self) -> Option<LevelSample> {
        let verdicts = self.ask.record.verdicts.as_ref()?;
        let is_judged = verdicts.values().all(|verdict| *verdict != ActionVerdict::Legal);
        let has_optimal = verdicts.values().any(|verdict| *verdict == ActionVerdict::Optimal);
        let is_optimal = |call: &&&AskCall| {
            let answer = call.actions.first();
            answer.and_then(|answer| verdicts.get(answer)) == Some(&ActionVerdict::Optimal)
        };
        let share = |calls: &[&AskCall]| {
            let count = |count: usize| u32::try_from(count).map_or(f64::NAN, f64::from);
            count(calls.iter().filter(is_optimal).count()) / count(calls.len())
        };
        (is_judged && has_optimal).then(|| self.sample(share(&self.complete) - share(&self.without)))
    }
}
