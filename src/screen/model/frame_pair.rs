//! What is drawn of a step beside its own frame: the frame before it with what has changed, and its action.

use std::sync::Arc;

use super::{EpisodeView, Model};
use mageyard_domain::{ActionShape, ObservationInspector, Picture};
use mageyard_engine::Step;
use mageyard_terminal::{PictureChanges, with_shapes};

/// The frames of two steps, one after the other.
#[derive(Clone, Debug)]
pub(crate) struct FramePair {
    pub(crate) before: Arc<Picture>,
    pub(crate) after: Arc<Picture>,
    /// What has changed; `None` if the sizes differ.
    pub(crate) changes: Result<Option<PictureChanges>, String>,
}

/// A frame with the marks of the action that was chosen there.
#[derive(Clone, Debug)]
pub(crate) struct MarkedFrame {
    pub(crate) picture: Arc<Picture>,
    pub(crate) shapes: Vec<ActionShape>,
    /// The same picture with the marks.
    pub(crate) marked: Arc<Picture>,
}

impl FramePair {
    /// Compares two pictures.
    pub(crate) fn of(before: &Arc<Picture>, after: &Arc<Picture>) -> Self {
        let same_size = (before.width(), before.height()) == (after.width(), after.height());
        let compare = || {
            let one = before.pixels()?;
            let other = after.pixels()?;
            Ok(PictureChanges::between(&one, &other, after.width(), after.grain()))
        };
        let changes = if same_size { compare().map(Some) } else { Ok(None) };
        let changes = changes.map_err(|error: mageyard_domain::PictureError| error.to_string());
        Self { before: before.clone(), after: after.clone(), changes }
    }

    /// What has changed, in words.
    pub(crate) fn label(&self) -> String {
        let size = |picture: &Picture| format!("{}×{}", picture.width(), picture.height());
        match &self.changes {
            Ok(Some(changes)) => changes.label(),
            Ok(None) => format!("the sizes differ: {} and {} px", size(&self.before), size(&self.after)),
            Err(why) => format!("the frames cannot be compared: {why}"),
        }
    }
}

impl Model {
    /// The step before the shown one.
    pub(crate) fn earlier_step(&self) -> Option<&Step> {
        let viewed = self.episode()?;
        viewed.step()?;
        viewed.snapshot.steps.get(viewed.index().checked_sub(1)?).map(|step| &**step)
    }

    /// Whether the frame before is shown with the present one; a film and the frame as sent are shown alone.
    pub(crate) fn compares_frames(&self) -> bool {
        self.frame.before_and_after && !self.frame.as_sent && self.film_frame().is_none()
    }

    /// The frames before and after, if both steps have one.
    pub(crate) fn shown_pair(&self) -> Option<&FramePair> {
        let shown = self.shown_picture()?.picture;
        self.frame.pair.as_ref().filter(|pair| self.compares_frames() && Arc::ptr_eq(&pair.after, shown))
    }

    /// Compares the frames of the shown step and the one before, unless that was done.
    pub(super) fn compare_frames(&mut self) {
        let Some((before, after)) = self.frames_to_compare() else {
            self.frame.pair = None;
            return;
        };
        let is_known =
            |pair: &FramePair| Arc::ptr_eq(&pair.before, &before) && Arc::ptr_eq(&pair.after, &after);
        if !self.frame.pair.as_ref().is_some_and(is_known) {
            self.frame.pair = Some(FramePair::of(&before, &after));
        }
    }

    fn frames_to_compare(&self) -> Option<(Arc<Picture>, Arc<Picture>)> {
        let after = self.shown_picture().filter(|_| self.compares_frames())?;
        let images = self.earlier_step()?.observation.images();
        let before = images.map(|(_, picture)| picture).take(after.number).last()?;
        Some((before.clone(), after.picture.clone()))
    }

    /// Draws the action of the shown step onto its frame, unless that was done. Of a pair the frame before is marked with
    /// the action that led to the other one.
    pub(super) fn mark_action(&mut self) {
        let marked = self.frame_to_mark().and_then(|(picture, shapes)| {
            let known = self.frame.marked.take();
            let is_known =
                |known: &MarkedFrame| Arc::ptr_eq(&known.picture, &picture) && known.shapes == shapes;
            if shapes.is_empty() {
                return None;
            }
            Some(known.filter(is_known).unwrap_or_else(|| {
                let marked = Arc::new(with_shapes(&picture, &shapes));
                MarkedFrame { picture, shapes, marked }
            }))
        });
        self.frame.marked = marked;
    }

    fn frame_to_mark(&self) -> Option<(Arc<Picture>, Vec<ActionShape>)> {
        let step = self.marked_step()?;
        let (_, picture) = step.observation.images().next()?;
        let inspector = self.episode()?.snapshot.presentation.inspector?;
        let shapes = ObservationInspector::action_shapes(inspector, &step.observation, step.action.as_ref()?);
        Some((picture.clone(), shapes))
    }

    /// Whether the action that is to be drawn has a place on the frame, or is not chosen yet.
    pub(crate) fn action_has_place(&self) -> bool {
        let is_chosen = self.marked_step().is_some_and(|step| step.action.is_some());
        !is_chosen || self.frame_to_mark().is_some_and(|(_, shapes)| !shapes.is_empty())
    }

    /// The step whose action is drawn.
    pub(crate) fn marked_step(&self) -> Option<&Step> {
        let shown = || self.episode().and_then(EpisodeView::step).map(|step| &**step);
        let step = if self.frame.before_and_after { self.earlier_step() } else { shown() };
        step.filter(|_| self.frame.overlay && !self.frame.as_sent && self.film_frame().is_none())
    }

    /// The marks of the action on this picture.
    pub(crate) fn shapes_on(&self, picture: &Arc<Picture>) -> &[ActionShape] {
        let marked =
            self.frame.marked.as_ref().filter(|marked| {
                Arc::ptr_eq(&marked.picture, picture) || Arc::ptr_eq(&marked.marked, picture)
            });
        marked.map_or(&[], |marked| &marked.shapes)
    }

    /// This picture, with the marks of the action where the terminal gets pixels.
    pub(crate) fn with_marks<'a>(&'a self, picture: &'a Arc<Picture>) -> &'a Arc<Picture> {
        let has_pixels = self.picture_form().0.has_pixels();
        let marked = self.frame.marked.as_ref().filter(|_| has_pixels);
        marked.filter(|marked| Arc::ptr_eq(&marked.picture, picture)).map_or(picture, |marked| &marked.marked)
    }
}
