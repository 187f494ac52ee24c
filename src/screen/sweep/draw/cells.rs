//! The page of all cells: one sign for each, and a table.

use std::ops::Range;

use super::pen::Pen;
use super::table::{Table, TableRow};
use crate::sweep::content::Content;
use crate::sweep::sort::SortColumn;
use crate::sweep::state::DashboardState;
use crate::sweep::view::SweepView;
use mageyard_domain::with_thousands;
use mageyard_terminal::StyleRole;

/// The most rows of signs.
const SIGN_ROWS: u16 = 6;

/// The columns with numbers, after the settings that differ.
const NUMBERS: [&str; 7] = ["episodes", "won", "score", "difference", "errors", "cost", "tokens"];

/// Draws the page; returns the details of the selected cell.
pub(super) fn draw(content: &Content, state: &DashboardState, pen: &mut Pen<'_>, rows: Range<u16>) -> String {
    let view = &content.view;
    let signs = draw_signs(view, state, pen, rows.start);
    state.rows.set(draw_table(content, state, pen, rows.start + signs + 1..rows.end));
    let selected = view.cells.get(state.selected);
    selected.map_or_else(String::new, |cell| match cell.note.as_str() {
        "" => cell.name.clone(),
        note => format!("{}: {note}", cell.name),
    })
}

/// Draws the table of cells; returns the number of rows that fit.
pub(super) fn draw_table(
    content: &Content,
    state: &DashboardState,
    pen: &mut Pen<'_>,
    rows: Range<u16>,
) -> usize {
    let view = &content.view;
    let listed = state.listed(content);
    let titles = ["state"].into_iter().chain(view.columns.iter().map(String::as_str));
    let order = number_order(state.sort);
    let numbers = order.iter().map(|index| NUMBERS[*index]);
    let titles: Vec<String> = titles.chain(numbers).map(|title| state.sort.title(title)).collect();
    let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
    let numbers: Vec<usize> = (titles.len() - NUMBERS.len()..titles.len()).collect();
    let table = Table {
        titles: &titles,
        numbers: &numbers,
        listed: &listed,
        selected: state.selected,
        empty: "no cell is in this state",
    };
    table.draw(|index| row(content, index, &order), pen, rows)
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

/// The order of the columns with numbers: the one that the table is sorted by comes first, so that it is always there.
fn number_order(sort: SortColumn) -> Vec<usize> {
    let mut order: Vec<usize> = (0..NUMBERS.len()).collect();
    order.sort_by_key(|index| NUMBERS[*index] != sort.name());
    order
}

fn row(content: &Content, index: usize, order: &[usize]) -> TableRow {
    let cell = &content.view.cells[index];
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "–".to_owned());
    let own = [format!("{} {}", cell.state.sign(), cell.state.name())];
    let difference = content.difference(index).map(|found| match found.sign {
        '◇' => "◇".to_owned(),
        sign => format!("{sign} {:+.2}", found.points),
    });
    let errors = cell.won.is_some().then(|| cell.error_count().to_string());
    #[expect(clippy::cast_precision_loss, reason = "a number to read")]
    let tokens = cell.tokens.map(|tokens| with_thousands(tokens as f64));
    let numbers = [
        format!("{}/{}", cell.finished, cell.planned),
        or_dash(cell.won.map(|won| won.to_string())),
        or_dash(cell.score.map(|score| format!("{score:.2}"))),
        or_dash(difference),
        or_dash(errors),
        or_dash(cell.cost.as_ref().map(|(amount, currency)| format!("{} {currency}", amount.rounded()))),
        or_dash(tokens),
    ];
    let numbers = order.iter().filter_map(|index| numbers.get(*index).cloned());
    let texts = own.into_iter().chain(cell.values.iter().cloned()).chain(numbers).collect();
    TableRow { texts, role: cell.state.role(), note: cell.note.clone() }
}
