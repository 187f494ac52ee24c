//! The frame: what the environment showed, as a picture or as text.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use unicode_width::UnicodeWidthStr;

use super::Pane;
use super::cells;
use super::scrolled;
use crate::domain::visible;
use crate::tui::model::Model;
use crate::tui::model::Viewed;
use crate::tui::picture::Gallery;
use crate::tui::theme::Role;

pub(super) fn info(viewed: &Viewed) -> String {
    let size = viewed
        .step()
        .and_then(|step| step.seen.picture())
        .map(|picture| format!(" · {}×{} px", picture.width(), picture.height()));
    format!("{}{}", viewed.place(), size.unwrap_or_default())
}

pub(super) fn draw(model: &Model, gallery: &Gallery, area: Rect, buf: &mut Buffer) {
    let Some(step) = model.viewed().and_then(Viewed::step) else {
        return opening(model, area, buf);
    };
    match step.seen.picture().filter(|_| model.shows_pictures()) {
        Some(picture) => gallery.draw(picture, area, buf),
        None => text(model, area, buf),
    }
}

/// The solver takes most of the time, where there is one.
const OPENING: &str = "opening the level and searching its optimum …";

fn opening(model: &Model, area: Rect, buf: &mut Buffer) {
    buf.set_stringn(area.x, area.y, OPENING, area.width.into(), model.style(Role::Dim));
}

/// The text of the observation, one line a row.
fn lines(model: &Model) -> Vec<Line<'static>> {
    let Some(step) = model.viewed().and_then(Viewed::step) else { return Vec::new() };
    let shown = visible(&step.seen.text).replace('\t', "    ");
    shown.lines().map(|line| Line::styled(line.to_owned(), model.style(Role::Text))).collect()
}

/// Text stands in the middle, like a picture, as long as it fits.
fn text(model: &Model, area: Rect, buf: &mut Buffer) {
    let lines = lines(model);
    let width = cells(
        lines.iter().map(|line| line.spans.iter().map(|span| span.content.width()).sum()).max().unwrap_or(0),
    );
    let left = area.width.saturating_sub(width) / 2;
    let top = area.height.saturating_sub(cells(lines.len())) / 2;
    let inner = Rect::new(area.x + left, area.y + top, area.width - left, area.height - top);
    scrolled(model, Pane::Frame, lines, inner, buf);
}

pub(super) fn extent(model: &Model, area: Rect) -> (usize, u16) {
    let picture = model.viewed().and_then(Viewed::step).is_some_and(|step| step.seen.picture().is_some());
    let lines = if picture && model.shows_pictures() { 0 } else { lines(model).len() };
    (lines, area.height)
}
