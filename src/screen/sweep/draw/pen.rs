//! Writes texts into an area.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use unicode_width::UnicodeWidthStr;

use mageyard_terminal::{StyleRole, Theme, truncate};

/// Draws into rows of an area.
pub(super) struct Pen<'a> {
    pub(super) theme: &'a Theme,
    pub(super) area: Rect,
    pub(super) buf: &'a mut Buffer,
}

impl Pen<'_> {
    /// Writes a text at a column of a row; returns the column after it.
    pub(super) fn put(&mut self, place: (u16, u16), text: &str, role: StyleRole) -> u16 {
        self.put_within(place, text, u16::MAX, role)
    }

    /// Writes a text of at most this width.
    pub(super) fn put_within(
        &mut self,
        (column, row): (u16, u16),
        text: &str,
        width: u16,
        role: StyleRole,
    ) -> u16 {
        self.put_styled((column, row), text, width, self.theme.style(role))
    }

    /// Writes a text of at most this width in a style.
    pub(super) fn put_styled(
        &mut self,
        (column, row): (u16, u16),
        text: &str,
        width: u16,
        style: Style,
    ) -> u16 {
        let room = self.area.width.saturating_sub(column).min(width);
        if row >= self.area.height || room == 0 {
            return column;
        }
        let text = truncate(text, room);
        let x = self.area.x + column;
        let y = self.area.y + row;
        self.buf.set_string(x, y, &text, style);
        column + u16::try_from(text.width()).unwrap_or(room)
    }

    /// Underlines a cell, so that it is found without colour.
    pub(super) fn underline(&mut self, (column, row): (u16, u16)) {
        if let Some(cell) = self.buf.cell_mut((self.area.x + column, self.area.y + row)) {
            cell.modifier |= Modifier::UNDERLINED;
        }
    }

    /// Fills a rectangle with spaces of a style.
    pub(super) fn fill(&mut self, (column, row): (u16, u16), (width, height): (u16, u16), style: Style) {
        for line in row..row.saturating_add(height) {
            self.put_styled((column, line), &" ".repeat(usize::from(width)), width, style);
        }
    }

    /// A pen for these columns of all rows.
    pub(super) fn columns(&mut self, first: u16, width: u16) -> Pen<'_> {
        let width = width.min(self.area.width.saturating_sub(first));
        let area = Rect { x: self.area.x + first, width, ..self.area };
        Pen { theme: self.theme, area, buf: self.buf }
    }
}
