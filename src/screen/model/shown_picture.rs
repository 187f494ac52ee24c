//! Which picture of the shown step the frame pane shows.

use std::sync::Arc;

use super::{EpisodeView, Model};
use mageyard_domain::{PartId, Picture};

/// A picture of the shown step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShownPicture<'a> {
    pub(crate) picture: &'a Arc<Picture>,
    /// The part that it is.
    pub(crate) part: PartId,
    /// Its number among the pictures of the step, from 1.
    pub(crate) number: usize,
    /// The number of pictures of the step.
    pub(crate) count: usize,
}

impl ShownPicture<'_> {
    /// `picture 1 of 2`; `None` if the step has only one.
    pub(crate) fn label(self) -> Option<String> {
        (self.count > 1).then(|| format!("picture {} of {}", self.number, self.count))
    }
}

impl Model {
    /// The selected picture of the shown step, or its last one if it has fewer; `None` if it has none.
    pub(crate) fn shown_picture(&self) -> Option<ShownPicture<'_>> {
        let step = self.episode().and_then(EpisodeView::step)?;
        let count = step.observation.images().count();
        let at = self.frame.picture.min(count.checked_sub(1)?);
        let (index, picture) = step.observation.images().nth(at)?;
        let part = PartId { step: step.number, index };
        Some(ShownPicture { picture, part, number: at + 1, count })
    }

    /// The index of what the frame pane shows of the step: that of its page in views, else of its picture. Pages of several
    /// pictures begin with the picture of their number.
    pub(crate) fn shown_number(&self) -> usize {
        match self.shown_page() {
            Some(page) => page.index,
            None => self.shown_picture().map_or(0, |shown| shown.number - 1),
        }
    }

    /// Shows the picture with this index; in views the page with it.
    pub(crate) fn choose_picture(&mut self, index: usize) {
        match self.shown_page().map(|page| page.pages) {
            Some(pages) => self.frame.page = index.min(pages.saturating_sub(1)),
            None => self.frame.picture = index,
        }
    }
}
