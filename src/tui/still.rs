//! The screen without a terminal: for documents, and for whoever wants to see what would be drawn.

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::layout::Size;

use super::look::Look;
use super::model::Model;
use super::model::Viewed;
use super::picture::Gallery;
use super::view;
use crate::engine::Mode;
use crate::engine::Snapshot;

/// The screen on this snapshot, following its newest step.
pub fn still(snapshot: Arc<Snapshot>, look: &Look, width: u16, height: u16) -> Buffer {
    let live = snapshot.mode != Mode::Recorded;
    let model = Model::new(look.clone(), Size::new(width, height), vec![Viewed::new(snapshot, live)]);
    picture(&model)
}

/// What this model looks like.
pub(crate) fn picture(model: &Model) -> Buffer {
    let whole = Rect::new(0, 0, model.size.width, model.size.height);
    let mut gallery = Gallery::default();
    gallery.prepare(model, whole);
    let mut buffer = Buffer::empty(whole);
    view::draw(model, &gallery, whole, &mut buffer);
    buffer
}
