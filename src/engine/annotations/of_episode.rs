//! The annotations of an episode or of a branch. A step that a branch shares with its parent has those of the parent.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use std::collections::BTreeMap;

use super::of_session::{DamagedAnnotation, SessionAnnotations, StepAnnotations, counts, sorted_tags};
use super::place::StepPlace;

/// Which branch has the steps of a branch from a number on as its own, the branch itself first. The last one is the
/// episode and begins at 1.
#[derive(Clone, Debug)]
pub(super) struct StepOwners(pub(super) Vec<(Option<u32>, u32)>);

impl StepOwners {
    /// The branch that has this step as its own.
    pub(super) fn of(&self, step: u32) -> Option<u32> {
        self.0.iter().find(|(_, first)| *first <= step).and_then(|(branch, _)| *branch)
    }
}

/// The annotations of an episode or of a branch, by the number of the step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EpisodeAnnotations {
    /// The steps that have some.
    pub steps: BTreeMap<u32, StepAnnotations>,
    /// The tags in use in the whole session.
    pub known_tags: Vec<String>,
    /// The lines of the session's file that cannot be read.
    pub damaged: Vec<DamagedAnnotation>,
}

impl EpisodeAnnotations {
    pub(super) fn new(session: SessionAnnotations, episode: Option<u32>, owners: &StepOwners) -> Self {
        let known_tags = sorted_tags(session.steps.values());
        let is_own = |place: &StepPlace| place.episode == episode && owners.of(place.step) == place.branch;
        let own = session.steps.into_iter().filter(|(place, _)| is_own(place));
        let steps = own.map(|(place, step)| (place.step, step)).collect();
        Self { steps, known_tags, damaged: session.damaged }
    }

    /// The annotations of this step, if it has some.
    pub fn step(&self, number: u32) -> Option<&StepAnnotations> {
        self.steps.get(&number)
    }

    /// How many tags and comments there are.
    pub fn counts(&self) -> (usize, usize) {
        counts(self.steps.values())
    }
}
