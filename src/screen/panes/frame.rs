//! The frame pane: the observation of a step as a picture, as a drawing in cells or as text.

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};
use ratatui::text::Line;

use super::board::Hidden;
use super::frame_text::FrameText;
use super::scrolling::draw_scrolled;
use super::{boxes, claims, frame_cells, frame_pair, overlay};
use crate::appearance::FrameView;
use crate::model::{EpisodeView, FramePair, Model, SentFrame};
use crate::pane::Pane;
use crate::sent_frame;
use crate::sent_frame::FrameSource;
use mageyard_domain::Picture;
use mageyard_engine::Waiting;
use mageyard_terminal::{FrameCache, Placement, StyleRole, fitted_size, is_legible, to_cells};

/// The decoded frame as sent, if that view is on and the frame is available.
pub(super) fn sent_frame(model: &Model) -> Option<&SentFrame> {
    let there = !matches!(sent_frame::frame_source(model), FrameSource::Missing(_));
    model.frame.decoded.as_ref().filter(|_| model.frame.as_sent && there)?.frame.as_ref().ok()
}

/// The picture to draw in a pane of this size, if any. A picture that would not be legible gives way to the
/// text, unless the picture view was chosen explicitly; a drawing in cells comes before both.
pub(super) fn picture(model: &Model, room: Size) -> Option<&Arc<Picture>> {
    if model.shown_drawing().is_some() {
        return None;
    }
    if let Some(frame) = model.film_frame() {
        return Some(&frame.picture).filter(|picture| is_drawn(model, picture, room, false));
    }
    if model.frame.as_sent {
        return sent_frame(model).map(|shot| &shot.picture).filter(|_| model.shows_pictures());
    }
    if let Some(pair) = model.shown_pair() {
        return Some(&pair.after).filter(|_| model.shows_pictures());
    }
    if let Some(shown) = model.shown_view() {
        return Some(&shown.view.picture).filter(|_| model.shows_pictures());
    }
    let seen = &model.episode()?.step()?.observation;
    let picture = model.shown_picture()?.picture;
    let is_textless = seen.text().trim().is_empty();
    // Letters are few bytes, and every font has them.
    let spares = model.device.link.is_slow || model.appearance.settings.console;
    let letters = spares && model.frame.shown_as == FrameView::Auto && !is_textless;
    Some(model.with_marks(picture)).filter(|picture| !letters && is_drawn(model, picture, room, is_textless))
}

/// Whether a picture is drawn in a pane of this size: it is legible, chosen, or there is no text instead.
fn is_drawn(model: &Model, picture: &Picture, room: Size, is_textless: bool) -> bool {
    let chosen = model.frame.shown_as == FrameView::Picture || is_textless;
    let legible =
        || model.picture_form().0.has_pixels() || is_legible(picture, room, model.appearance.settings.depth);
    model.shows_pictures() && (chosen || legible())
}

/// The part of the picture that is shown in a pane of this size; on a screen without pictures, of the view whose boxes
/// are drawn.
pub(super) fn placement(model: &Model, room: Size) -> Option<Placement> {
    let boxes = || model.shown_view().filter(|shown| shown.view.boxes.is_some());
    let picture = picture(model, room).or_else(|| Some(&boxes()?.view.picture))?;
    let room = picture_area(model, Rect::from((Position::ORIGIN, room))).as_size();
    model.frame.zoom.placement(picture, model.picture_room(room))
}

/// The area of the picture within that of the pane: of a pair, the place of the later one.
pub(super) fn picture_area(model: &Model, area: Rect) -> Rect {
    drawn_pair(model).map_or(area, |pair| frame_pair::areas(model, pair, area)[1])
}

/// The pictures before and after, if they are drawn.
fn drawn_pair(model: &Model) -> Option<&FramePair> {
    model.shown_pair().filter(|_| model.shows_pictures())
}

/// The pictures that are drawn in this area of the pane.
pub(super) fn pictures(model: &Model, area: Rect) -> Vec<(&Arc<Picture>, Rect)> {
    match drawn_pair(model) {
        Some(pair) => frame_pair::pictures(model, pair, area).into(),
        None => picture(model, area.as_size()).map(|picture| (picture, area)).into_iter().collect(),
    }
}

pub(super) fn draw(model: &Model, gallery: &FrameCache, area: Rect, buf: &mut Buffer) {
    if model.episode().and_then(EpisodeView::step).is_none() {
        return draw_opening(model, area, buf);
    }
    if let Some(pair) = drawn_pair(model) {
        return frame_pair::draw(model, pair, gallery, area, buf);
    }
    if frame_cells::draw(model, area, buf) {
        return;
    }
    draw_frame(model, gallery, area, buf);
    if let (Some(picture), Some(shown)) = (picture(model, area.as_size()), placement(model, area.as_size())) {
        overlay::draw(model, model.shapes_on(picture), shown, area, buf);
        if model.is_claimed_about(picture) {
            claims::draw(model, shown, area, buf);
        }
    }
    if let (Some(boxes), Some(shown)) = (model.shown_boxes(), placement(model, area.as_size())) {
        boxes::draw(model, boxes, shown, area, buf);
    }
}

fn draw_frame(model: &Model, gallery: &FrameCache, area: Rect, buf: &mut Buffer) {
    match picture(model, area.as_size()) {
        Some(picture) => gallery.draw(picture, area, buf),
        None if model.shown_boxes().is_some() => {}
        None => draw_text(model, area, buf),
    }
}

/// Shown while the environment opens; most of that time is the solver's.
const OPENING: &str = "opening and solving the level …";
/// Shown while a person is asked whether it may open.
const ASKED: &str = "not open: a question waits for you";

fn draw_opening(model: &Model, area: Rect, buf: &mut Buffer) {
    let asks = model.episode().is_some_and(|viewed| viewed.snapshot.run.waiting == Waiting::Person);
    let words = if asks { ASKED } else { OPENING };
    buf.set_stringn(area.x, area.y, words, area.width.into(), model.style(StyleRole::Dim));
}

/// Draws the text centred, as a picture would be, while it fits.
fn draw_text(model: &Model, area: Rect, buf: &mut Buffer) {
    let lines = FrameText::new(model, area.as_size()).lines(model, area.as_size());
    let top = area.height.saturating_sub(to_cells(lines.len())) / 2;
    let inner = Rect { y: area.y + top, height: area.height - top, ..area };
    draw_scrolled(model, Pane::Frame, &lines, inner, buf);
}

/// The lines of the frame, if it is shown as text or drawn in cells.
pub(super) fn text_lines(model: &Model, area: Rect) -> Vec<Line<'static>> {
    if let Some(lines) = frame_cells::lines(model, area.as_size()) {
        return lines;
    }
    match picture(model, area.as_size()) {
        Some(_) => Vec::new(),
        None => FrameText::new(model, area.as_size()).lines(model, area.as_size()),
    }
}

pub(super) fn scroll_extent(model: &Model, area: Rect) -> (usize, u16) {
    (text_lines(model, area).len(), area.height)
}

/// The least columns for the text of a frame.
const TEXT_WIDTH: u16 = 38;

/// The size of the content: of the drawing, of the picture as it would be scaled for this room, or of the text.
pub(super) fn content_size(model: &Model, room: Size) -> Size {
    if let Some(pair) = drawn_pair(model) {
        return frame_pair::content_size(model, pair, room);
    }
    if let Some(size) = frame_cells::size(model, room) {
        return size;
    }
    let scaled = picture(model, room).and_then(|picture| fitted_size(picture, model.picture_room(room)));
    match scaled {
        Some((width, height)) => {
            let cells = |pixels: u32| to_cells(usize::try_from(pixels).unwrap_or(usize::MAX));
            Size::new(cells(width), cells(height.div_ceil(2)))
        }
        None if model.episode().and_then(EpisodeView::step).is_none() => room,
        None => {
            let text = FrameText::new(model, room);
            // A grid has two columns per square.
            let columns = if text.grid.is_some() { 2 } else { 1 };
            let width = to_cells(text.board_width() * columns).max(TEXT_WIDTH).min(room.width);
            Size::new(width, to_cells(text.lines(model, room).len()).min(room.height))
        }
    }
}

/// How many columns of the board do not fit into the pane.
pub(super) fn hidden_columns(model: &Model, area: Rect) -> u16 {
    match picture(model, area.as_size()) {
        _ if model.shown_drawing().is_some() => 0,
        Some(_) => 0,
        None => match FrameText::new(model, area.as_size()) {
            FrameText { grid: Some(_), .. } => 0,
            text => to_cells(text.board_width()).saturating_sub(area.width),
        },
    }
}

/// How many squares of a grid are outside the pane.
pub(super) fn hidden_squares(model: &Model, area: Rect) -> Hidden {
    if picture(model, area.as_size()).is_some() || model.shown_drawing().is_some() {
        return Hidden::default();
    }
    let text = FrameText::new(model, area.as_size());
    text.viewport(model, area.as_size()).map_or(Hidden::default(), |(grid, view)| grid.hidden(view))
}
