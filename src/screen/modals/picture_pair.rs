//! Two pictures beside each other in a dialog, with lines around what differs.

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::model::{FramePair, Model};
use crate::panes::outline;
use mageyard_domain::Picture;
use mageyard_terminal::{FrameCache, PictureZoom};

/// The columns between two pictures.
const GAP: u16 = 2;

/// The left and the right half of an area.
pub(super) fn halves(area: Rect) -> [Rect; 2] {
    let width = area.width.saturating_sub(GAP) / 2;
    [area.x, area.right().saturating_sub(width)].map(|x| Rect { x, width, ..area })
}

/// Draws one of the pictures.
pub(super) fn draw(
    model: &Model,
    gallery: &FrameCache,
    picture: &Arc<Picture>,
    pair: Option<&FramePair>,
    area: Rect,
    buf: &mut Buffer,
) {
    gallery.draw(picture, area, buf);
    let Some(shown) = PictureZoom::default().placement(picture, model.picture_room(area.as_size())) else {
        return;
    };
    let changes = pair.and_then(|pair| pair.changes.as_ref().ok()?.as_ref());
    let parts = changes.into_iter().flat_map(|changes| changes.areas.iter().copied());
    outline(model, parts, shown, area, buf);
}
