//! Where two episodes part, and where they meet again.

use rustc_hash::FxHashMap;

use mageyard_domain::SideRole;
use mageyard_engine::{Episode, SideExchange};

/// The first step at which two episodes differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// The step, from 1.
    pub step: u32,
    /// Whether its state is equal, so that only the action differs.
    pub is_same_state: bool,
    /// The first later steps of both that begin in one state, if there are any.
    pub meeting: Option<(u32, u32)>,
}

/// Compares two episodes step by step, by state and action; `None` if they are equal.
pub fn first_divergence(old: &Episode, new: &Episode) -> Option<Divergence> {
    let most = old.steps().len().max(new.steps().len());
    let index = (0..most).find(|index| {
        let [one, other] = [old, new].map(|episode| episode.steps().get(*index));
        match (one, other) {
            (Some(one), Some(other)) => (one.state, &one.action) != (other.state, &other.action),
            _ => true,
        }
    })?;
    let [one, other] = [old, new].map(|episode| episode.steps().get(index));
    let is_same_state = one.zip(other).is_some_and(|(one, other)| one.state == other.state);
    let step = u32::try_from(index + 1).unwrap_or(u32::MAX);
    Some(Divergence { step, is_same_state, meeting: meeting(old, new, index) })
}

/// A side request that only one of two episodes has, or whose question or answer differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerDifference {
    /// The step, from 1.
    pub step: u32,
    /// The role.
    pub role: SideRole,
    /// The answers of both; `None` where the role was not asked.
    pub answers: [Option<String>; 2],
}

/// Compares the answers to the side requests of two episodes up to the step at which they differ otherwise.
pub fn answer_differences(old: &Episode, new: &Episode) -> Vec<AnswerDifference> {
    let last = first_divergence(old, new).map_or(usize::MAX, |found| found.step as usize);
    let steps = old.steps().len().max(new.steps().len()).min(last);
    let mut differences = Vec::new();
    for index in 0..steps {
        let step = u32::try_from(index + 1).unwrap_or(u32::MAX);
        for role in SideRole::ALL {
            let [one, other] = [old, new].map(|episode| answered(episode, index, role));
            for at in 0..one.len().max(other.len()) {
                let [one, other] = [one.get(at), other.get(at)];
                let key = |exchange: &&SideExchange| (exchange.question.clone(), exchange.answer.clone());
                if one.map(key) != other.map(key) {
                    let answers = [one, other].map(|exchange| exchange.map(|it| it.answer_text()));
                    differences.push(AnswerDifference { step, role, answers });
                }
            }
        }
    }
    differences
}

/// The side requests of a role at the step with this index that were answered.
fn answered(episode: &Episode, index: usize, role: SideRole) -> Vec<&SideExchange> {
    let side = episode.steps().get(index).into_iter().flat_map(|step| &step.side);
    side.filter(|exchange| exchange.role() == role && exchange.answer.is_some()).collect()
}

/// The first states after this index that both have.
fn meeting(old: &Episode, new: &Episode, index: usize) -> Option<(u32, u32)> {
    let mut known = FxHashMap::default();
    for step in old.steps().iter().skip(index + 1) {
        known.entry(step.state).or_insert(step.number);
    }
    let mut later = new.steps().iter().skip(index + 1);
    later.find_map(|step| Some((*known.get(&step.state)?, step.number)))
}
