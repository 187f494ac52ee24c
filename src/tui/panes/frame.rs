//! The frame: what the environment showed, as a picture or as text.

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::layout::Size;
use ratatui::style::Style;
use ratatui::text::Line;
use ratatui::text::Span;
use unicode_width::UnicodeWidthStr;

use super::scrolled;
use crate::domain::Picture;
use crate::tui::command::Deed;
use crate::tui::figures::cells;
use crate::tui::look::View;
use crate::tui::model::Model;
use crate::tui::model::Shot;
use crate::tui::model::Viewed;
use crate::tui::pane::Pane;
use crate::tui::picture::Gallery;
use crate::tui::picture::is_clear;
use crate::tui::shot;
use crate::tui::shot::Source;
use crate::tui::theme::Role;
use crate::tui::wrap::slice;
use crate::tui::wrap::wrap;

/// What is shown, and as what.
pub(super) fn info(model: &Model, viewed: &Viewed, area: Rect) -> String {
    let size = picture(model, area.as_size())
        .map(|picture| format!(" · {}×{} px", picture.width(), picture.height()));
    let what = match Some(model).filter(|model| model.as_sent).map(shot::source) {
        None => size.unwrap_or_default(),
        Some(Source::Would(..)) => " · would be sent".to_owned(),
        Some(Source::Went(..) | Source::None(_)) => " · as sent".to_owned(),
    };
    format!("{}{what}", viewed.place())
}

/// What was sent, where that is shown; or why the frame stands as text although pictures are shown here.
pub(super) fn note(model: &Model, area: Rect) -> Option<String> {
    if model.as_sent {
        return developed(model).map(|shot| shot.words(area.width.saturating_sub(2)));
    }
    let seen = &model.viewed()?.step()?.seen;
    let small =
        seen.picture().is_some() && model.shows_pictures() && picture(model, area.as_size()).is_none();
    let key = model.look.keys.keys(Deed::View).into_iter().next().unwrap_or_else(|| ":view".into());
    small.then(|| format!("too small for the picture; {key} draws it"))
}

/// The frame as sent, if it is to be shown and could be had.
fn developed(model: &Model) -> Option<&Shot> {
    let there = !matches!(shot::source(model), Source::None(_));
    model.developed.as_ref().filter(|_| model.as_sent && there)?.shot.as_ref().ok()
}

/// The picture, if the frame is shown as one in this room: one that would be a blur there gives way to
/// the text, unless a person asked for it.
pub(super) fn picture(model: &Model, room: Size) -> Option<&Arc<Picture>> {
    if model.as_sent {
        return developed(model).map(|shot| &shot.picture).filter(|_| model.shows_pictures());
    }
    let seen = &model.viewed()?.step()?.seen;
    let asked = model.view == View::Picture || seen.text().trim().is_empty();
    seen.picture().filter(|picture| model.shows_pictures() && (asked || is_clear(picture, room)))
}

pub(super) fn draw(model: &Model, gallery: &Gallery, area: Rect, buf: &mut Buffer) {
    if model.viewed().and_then(Viewed::step).is_none() {
        return opening(model, area, buf);
    }
    match picture(model, area.as_size()) {
        Some(picture) => gallery.draw(picture, area, buf),
        None => text(model, area, buf),
    }
}

/// The solver takes most of the time, where there is one.
const OPENING: &str = "opening the level and searching its optimum …";

fn opening(model: &Model, area: Rect, buf: &mut Buffer) {
    buf.set_stringn(area.x, area.y, OPENING, area.width.into(), model.style(Role::Dim));
}

/// The text of the observation: the board, whose lines stand as they are, and the words below it.
struct Laid {
    board: Vec<String>,
    words: Vec<Line<'static>>,
}

impl Laid {
    /// Everything up to the first empty line is the board.
    fn of(model: &Model, width: u16) -> Self {
        if let Some(why) = shot::instead(model) {
            let words = wrap(&why, width, &Span::raw(""), model.style(Role::Text));
            return Self { board: Vec::new(), words };
        }
        let text =
            model.viewed().and_then(Viewed::step).map(|step| step.seen.text().clone()).unwrap_or_default();
        let (board, words) = text.split_once("\n\n").unwrap_or((text.as_ref(), ""));
        let wrapped = wrap(words, width, &Span::raw(""), model.style(Role::Text));
        let words = if words.is_empty() { Vec::new() } else { [vec![Line::default()], wrapped].concat() };
        Self { board: board.lines().map(|line| slice(line, 0, u16::MAX)).collect(), words }
    }

    fn board_width(&self) -> usize {
        self.board.iter().map(|line| line.width()).max().unwrap_or(0)
    }

    fn lines(&self, model: &Model, width: u16) -> Vec<Line<'static>> {
        let board_width = self.board_width();
        let from = usize::from(model.sideways).min(board_width.saturating_sub(width.into()));
        let style = model.style(Role::Text);
        let board =
            self.board.iter().map(|line| indented(slice(line, from, width), style, board_width, width));
        let widest = self.words.iter().map(Line::width).max().unwrap_or(0);
        let words = self.words.iter().map(|line| indented(line.to_string(), style, widest, width));
        board.chain(words).collect()
    }
}

/// A line of a block of this width, the block in the middle.
fn indented(line: String, style: Style, block: usize, width: u16) -> Line<'static> {
    let left = usize::from(width).saturating_sub(block) / 2;
    Line::from(vec![Span::raw(" ".repeat(left)), Span::styled(line, style)])
}

/// Text stands in the middle, like a picture, as long as it fits.
fn text(model: &Model, area: Rect, buf: &mut Buffer) {
    let lines = Laid::of(model, area.width).lines(model, area.width);
    let top = area.height.saturating_sub(cells(lines.len())) / 2;
    let inner = Rect { y: area.y + top, height: area.height - top, ..area };
    scrolled(model, Pane::Frame, lines, inner, buf);
}

pub(super) fn extent(model: &Model, area: Rect) -> (usize, u16) {
    let lines = match picture(model, area.as_size()) {
        Some(_) => 0,
        None => Laid::of(model, area.width).lines(model, area.width).len(),
    };
    (lines, area.height)
}

/// How many columns of the board lie beyond the pane.
pub(super) fn beyond(model: &Model, area: Rect) -> u16 {
    match picture(model, area.as_size()) {
        Some(_) => 0,
        None => cells(Laid::of(model, area.width).board_width()).saturating_sub(area.width),
    }
}
