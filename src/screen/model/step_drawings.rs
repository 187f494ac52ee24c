//! The drawings in cells of the steps before the shown one, for the transcript. Each is read once, before the screen is drawn.

use std::sync::Arc;

use super::{EpisodeView, Model};
use mageyard_domain::{Digest, SharedDrawing};
use mageyard_engine::Step;

/// The most steps before the shown one that have a drawing.
pub(crate) const MAX_DRAWN: usize = 4;
/// The most drawings that are kept.
const MAX_KEPT: usize = 16;

/// Drawings by the digests of their observations; `None` of what has no drawing.
#[derive(Clone, Debug, Default)]
pub(crate) struct StepDrawings(Vec<(Digest, Option<SharedDrawing>)>);

impl StepDrawings {
    fn find(&self, digest: Digest) -> Option<&Option<SharedDrawing>> {
        self.0.iter().find(|(known, _)| *known == digest).map(|(_, drawing)| drawing)
    }

    fn keep(&mut self, digest: Digest, drawing: Option<SharedDrawing>) {
        let excess = (self.0.len() + 1).saturating_sub(MAX_KEPT);
        self.0.drain(..excess);
        self.0.push((digest, drawing));
    }
}

impl Model {
    /// Reads the drawings of the steps before the shown one that were not read yet.
    pub(super) fn load_step_drawings(&mut self) {
        let Some(viewed) = self.episode() else { return };
        let Some(inspector) = viewed.snapshot.presentation.inspector else { return };
        for step in steps_before(viewed) {
            let digest = step.observation.digest();
            if self.frame.step_drawings.find(digest).is_none() {
                self.frame.step_drawings.keep(digest, inspector.drawing(&step.observation));
            }
        }
    }

    /// The drawing of a step, if it has one and it was read.
    pub(crate) fn step_drawing(&self, step: &Step) -> Option<&SharedDrawing> {
        self.frame.step_drawings.find(step.observation.digest())?.as_ref()
    }
}

fn steps_before(viewed: &EpisodeView) -> Vec<Arc<Step>> {
    let shown = viewed.index();
    let steps = &viewed.snapshot.steps;
    (shown.saturating_sub(MAX_DRAWN)..shown).filter_map(|index| steps.get(index).cloned()).collect()
}
