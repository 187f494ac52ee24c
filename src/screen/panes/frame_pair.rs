//! The frame before and the present one, side by side or one above the other, with lines around what has changed.

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};

use super::{boxes, claims, overlay};
use crate::model::{FramePair, Model};
use mageyard_domain::Picture;
use mageyard_terminal::{FrameCache, StyleRole, fitted_size, to_cells};

/// The rows above each picture.
const TITLE: u16 = 1;
/// The columns for the words about what has changed.
const LABEL: u16 = 56;
/// The columns between two pictures.
const GAP: u16 = 1;

/// The areas of the pictures before and after: beside each other, or one above the other where they are larger so. Each
/// has a row for its title above it.
pub(super) fn areas(model: &Model, pair: &FramePair, area: Rect) -> [Rect; 2] {
    let beside = area.width.saturating_sub(GAP) / 2;
    let below = area.height / 2;
    let columns = [area.x, area.right() - beside].map(|x| Rect {
        x,
        y: area.y + TITLE,
        width: beside,
        height: area.height.saturating_sub(TITLE),
    });
    let rows = [area.y, area.bottom() - below].map(|y| Rect {
        y: y + TITLE,
        height: below.saturating_sub(TITLE),
        ..area
    });
    let width = |room: Rect| fitted(model, pair, room).map_or(0, |(width, _)| width);
    if width(rows[0]) > width(columns[0]) { rows } else { columns }
}

/// The size of a picture in this room, in half cells.
fn fitted(model: &Model, pair: &FramePair, room: Rect) -> Option<(u32, u32)> {
    fitted_size(&pair.after, model.picture_room(room.as_size()))
}

/// The size of both pictures with their titles in this room.
pub(super) fn content_size(model: &Model, pair: &FramePair, room: Size) -> Size {
    let [first, second] = areas(model, pair, Rect::from((ratatui::layout::Position::ORIGIN, room)));
    let cells = |pixels: u32| u16::try_from(pixels).unwrap_or(u16::MAX);
    let Some((width, height)) = fitted(model, pair, first) else { return room };
    let width = cells(width);
    let height = cells(height.div_ceil(2)) + TITLE;
    let (width, height) = if first.y == second.y { (width * 2 + GAP, height) } else { (width, height * 2) };
    Size::new(width.max(LABEL).min(room.width), height.min(room.height))
}

/// Both pictures as they are drawn, with their areas.
pub(super) fn pictures<'a>(
    model: &'a Model,
    pair: &'a FramePair,
    area: Rect,
) -> [(&'a Arc<Picture>, Rect); 2] {
    let [before, after] = areas(model, pair, area);
    [(model.with_marks(&pair.before), before), (&pair.after, after)]
}

pub(super) fn draw(model: &Model, pair: &FramePair, gallery: &FrameCache, area: Rect, buf: &mut Buffer) {
    let names = [model.earlier_step().map_or(0, |step| step.number), shown_number(model)];
    let changes = pair.changes.as_ref().ok().and_then(Option::as_ref);
    let both = pictures(model, pair, area).into_iter().zip(["before", "after"]).zip(names);
    for (((picture, room), word), number) in both {
        if room.is_empty() {
            continue;
        }
        gallery.draw(picture, room, buf);
        let Some(shown) = model.frame.zoom.placement(picture, model.picture_room(room.as_size())) else {
            continue;
        };
        overlay::draw(model, model.shapes_on(picture), shown, room, buf);
        if model.is_claimed_about(picture) {
            claims::draw(model, shown, room, buf);
        }
        let parts = changes.into_iter().flat_map(|changes| changes.areas.iter().copied());
        boxes::outline(model, parts, shown, room, buf);
        let title = format!("{word}: step {number}");
        let place = shown.area(room);
        let width = to_cells(title.chars().count()).min(room.width);
        let x = (place.x + place.width.saturating_sub(width) / 2).min(room.right() - width);
        buf.set_stringn(x, room.y.saturating_sub(TITLE), title, width.into(), model.style(StyleRole::Dim));
    }
}

fn shown_number(model: &Model) -> u32 {
    model.episode().and_then(|viewed| viewed.step()).map_or(0, |step| step.number)
}
