//! The dialog in which the state of the environment is changed: the board with the selected piece, and what moves it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::Widget;
use unicode_width::UnicodeWidthStr;

use crate::model::{Model, StateEdit};
use crate::panes::glyph_role;
use mageyard_domain::{Piece, sanitize};
use mageyard_terminal::{StyleRole, count_of, to_cells};

/// The least columns of the dialog with its border.
const MIN_WIDTH: u16 = 58;

pub(super) fn draw(model: &Model, edit: &StateEdit, whole: Rect, buf: &mut Buffer) {
    let lines = lines(model, edit);
    let widest = lines.iter().map(Line::width).max().unwrap_or(0);
    let width = to_cells(widest).saturating_add(4).max(MIN_WIDTH).min(whole.width);
    let place = super::centered_area(whole, width, to_cells(lines.len()).saturating_add(2));
    let title = format!("Edit the state of step {}", edit.step);
    let foot = "Tab selects · arrows move · u undoes · Enter · Esc";
    let inner = super::draw_border(model, &title, foot, StyleRole::BorderFocus, place, buf);
    Text::from(lines).render(inner, buf);
}

fn lines(model: &Model, edit: &StateEdit) -> Vec<Line<'static>> {
    let (pieces, selected) = edit.pieces();
    let mut lines = vec![Line::styled(said(edit), model.style(StyleRole::Heading)), Line::default()];
    let rows = edit.state().lines().enumerate();
    lines.extend(rows.map(|(number, row)| board_line(model, row, number, pieces.get(selected))));
    lines.push(Line::default());
    lines.push(match &edit.refusal {
        Some(why) => Line::styled(format!("! {}", sanitize(why)), model.style(StyleRole::Warn)),
        None => {
            Line::styled("Enter goes on to a branch that begins with this state", model.style(StyleRole::Dim))
        }
    });
    lines
}

/// A row of the state with two columns a character, the selected piece reversed.
fn board_line(model: &Model, row: &str, number: usize, selected: Option<&Piece>) -> Line<'static> {
    let glyphs = model.episode().map_or(&[][..], |viewed| viewed.snapshot.presentation.glyphs);
    let cells = row.chars().enumerate().map(|(column, c)| {
        let known = glyphs.iter().find(|(known, _)| *known == c);
        let style = model.style(known.map_or(StyleRole::Text, |(_, glyph)| glyph_role(*glyph)));
        let here = selected.is_some_and(|piece| (piece.line, piece.column) == (number, column));
        let style = if here { style.add_modifier(Modifier::REVERSED) } else { style };
        let shown = sanitize(c.encode_utf8(&mut [0; 4])).into_owned();
        let gap = " ".repeat(2_usize.saturating_sub(shown.width()));
        Span::styled(format!("{shown}{gap}"), style)
    });
    Line::from(cells.collect::<Vec<_>>())
}

/// The selected piece, where it is, and how much was moved.
pub(crate) fn said(edit: &StateEdit) -> String {
    let (pieces, selected) = edit.pieces();
    let place = pieces.get(selected).map_or_else(String::new, |piece| {
        let row = piece.line + 1;
        let column = piece.column + 1;
        format!("{} of {}: {}, row {row}, column {column}", selected + 1, pieces.len(), sanitize(&piece.name))
    });
    format!("{place}; {} so far", count_of(edit.moves(), "move"))
}
