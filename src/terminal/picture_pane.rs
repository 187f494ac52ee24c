//! A pane with one picture and without a screen around it, for documents, tests and measurements: the bytes that a
//! terminal gets are those of the screen.

use std::io;
use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use ratatui::style::Style;

use crate::backend::{CellWriter, skipped_cells};
use crate::picture::{FrameCache, PictureZoom};
use crate::theme::ColorDepth;
use mageyard_config::PictureForm;
use mageyard_domain::Picture;

/// A pane of a terminal with colours, and what the terminal shows of it.
pub struct PicturePane {
    cache: FrameCache,
    shown: Buffer,
    writer: CellWriter,
}

impl PicturePane {
    /// An empty pane of this many columns and rows, whose cells have so many pixels.
    pub fn new(form: PictureForm, (columns, rows): (u16, u16), (width, height): (u16, u16)) -> Self {
        let mut cache = FrameCache::default();
        // There is no terminal whose pictures must be freed.
        let _ = cache.set_form(form, Some(Size { width, height }), true, false);
        Self { cache, shown: Buffer::empty(Rect::new(0, 0, columns, rows)), writer: CellWriter::default() }
    }

    /// Shows a picture, and returns the bytes for the terminal.
    ///
    /// # Errors
    ///
    /// Never: writing to memory does not fail.
    pub fn show(&mut self, picture: &Arc<Picture>) -> io::Result<Vec<u8>> {
        let area = self.shown.area;
        self.cache.begin(ColorDepth::TrueColor, false, Style::new());
        self.cache.prepare(picture, area.as_size(), PictureZoom::default());
        let mut next = Buffer::empty(area);
        self.cache.draw(picture, area, &mut next);
        let sequences = self.cache.finish(&mut next);
        let text = self.writer.write(self.shown.diff(&next).into_iter()) + &sequences;
        self.writer.forget(skipped_cells(&next));
        self.shown = next;
        Ok(text.into_bytes())
    }

    /// The text of its rows.
    pub fn rows(&self) -> Vec<String> {
        let Rect { width, height, .. } = self.shown.area;
        (0..height).map(|y| (0..width).map(|x| self.shown[(x, y)].symbol()).collect()).collect()
    }
}
