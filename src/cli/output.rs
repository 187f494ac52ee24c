//! Standard output: text lines for people and JSON objects for programs.

use std::io;
use std::io::{IsTerminal, Stdout, Write};

use serde::Serialize;

use super::records::Record;
use super::table::{align_columns, wrap_last_column};
use super::table_wrap;
use mageyard_domain::sanitize;
pub use mageyard_domain::{count_noun, with_thousands};
use mageyard_lab::json_line;
use mageyard_terminal::surroundings::terminal_size;

/// `x.hanoi#1 is not a Hanoi level`, for a verb that only these environments support.
pub(super) fn not_a_level_of(reference: &str, supported: &[&str]) -> String {
    let names: Vec<String> = supported.iter().map(|name| capitalized(name)).collect();
    format!("{reference} is not a {} level", names.join(" or "))
}

/// Standard output.
#[derive(Debug)]
pub struct Output(Stdout);

impl Output {
    /// Standard output of this process.
    #[must_use]
    pub fn open() -> Self {
        Self(io::stdout())
    }

    /// Prints an object on one line.
    pub(crate) fn record<R: Record>(&mut self, record: &R) -> io::Result<()> {
        self.object_line(R::TYPE, record)
    }

    /// Prints an object of this type on one line, for types that have no `Record`.
    ///
    /// # Errors
    ///
    /// Standard output cannot be written, or is closed.
    pub fn object_line(&mut self, kind: &str, fields: &impl Serialize) -> io::Result<()> {
        writeln!(self.0, "{}", json_line(kind, fields)?)
    }

    /// Prints a line of text with control characters made visible.
    ///
    /// # Errors
    ///
    /// Standard output cannot be written, or is closed.
    pub fn line(&mut self, text: impl AsRef<str>) -> io::Result<()> {
        writeln!(self.0, "{}", sanitize(text.as_ref()))
    }

    /// Prints a line that is JSON or has no control characters.
    ///
    /// # Errors
    ///
    /// Standard output cannot be written, or is closed.
    pub fn finished_line(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.0, "{line}")
    }

    /// Prints rows as aligned columns. On a terminal the last column is wrapped to the width.
    ///
    /// # Errors
    ///
    /// Standard output cannot be written, or is closed.
    pub fn table(&mut self, rows: &[Vec<String>]) -> io::Result<()> {
        wrap_table(rows, self.0.is_terminal()).iter().try_for_each(|line| self.line(line))
    }

    /// Prints rows as aligned columns. On a terminal that is too narrow the columns are split into several
    /// tables below each other, each of which repeats the first `same` columns.
    pub(crate) fn column_blocks(&mut self, rows: &[Vec<String>], same: usize) -> io::Result<()> {
        let lines = self
            .terminal_width()
            .map_or_else(|| align_columns(rows), |wide| table_wrap::column_blocks(rows, same, wide));
        lines.iter().try_for_each(|line| self.line(line))
    }

    /// Prints rows as aligned columns. On a terminal that is too narrow the first cell of each row gets its
    /// own line, with the other cells below it.
    pub(crate) fn stacked_entries(&mut self, rows: &[Vec<String>]) -> io::Result<()> {
        let lines = self
            .terminal_width()
            .map_or_else(|| align_columns(rows), |wide| table_wrap::stacked_entries(rows, wide));
        lines.iter().try_for_each(|line| self.line(line))
    }

    /// The width of the terminal in columns; `None` if standard output is not one.
    fn terminal_width(&self) -> Option<usize> {
        wide(self.0.is_terminal())
    }

    /// Prints bytes unchanged.
    ///
    /// # Errors
    ///
    /// Standard output cannot be written, or is closed.
    pub fn raw(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all(bytes)?;
        self.0.flush()
    }
}

/// A name with a capital first letter, such as `Hanoi`.
pub(super) fn capitalized(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Rows as aligned lines. On a terminal the last column is wrapped to the width.
pub(crate) fn wrap_table(rows: &[Vec<String>], is_terminal: bool) -> Vec<String> {
    wide(is_terminal).map_or_else(|| align_columns(rows), |wide| align_columns(&wrap_last_column(rows, wide)))
}

fn wide(is_terminal: bool) -> Option<usize> {
    is_terminal.then(|| terminal_size().0.into())
}
