//! A table with a selected row, drawn in a window around it.

use std::ops::Range;

use unicode_width::UnicodeWidthStr;

use super::pen::Pen;
use crate::sweep::moves::place_of;
use mageyard_terminal::{StyleRole, truncate};

/// The widest column; the last one takes what is left.
const WIDEST: usize = 28;

/// The sign before the selected row.
const SELECTED: &str = "▸";

/// A row of a table.
pub(super) struct TableRow {
    pub(super) texts: Vec<String>,
    pub(super) role: StyleRole,
    /// A text after the last column.
    pub(super) note: String,
}

/// A table with titles.
pub(super) struct Table<'a> {
    pub(super) titles: &'a [&'a str],
    /// The columns with numbers, which are aligned to the right.
    pub(super) numbers: &'a [usize],
    /// The indexes of all rows.
    pub(super) listed: &'a [usize],
    /// The index of the selected row.
    pub(super) selected: usize,
    /// What is shown if there are no rows.
    pub(super) empty: &'a str,
}

impl Table<'_> {
    /// Draws the titles and as many rows as fit. Returns the number of rows that fit.
    pub(super) fn draw(&self, row: impl Fn(usize) -> TableRow, pen: &mut Pen<'_>, rows: Range<u16>) -> usize {
        let room = usize::from((rows.end.saturating_sub(rows.start)).saturating_sub(1));
        let at = place_of(self.listed, self.selected).unwrap_or(0);
        let first = at.saturating_sub(room / 2).min(self.listed.len().saturating_sub(room));
        let shown: Vec<(usize, TableRow)> =
            self.listed.iter().skip(first).take(room).map(|index| (*index, row(*index))).collect();
        let widths = self.widths(&shown);
        let titles: Vec<String> = self.titles.iter().map(|title| (*title).to_owned()).collect();
        self.draw_row(pen, rows.start, &titles, &widths, StyleRole::Heading);
        for (line, (index, row)) in (rows.start + 1..).zip(&shown) {
            let is_selected = *index == self.selected;
            let role = if is_selected { StyleRole::Cursor } else { row.role };
            let column = self.draw_row(pen, line, &row.texts, &widths, role);
            if is_selected {
                pen.put((0, line), SELECTED, StyleRole::Key);
            }
            let role = if is_selected { StyleRole::Cursor } else { StyleRole::Dim };
            pen.put((column, line), &row.note, role);
        }
        if shown.is_empty() {
            pen.put((1, rows.start + 1), self.empty, StyleRole::Dim);
        }
        room
    }

    fn widths(&self, shown: &[(usize, TableRow)]) -> Vec<usize> {
        let width = |(column, title): (usize, &&str)| {
            let texts = shown.iter().filter_map(|(_, row)| row.texts.get(column));
            texts.map(|text| text.width()).chain([title.width()]).max().unwrap_or(0).min(WIDEST)
        };
        self.titles.iter().enumerate().map(width).collect()
    }

    /// Draws a row; returns the column after it.
    fn draw_row(
        &self,
        pen: &mut Pen<'_>,
        line: u16,
        texts: &[String],
        widths: &[usize],
        role: StyleRole,
    ) -> u16 {
        let mut column = 1;
        for (index, (text, width)) in texts.iter().zip(widths).enumerate() {
            // A column that does not fit is left out: no number is cut.
            if usize::from(column) + width > usize::from(pen.area.width) {
                return pen.area.width;
            }
            let text = truncate(text, u16::try_from(*width).unwrap_or(u16::MAX));
            let padding = " ".repeat(width.saturating_sub(text.width()));
            let padded = if self.numbers.contains(&index) {
                format!("{padding}{text}  ")
            } else {
                format!("{text}{padding}  ")
            };
            column = pen.put((column, line), &padded, role);
        }
        column
    }
}
