//! A sweep beside the tree of home: its counts, and its first map or the signs and rows of its cells.

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::content::Content;
use super::score_map::SweepScores;
use super::view::SweepView;
use super::{draw, lines};
use mageyard_terminal::Theme;

/// What is shown of a sweep beside the tree of home.
#[derive(Clone, Debug, Default)]
pub struct SweepPreview {
    /// The states of its cells, with results once they were read.
    pub view: Arc<SweepView>,
    /// Its maps of AM and OM and what they say; empty if it has none, or they were not made yet.
    pub scores: Arc<SweepScores>,
}

impl SweepPreview {
    /// Whether another one with results follows.
    pub(crate) fn is_being_read(&self) -> bool {
        !self.view.note.is_empty()
    }

    /// Draws it into an area of any size.
    pub(crate) fn draw(&self, theme: &Theme, area: Rect, buf: &mut Buffer) {
        let content = Content { view: self.view.clone(), scores: self.scores.clone(), ..Content::default() };
        draw::draw_preview(&content, theme, area, buf);
    }

    /// The same in lines.
    pub(crate) fn lines(&self) -> Vec<String> {
        lines::status(&self.view)
    }
}
