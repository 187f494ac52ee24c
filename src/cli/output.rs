//! Standard output: lines for people and objects for programs.

use std::io;
use std::io::IsTerminal;
use std::io::Stdout;
use std::io::Write;

use crossterm::terminal;
use serde::Serialize;

use super::table::align_columns;
use super::table::wrap_last_column;
use super::table_wrap;
use crate::domain::escape_json;
use crate::domain::sanitize;

/// The version of every object that is printed. Fields may be added without a new one.
const SCHEMA_VERSION: u32 = 1;

#[derive(Serialize)]
struct Object<'a, T> {
    schema: u32,
    #[serde(flatten)]
    fields: &'a T,
}

/// Where data goes.
pub(crate) struct Output(Stdout);

impl Output {
    pub(crate) fn open() -> Self {
        Self(io::stdout())
    }

    /// One object on a line of its own, the schema version first.
    pub(crate) fn object_line(&mut self, fields: &impl Serialize) -> io::Result<()> {
        writeln!(self.0, "{}", object(fields)?)
    }

    /// Text for people, safe to show, with a line end.
    pub(crate) fn line(&mut self, text: impl AsRef<str>) -> io::Result<()> {
        writeln!(self.0, "{}", sanitize(text.as_ref()))
    }

    /// Rows of cells in columns; on a terminal the last one is laid in lines that fit beside the others.
    pub(crate) fn table(&mut self, rows: &[Vec<String>]) -> io::Result<()> {
        wrap_table(rows, self.0.is_terminal()).iter().try_for_each(|line| self.line(line))
    }

    /// Rows of cells in columns; on a terminal too narrow for them several tables one after the other, each of
    /// which begins with this many first columns.
    pub(crate) fn column_blocks(&mut self, rows: &[Vec<String>], same: usize) -> io::Result<()> {
        let lines = self
            .terminal_width()
            .map_or_else(|| align_columns(rows), |wide| table_wrap::column_blocks(rows, same, wide));
        lines.iter().try_for_each(|line| self.line(line))
    }

    /// Rows of cells in columns; on a terminal too narrow for them the first cell of each has a line of its own,
    /// and the others stand below.
    pub(crate) fn stacked_entries(&mut self, rows: &[Vec<String>]) -> io::Result<()> {
        let lines = self
            .terminal_width()
            .map_or_else(|| align_columns(rows), |wide| table_wrap::stacked_entries(rows, wide));
        lines.iter().try_for_each(|line| self.line(line))
    }

    /// The columns of the terminal, where it is one.
    fn terminal_width(&self) -> Option<usize> {
        wide(self.0.is_terminal())
    }

    /// Bytes as they are.
    pub(crate) fn raw(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all(bytes)?;
        self.0.flush()
    }
}

/// An object as it is printed and written to files, the schema version first.
pub(crate) fn object(fields: &impl Serialize) -> io::Result<String> {
    Ok(escape_json(&serde_json::to_string(&Object { schema: SCHEMA_VERSION, fields })?))
}

/// Rows of cells as lines; on a terminal what the last cells hold is laid beside the others, within its width.
pub(crate) fn wrap_table(rows: &[Vec<String>], is_terminal: bool) -> Vec<String> {
    wide(is_terminal).map_or_else(|| align_columns(rows), |wide| align_columns(&wrap_last_column(rows, wide)))
}

fn wide(is_terminal: bool) -> Option<usize> {
    let size = is_terminal.then(|| terminal::size().ok()).flatten();
    size.map(|(wide, _)| wide.into())
}

/// A whole number with a comma for each thousand.
pub(crate) fn with_thousands(value: f64) -> String {
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 reply`, `2 replies`.
pub(super) fn count_noun(count: usize, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!(
            [1.0, 999.4, 1000.0, 123_456_789.0].map(with_thousands),
            ["1", "999", "1,000", "123,456,789"]
        );
    }
}
