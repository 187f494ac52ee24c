//! Draws the help: sections in as many columns as fit, and below them what the selected entry does.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::Widget;

use super::sheet::{HelpEntry, HelpSheet};
use crate::layout::screen_dialog_area;
use crate::modals::{centered_area, draw_border, draw_overflow_marks, heading};
use crate::model::Model;
use mageyard_domain::sanitize;
use mageyard_terminal::{StyleRole, to_cells, truncate, wrap};

/// The least columns of a column of entries, and those of its keys.
const COLUMN: u16 = 37;
const KEYS: u16 = 11;
/// Columns of a term.
const TERM: u16 = 14;
/// The most columns.
const MAX_COLUMNS: usize = 3;
/// Rows below the entries: an empty one, and what the selected one does.
const BELOW: u16 = 3;
/// The same while the whole text is shown.
const BELOW_IN_FULL: u16 = 9;

/// A line of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Row {
    Blank,
    /// The heading of the section of the entry with this index.
    Heading(usize),
    /// The entry with this index.
    Entry(usize),
}

/// The entries in columns.
pub(super) struct Columns {
    columns: Vec<Vec<Row>>,
}

impl Columns {
    /// The sections one after another, broken into so many columns of about the same height.
    fn of(entries: &[HelpEntry], count: usize) -> Self {
        let mut rows = Vec::new();
        for (index, entry) in entries.iter().enumerate() {
            let before = index.checked_sub(1).and_then(|before| entries.get(before));
            if before.is_none_or(|before| before.section != entry.section) {
                rows.extend((index > 0).then_some(Row::Blank));
                rows.push(Row::Heading(index));
            }
            rows.push(Row::Entry(index));
        }
        let height = rows.len().div_ceil(count.max(1)).max(1);
        let mut columns: Vec<Vec<Row>> = vec![Vec::new()];
        for row in rows {
            let used = columns.last().map_or(0, Vec::len);
            let is_full = used + usize::from(matches!(row, Row::Heading(_))) >= height;
            if row == Row::Blank && (is_full || used == 0) {
                continue;
            }
            if is_full && columns.len() < count {
                columns.push(Vec::new());
            }
            columns.last_mut().into_iter().for_each(|last| last.push(row));
        }
        Self { columns }
    }

    fn height(&self) -> usize {
        self.columns.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// The column and the row of an entry.
    fn place(&self, entry: usize) -> (usize, usize) {
        let in_column = |rows: &Vec<Row>| rows.iter().position(|row| *row == Row::Entry(entry));
        let found = self.columns.iter().enumerate().find_map(|(at, rows)| Some((at, in_column(rows)?)));
        found.unwrap_or((0, 0))
    }

    /// The entry beside this one, so many columns to the right; the same one where there is none.
    pub(super) fn beside(&self, entry: usize, by: isize) -> usize {
        let (column, row) = self.place(entry);
        let Some(rows) = column.checked_add_signed(by).and_then(|column| self.columns.get(column)) else {
            return entry;
        };
        let entries = rows.iter().enumerate().filter_map(|(at, row)| match row {
            Row::Entry(index) => Some((at, *index)),
            Row::Blank | Row::Heading(_) => None,
        });
        let nearest = entries.min_by_key(|(at, _)| at.abs_diff(row));
        nearest.map_or(entry, |(_, index)| index)
    }
}

/// Where the help is. On a slow link it covers less, because what is below has to be sent again when it is closed.
fn place(model: &Model, whole: Rect) -> Rect {
    let width = if model.device.link.is_slow { 2 * COLUMN + 4 } else { whole.width };
    centered_area(whole, width, whole.height)
}

fn column_count(place: Rect) -> usize {
    usize::from(place.width.saturating_sub(4) / COLUMN).clamp(1, MAX_COLUMNS)
}

/// The columns on the screen of this model.
pub(super) fn columns(model: &Model, sheet: &HelpSheet) -> Columns {
    Columns::of(&sheet.entries(model), column_count(place(model, screen_dialog_area(model))))
}

/// Rows that entries are shown in.
pub(super) fn page(model: &Model, sheet: &HelpSheet) -> usize {
    let place = place(model, screen_dialog_area(model));
    usize::from(place.height.saturating_sub(2 + below(sheet) + head(model, sheet, place.width)).max(1))
}

fn below(sheet: &HelpSheet) -> u16 {
    if sheet.explains { BELOW_IN_FULL } else { BELOW }
}

/// Rows above the entries: what is filtered, or what the focused pane shows.
fn head(model: &Model, sheet: &HelpSheet, width: u16) -> u16 {
    to_cells(head_lines(model, sheet, width.saturating_sub(4)).len())
}

fn head_lines(model: &Model, sheet: &HelpSheet, width: u16) -> Vec<Line<'static>> {
    if sheet.is_typing || !sheet.filter.is_empty() {
        let cursor = if sheet.is_typing { "█" } else { "" };
        let text = format!("/{}{cursor}", sanitize(&sheet.filter));
        return vec![Line::styled(text, model.style(StyleRole::Key))];
    }
    if sheet.explains {
        let about = format!("{}: {}", model.panes.focus.name(), model.panes.focus.description());
        let mut lines = wrap(&about, width, &Span::raw(""), model.style(StyleRole::Text));
        lines.extend(model.panes.focus.terms().iter().map(|(term, what)| {
            let what = truncate(what, width.saturating_sub(TERM + 1));
            Line::from(vec![
                Span::styled(
                    format!("{term:<width$} ", width = usize::from(TERM)),
                    model.style(StyleRole::Heading),
                ),
                Span::styled(what, model.style(StyleRole::Text)),
            ])
        }));
        lines.push(Line::default());
        return lines;
    }
    Vec::new()
}

pub(crate) fn draw(model: &Model, sheet: &HelpSheet, whole: Rect, buf: &mut Buffer) {
    let place = place(model, whole);
    let entries = sheet.entries(model);
    let columns = Columns::of(&entries, column_count(place));
    let selected = sheet.selected.min(entries.len().saturating_sub(1));
    let foot = "↑ ↓ select · Enter runs · / filters · ? explains · Esc closes";
    let inner = draw_border(model, "Keys", foot, StyleRole::BorderFocus, place, buf);
    let head = head_lines(model, sheet, inner.width);
    let top = to_cells(head.len()).min(inner.height);
    Text::from(head).render(Rect { height: top, ..inner }, buf);
    let below = below(sheet).min(inner.height - top);
    let body = Rect { y: inner.y + top, height: inner.height - top - below, ..inner };
    let height = usize::from(body.height);
    let row = columns.place(selected).1;
    // A heading above the selected entry is shown with it.
    let from = (row + 1).saturating_sub(height).min(columns.height().saturating_sub(height));
    let from = if row <= 1 { 0 } else { from };
    let width = body.width / to_cells(columns.columns.len().max(1));
    for (at, rows) in (0u16..).zip(&columns.columns) {
        let area = Rect { x: body.x + at * width, width: width.saturating_sub(1), ..body };
        let lines =
            rows.iter().skip(from).take(height).map(|row| line(model, *row, &entries, selected, area.width));
        Text::from(lines.collect::<Vec<_>>()).render(area, buf);
    }
    draw_overflow_marks(model, to_cells(from), columns.height(), body, buf);
    let about = Rect { y: body.bottom() + 1, height: below.saturating_sub(1), ..inner };
    if let Some(entry) = entries.get(selected) {
        Text::from(about_lines(model, entry, about)).render(about, buf);
    } else {
        Text::styled("no key has these words", model.style(StyleRole::Dim)).render(about, buf);
    }
}

/// What the selected entry does, as far as there is room.
fn about_lines(model: &Model, entry: &HelpEntry, area: Rect) -> Vec<Line<'static>> {
    let mut lines = wrap(&entry.about, area.width, &Span::raw(""), model.style(StyleRole::Dim));
    let room = usize::from(area.height);
    if lines.len() > room {
        lines.truncate(room);
        if let Some(last) = lines.last_mut() {
            let text: String = last.spans.iter().map(|span| span.content.as_ref()).collect();
            *last = Line::styled(truncate(&format!("{text} …"), area.width), model.style(StyleRole::Dim));
        }
    }
    lines
}

fn line(model: &Model, row: Row, entries: &[HelpEntry], selected: usize, width: u16) -> Line<'static> {
    match row {
        Row::Blank => Line::default(),
        Row::Heading(index) => heading(model, entries.get(index).map_or("", |entry| entry.section)),
        Row::Entry(index) => {
            let Some(entry) = entries.get(index) else { return Line::default() };
            let is_selected = index == selected;
            let mark = if is_selected { "▸" } else { " " };
            let keys = truncate(&entry.keys, KEYS);
            let gap = usize::from(KEYS + 1).saturating_sub(Span::raw(&keys).width()).max(1);
            let room = width.saturating_sub(KEYS + 2);
            let role = if is_selected { StyleRole::Selection } else { StyleRole::Text };
            Line::from(vec![
                Span::styled(mark, model.style(StyleRole::Key)),
                Span::styled(keys, model.style(StyleRole::Key)),
                Span::raw(" ".repeat(gap)),
                Span::styled(truncate(&entry.brief, room), model.style(role)),
            ])
        }
    }
}
