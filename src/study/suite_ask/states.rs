//! The states in the order in which their answers differ between variants.

use std::collections::BTreeMap;

use super::compare::COMPARED;
use super::state::JudgedState;
use crate::AskCall;
use crate::comparison::{pairs, total_variation};
use mageyard_statistics::share;

/// The answers of a variant to a state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StateAnswers {
    /// The replies.
    pub replies: usize,
    /// The accepted ones; `None` if that cannot be judged.
    pub accepted: Option<usize>,
    /// The answers with their number, the most frequent first; `None` for replies that cannot be read.
    pub answers: Vec<(Option<String>, usize)>,
}

/// A state and how far its answers differ between variants.
#[derive(Clone, Debug, PartialEq)]
pub struct DifferingState {
    /// The index among the states that were asked.
    pub state: usize,
    /// The greatest difference of the accepted share between two variants.
    pub range: f64,
    /// The greatest total variation distance of the answers of two variants, from 0 to 1.
    pub distance: f64,
    /// The answers of each variant.
    pub variants: Vec<StateAnswers>,
}

/// All states: first those in which the accepted share differs most, then those in which the answers do.
pub(super) fn ordered_states(
    states: &[JudgedState],
    calls: &[&[AskCall]],
    variants: usize,
) -> Vec<DifferingState> {
    let of = |(index, (state, calls)): (usize, (&JudgedState, &&[AskCall]))| {
        let answers = (0..variants).map(|variant| answers(state, calls, variant)).collect();
        differing(index, answers)
    };
    let mut all: Vec<DifferingState> = states.iter().zip(calls).enumerate().map(of).collect();
    all.sort_by(|one, other| other.range.total_cmp(&one.range).then(other.distance.total_cmp(&one.distance)));
    all
}

fn answers(state: &JudgedState, calls: &[AskCall], variant: usize) -> StateAnswers {
    let mut counts: BTreeMap<Option<&str>, usize> = BTreeMap::new();
    let mut replies = 0;
    let mut accepted = state.accepted.as_ref().map(|_| 0);
    for call in calls.iter().filter(|call| call.variant == variant && call.reply.is_some()) {
        replies += 1;
        *counts.entry(call.answer()).or_default() += 1;
        let is_met = COMPARED.is_met(state, call.answer()) == Some(true);
        accepted = accepted.map(|count| count + usize::from(is_met));
    }
    let mut answers: Vec<_> =
        counts.into_iter().map(|(answer, count)| (answer.map(str::to_owned), count)).collect();
    answers.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    StateAnswers { replies, accepted, answers }
}

fn differing(state: usize, variants: Vec<StateAnswers>) -> DifferingState {
    let asked: Vec<&StateAnswers> = variants.iter().filter(|answers| answers.replies > 0).collect();
    let shares: Vec<f64> =
        asked.iter().filter_map(|answers| share(answers.accepted?, answers.replies)).collect();
    let highest = shares.iter().copied().reduce(f64::max).unwrap_or_default();
    let range = highest - shares.iter().copied().reduce(f64::min).unwrap_or_default();
    let distances = pairs(asked.len()).map(|(one, other)| distance(asked[one], asked[other]));
    let distance = distances.fold(0.0, f64::max);
    DifferingState { state, range, distance, variants }
}

fn distance(one: &StateAnswers, other: &StateAnswers) -> f64 {
    let of = |answers: &StateAnswers, answer: &Option<String>| {
        let found = answers.answers.iter().find(|(own, _)| own == answer);
        found.and_then(|(_, count)| share(*count, answers.replies)).unwrap_or_default()
    };
    let all = one.answers.iter().chain(&other.answers).map(|(answer, _)| answer);
    total_variation(all, |answer| of(one, answer), |answer| of(other, answer))
}
