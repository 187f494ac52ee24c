//! Where two episodes part, and where they meet again.

use rustc_hash::FxHashMap;

use mageyard_engine::Episode;

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

/// The first states after this index that both have.
fn meeting(old: &Episode, new: &Episode, index: usize) -> Option<(u32, u32)> {
    let mut known = FxHashMap::default();
    for step in old.steps().iter().skip(index + 1) {
        known.entry(step.state).or_insert(step.number);
    }
    let mut later = new.steps().iter().skip(index + 1);
    later.find_map(|step| Some((*known.get(&step.state)?, step.number)))
}
