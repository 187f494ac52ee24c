//! Two requests side by side: their difference, the images that only one of them has, and what they cost.

use std::sync::Arc;

use super::frame_pair::FramePair;
use mageyard_dialog::{PartDiff, RequestDiff};
use mageyard_domain::{Picture, RequestReader, SentRequest, Setting, TokenTotals, TurnPart};
use mageyard_engine::Snapshot;

/// A request that is compared.
#[derive(Clone, Debug)]
pub(crate) struct ComparedRequest {
    /// How it is called: its episode and its step.
    pub(crate) name: String,
    pub(crate) sent: Arc<SentRequest>,
    pub(crate) spent: TokenTotals,
    snapshot: Arc<Snapshot>,
}

/// An image that one request has where the other has another one, or none.
#[derive(Clone, Debug)]
pub(crate) struct ImageChange {
    pub(crate) old: Option<Arc<Picture>>,
    pub(crate) new: Option<Arc<Picture>>,
    /// What differs between both.
    pub(crate) pair: Option<FramePair>,
}

/// Two requests and their difference.
#[derive(Clone, Debug)]
pub(crate) struct RequestComparison {
    pub(crate) old: ComparedRequest,
    pub(crate) new: ComparedRequest,
    pub(crate) diff: RequestDiff,
    pub(crate) images: Vec<ImageChange>,
    /// The images that are shown.
    pub(crate) shown_images: usize,
    pub(crate) scroll: u16,
}

impl ComparedRequest {
    /// The last request of a step; in the Global setting that of the first step. The error says why there is none.
    pub(crate) fn of(episode: &str, snapshot: &Arc<Snapshot>, step: u32) -> Result<Self, String> {
        let number = if snapshot.head.setting == Setting::Global { 1 } else { step };
        let found = snapshot.steps.numbered(number).ok_or_else(|| format!("{episode} has no step {step}"))?;
        let attempt = found.attempts.iter().rev().find(|attempt| attempt.sent.is_some());
        let known = attempt.and_then(|attempt| Some((attempt.sent.clone()?, attempt.spent())));
        let why = if snapshot.requests.encoder.is_some() {
            "has no request yet"
        } else {
            "has no request; only an agent that asks a model sends some"
        };
        let (request, spent) = known.ok_or_else(|| format!("step {number} of {episode} {why}"))?;
        let name = format!("{episode}, step {number}");
        Ok(Self { name, sent: request, spent, snapshot: snapshot.clone() })
    }

    /// The name of the model.
    pub(crate) fn model(&self) -> Option<&str> {
        self.snapshot.head.model()
    }

    /// The picture of a part, as it was rendered.
    fn picture(&self, part: &TurnPart) -> Option<Arc<Picture>> {
        let TurnPart::Image { image: Some(image), .. } = part else { return None };
        let step = self.snapshot.steps.numbered(image.part.step)?;
        let (_, picture) = step.observation.images().find(|(index, _)| *index == image.part.index)?;
        Some(picture.clone())
    }
}

impl RequestComparison {
    /// Compares two requests, whose turns this reader reads.
    pub(crate) fn new(old: ComparedRequest, new: ComparedRequest, reader: &dyn RequestReader) -> Self {
        let diff = RequestDiff::new(&old.sent, &new.sent, reader);
        let images = image_changes(&diff, &old, &new);
        Self { old, new, diff, images, shown_images: 0, scroll: 0 }
    }

    /// Shows the next or previous images; it stops at both ends.
    pub(crate) fn move_images(&mut self, by: isize) {
        let last = self.images.len().saturating_sub(1);
        self.shown_images = self.shown_images.saturating_add_signed(by).min(last);
    }

    /// The images that are shown, if some differ.
    pub(crate) fn shown(&self) -> Option<&ImageChange> {
        self.images.get(self.shown_images)
    }
}

/// The images that only one request has, in order; the first removed one beside the first added one, and so on.
fn image_changes(diff: &RequestDiff, old: &ComparedRequest, new: &ComparedRequest) -> Vec<ImageChange> {
    let parts = || diff.turns.iter().flat_map(|turn| &turn.parts);
    let removed = parts().filter_map(|part| match part {
        PartDiff::Removed(part) => old.picture(part),
        _ => None,
    });
    let added = parts().filter_map(|part| match part {
        PartDiff::Added(part) => new.picture(part),
        _ => None,
    });
    let (removed, added): (Vec<_>, Vec<_>) = (removed.collect(), added.collect());
    let change = |index: usize| {
        let old = removed.get(index).cloned();
        let new = added.get(index).cloned();
        let pair = old.as_ref().zip(new.as_ref()).map(|(old, new)| FramePair::of(old, new));
        ImageChange { old, new, pair }
    };
    (0..removed.len().max(added.len())).map(change).collect()
}
