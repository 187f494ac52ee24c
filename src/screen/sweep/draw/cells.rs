//! The page of all cells: one sign for each, and a table.

use std::ops::Range;

use super::pen::Pen;
use super::table::{Table, TableRow};
use crate::sweep::state::DashboardState;
use crate::sweep::view::{CellView, SweepView};
use mageyard_terminal::StyleRole;

/// The most rows of signs.
const SIGN_ROWS: u16 = 6;

/// Draws the page; returns the details of the selected cell.
pub(super) fn draw(view: &SweepView, state: &DashboardState, pen: &mut Pen<'_>, rows: Range<u16>) -> String {
    let signs = draw_signs(view, state, pen, rows.start);
    let listed = state.listed(view);
    let titles = ["state"].into_iter().chain(view.columns.iter().map(String::as_str));
    let titles: Vec<&str> = titles.chain(["episodes", "won", "score"]).collect();
    let table = Table {
        titles: &titles,
        numbers: &[titles.len() - 3, titles.len() - 2, titles.len() - 1],
        listed: &listed,
        selected: state.selected,
        empty: "no cell is in this state",
    };
    state.rows.set(table.draw(|index| row(&view.cells[index]), pen, rows.start + signs + 1..rows.end));
    let selected = view.cells.get(state.selected);
    selected.map_or_else(String::new, |cell| cell.name.clone())
}

/// Draws one sign for each cell, in rows around the selected one; returns the number of rows.
fn draw_signs(view: &SweepView, state: &DashboardState, pen: &mut Pen<'_>, top: u16) -> u16 {
    let width = usize::from(pen.area.width.saturating_sub(2)).max(1);
    let rows = view.cells.len().div_ceil(width);
    let shown = rows.min(usize::from(SIGN_ROWS));
    let first = (state.selected / width).saturating_sub(shown / 2).min(rows - shown.min(rows));
    let cells = view.cells.iter().enumerate().skip(first * width).take(shown * width);
    for (index, cell) in cells {
        let place = index - first * width;
        let column = 1 + u16::try_from(place % width).unwrap_or(0);
        let row = top + u16::try_from(place / width).unwrap_or(0);
        let is_selected = index == state.selected;
        let role = if is_selected { StyleRole::Cursor } else { cell.state.role() };
        pen.put((column, row), cell.state.sign(), role);
        if is_selected {
            pen.underline((column, row));
        }
    }
    u16::try_from(shown).unwrap_or(SIGN_ROWS)
}

fn row(cell: &CellView) -> TableRow {
    let score = cell.score.map_or("–".to_owned(), |score| format!("{score:.2}"));
    let won = cell.won.map_or("–".to_owned(), |won| won.to_string());
    let progress = format!("{}/{}", cell.finished, cell.planned);
    let own = [format!("{} {}", cell.state.sign(), cell.state.name())];
    let texts = own.into_iter().chain(cell.values.iter().cloned()).chain([progress, won, score]).collect();
    TableRow { texts, role: cell.state.role(), note: cell.note.clone() }
}
