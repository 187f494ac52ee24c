//! The text of the frame pane: a board or a map, centred, and below it words and the parts of the observation.

use std::sync::Arc;

use ratatui::layout::Size;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::board::{Board, Viewport, style_role};
use super::text_changes;
use crate::model::{EpisodeView, Model};
use crate::sent_frame;
use mageyard_domain::{FittedText, ObservationPart};
use mageyard_terminal::{StyleRole, column_window, wrap};

/// The text of an observation: the board with its lines unchanged or drawn for the room, and the notes below it.
pub(super) struct FrameText {
    /// The squares of a grid, two columns each.
    pub(super) grid: Option<Board>,
    board: Vec<Line<'static>>,
    notes: Vec<Line<'static>>,
    /// What has changed since the step before, if that is compared.
    pub(super) changes: Option<String>,
}

impl FrameText {
    /// Splits the text: everything up to the first empty line is the board.
    pub(super) fn new(model: &Model, room: Size) -> Self {
        let width = room.width;
        if let Some(why) = sent_frame::missing_frame_message(model) {
            let notes = wrap(&why, width, &Span::raw(""), model.style(StyleRole::Text));
            return Self { grid: None, board: Vec::new(), notes, changes: None };
        }
        let step = model.episode().and_then(EpisodeView::step);
        let text = step.map(|step| step.observation.text().clone()).unwrap_or_default();
        let grid = Board::of(model);
        let has_board = grid.is_some() || model.fitted_text().is_some();
        let (board, words) = board_and_words(&text, has_board);
        let wrapped = wrap(words, width, &Span::raw(""), model.style(StyleRole::Text));
        let gap = (!board.is_empty() && !words.is_empty()).then(Line::default);
        let mut notes: Vec<_> = gap.into_iter().chain(wrapped).filter(|_| !words.is_empty()).collect();
        notes.extend(part_lines(model, width));
        if model.film_frame().is_some() {
            // Words are those of the last frame; their rows stay, so that the drawing keeps its size and place.
            notes.fill(Line::default());
        }
        let drawn = board_lines(model, model.fitted_text(), board, room, notes.len());
        let (board, changes) = compared(model, drawn, room, notes.len());
        Self { grid, board, notes, changes }
    }

    /// The part of a grid that is shown; the notes give way to it.
    pub(super) fn viewport(&self, model: &Model, room: Size) -> Option<(&Board, Viewport)> {
        self.grid.as_ref().map(|grid| (grid, grid.viewport(room, model.frame.pan)))
    }

    pub(super) fn board_width(&self) -> usize {
        self.board.iter().map(Line::width).max().unwrap_or(0)
    }

    pub(super) fn lines(&self, model: &Model, room: Size) -> Vec<Line<'static>> {
        let width = room.width;
        let board_width = self.board_width();
        let from = usize::from(model.frame.sideways).min(board_width.saturating_sub(width.into()));
        let style = model.style(StyleRole::Text);
        let text =
            self.board.iter().map(|line| centered_spans(window(line, from, width), board_width, width));
        let widest = self.notes.iter().map(Line::width).max().unwrap_or(0);
        let words = self.notes.iter().map(|line| centered_line(line.to_string(), style, widest, width));
        match self.viewport(model, room) {
            // A grid that is shown in part is panned, not scrolled.
            Some((grid, view)) if !grid.fits(room) => grid.lines(model, view, width),
            Some((grid, view)) => grid.lines(model, view, width).into_iter().chain(words).collect(),
            None => text.chain(words).collect(),
        }
    }
}

/// The board with which a text begins, and the words after it. Unless the environment draws a board, a first paragraph of one
/// line is a heading.
pub(super) fn board_and_words(text: &str, has_board: bool) -> (&str, &str) {
    match text.split_once("\n\n") {
        Some((board, _)) if !has_board && !board.contains('\n') => ("", text),
        Some(parts) => parts,
        None => (text, ""),
    }
}

/// The parts of an observation that is more than one picture, a line each; texts in full.
fn part_lines(model: &Model, width: u16) -> Vec<Line<'static>> {
    let Some(step) = model.episode().and_then(EpisodeView::step) else { return Vec::new() };
    let parts = step.observation.parts();
    if matches!(parts, [] | [ObservationPart::Image(_)]) {
        return Vec::new();
    }
    let style = model.style(StyleRole::Text);
    let described = (1..).zip(parts).flat_map(|(number, part)| {
        let words = format!("{number} {}", describe_part(part));
        wrap(&words, width, &Span::raw(""), style)
    });
    std::iter::once(Line::default()).chain(described).collect()
}

fn describe_part(part: &ObservationPart) -> String {
    match part {
        ObservationPart::Text(text) => format!("text: {text}"),
        ObservationPart::Image(picture) => format!("picture: {}×{} px", picture.width(), picture.height()),
        ObservationPart::Data(data) => {
            format!("data: {}, {} bytes", data.blob().media_type, data.blob().length)
        }
    }
}

/// The lines of a board: drawn for the room beside so many rows of notes where it can be, with a colour for each meaning.
fn board_lines(
    model: &Model,
    drawing: Option<&Arc<dyn FittedText>>,
    board: &str,
    room: Size,
    notes: usize,
) -> Vec<Line<'static>> {
    let style = model.style(StyleRole::Text);
    let Some(drawing) = drawing else {
        return board.lines().map(|line| Line::styled(column_window(line, 0, u16::MAX), style)).collect();
    };
    let rows = usize::from(room.height).saturating_sub(notes);
    let text = drawing.draw(room.width.into(), rows);
    let span = |c: char| {
        let role = drawing.glyph(c).map_or(StyleRole::Text, style_role);
        Span::styled(column_window(c.encode_utf8(&mut [0; 4]), 0, u16::MAX), model.style(role))
    };
    text.lines().map(|line| line.chars().map(span).collect()).collect()
}

/// The lines of a board with what has changed since the step before, if that is compared.
fn compared(
    model: &Model,
    drawn: Vec<Line<'static>>,
    room: Size,
    notes: usize,
) -> (Vec<Line<'static>>, Option<String>) {
    let Some(earlier) = model.earlier_step().filter(|_| model.compares_frames()) else {
        return (drawn, None);
    };
    let text = earlier.observation.text();
    let board = text.split_once("\n\n").map_or(text.as_ref(), |(board, _)| board);
    let before = board_lines(model, model.fitted_text_of(earlier), board, room, notes);
    let (lines, words) = text_changes::marked(&before, drawn);
    (lines, Some(words))
}

/// The spans of the columns from `from` that fit into `width` columns.
fn window(line: &Line<'static>, from: usize, width: u16) -> Vec<Span<'static>> {
    match line.spans.as_slice() {
        [one] => vec![Span::styled(column_window(&one.content, from, width), one.style)],
        spans => {
            let letter = |span: &Span<'static>, letter: char| Span::styled(letter.to_string(), span.style);
            let letters = spans.iter().flat_map(|span| span.content.chars().map(|one| letter(span, one)));
            letters.skip(from).take(width.into()).collect()
        }
    }
}

/// A line of a block that is `block` columns wide, with the block centred in `width` columns.
fn centered_line(line: String, style: Style, block: usize, width: u16) -> Line<'static> {
    centered_spans(vec![Span::styled(line, style)], block, width)
}

fn centered_spans(mut spans: Vec<Span<'static>>, block: usize, width: u16) -> Line<'static> {
    let left = usize::from(width).saturating_sub(block) / 2;
    spans.insert(0, Span::raw(" ".repeat(left)));
    Line::from(spans)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heading_is_no_board() {
        let prose = "# Twelve buttons\n\nA gallery.\n\nMore.";
        assert_eq!(board_and_words(prose, false), ("", prose));
        assert_eq!(board_and_words(prose, true), ("# Twelve buttons", "A gallery.\n\nMore."));
        assert_eq!(board_and_words("A: 2 1\nB:\n\nnext", false), ("A: 2 1\nB:", "next"));
        assert_eq!(board_and_words("one line", false), ("one line", ""));
    }
}
