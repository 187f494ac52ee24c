//! Standard output: lines for people and objects for programs.

use std::io;
use std::io::IsTerminal;
use std::io::Stdout;
use std::io::Write;

use crossterm::terminal;
use serde::Serialize;
use unicode_width::UnicodeWidthStr;

use super::narrow;
use crate::domain::escaped;
use crate::domain::visible;
use crate::tui::broken;

/// The version of every object that is printed. Fields may be added without a new one.
const SCHEMA: u32 = 1;

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
    pub(crate) fn object(&mut self, fields: &impl Serialize) -> io::Result<()> {
        writeln!(self.0, "{}", object(fields)?)
    }

    /// Text for people, safe to show, with a line end.
    pub(crate) fn line(&mut self, text: impl AsRef<str>) -> io::Result<()> {
        writeln!(self.0, "{}", visible(text.as_ref()))
    }

    /// Rows of cells in columns; on a terminal the last one is laid in lines that fit beside the others.
    pub(crate) fn table(&mut self, rows: &[Vec<String>]) -> io::Result<()> {
        fitting(rows, self.0.is_terminal()).iter().try_for_each(|line| self.line(line))
    }

    /// Rows of cells in columns; on a terminal too narrow for them several tables one after the other, each of
    /// which begins with this many first columns.
    pub(crate) fn blocks(&mut self, rows: &[Vec<String>], same: usize) -> io::Result<()> {
        let lines = self.wide().map_or_else(|| columns(rows), |wide| narrow::blocks(rows, same, wide));
        lines.iter().try_for_each(|line| self.line(line))
    }

    /// Rows of cells in columns; on a terminal too narrow for them the first cell of each has a line of its own,
    /// and the others stand below.
    pub(crate) fn entries(&mut self, rows: &[Vec<String>]) -> io::Result<()> {
        let lines = self.wide().map_or_else(|| columns(rows), |wide| narrow::entries(rows, wide));
        lines.iter().try_for_each(|line| self.line(line))
    }

    /// The columns of the terminal, where it is one.
    fn wide(&self) -> Option<usize> {
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
    Ok(escaped(&serde_json::to_string(&Object { schema: SCHEMA, fields })?))
}

/// Rows of cells as lines; on a terminal what the last cells hold is laid beside the others, within its width.
pub(crate) fn fitting(rows: &[Vec<String>], is_terminal: bool) -> Vec<String> {
    wide(is_terminal).map_or_else(|| columns(rows), |wide| columns(&folded(rows, wide)))
}

fn wide(is_terminal: bool) -> Option<usize> {
    let size = is_terminal.then(|| terminal::size().ok()).flatten();
    size.map(|(wide, _)| wide.into())
}

/// The least columns into which a last cell is laid; with less, the terminal breaks it.
const NARROW: usize = 20;

/// The rows again, with a further one for each line that the last cell takes in so many columns in all.
pub(super) fn folded(rows: &[Vec<String>], wide: usize) -> Vec<Vec<String>> {
    each_folded(rows, wide).concat()
}

/// The same row by row.
pub(super) fn each_folded(rows: &[Vec<String>], wide: usize) -> Vec<Vec<Vec<String>>> {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let before = widths(rows).iter().take(count.saturating_sub(1)).map(|width| width + GAP.len()).sum();
    let room = wide.saturating_sub(before);
    let fold = |row: &Vec<String>| match row.split_last() {
        Some((last, others)) if row.len() == count && room >= NARROW => {
            let mut cells = others.to_vec();
            let rows = broken(&visible(last), room).into_iter().map(|line| {
                let others = std::mem::replace(&mut cells, vec![String::new(); others.len()]);
                others.into_iter().chain([line]).collect()
            });
            rows.collect()
        }
        _ => vec![row.clone()],
    };
    rows.iter().map(fold).collect()
}

/// Between two columns.
pub(super) const GAP: &str = "  ";

pub(super) fn widths(rows: &[Vec<String>]) -> Vec<usize> {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.width()).max();
    (0..count).map(|column| width(column).unwrap_or(0)).collect()
}

/// Rows of cells as lines, each column as wide as its widest cell, the last one as it is.
pub(crate) fn columns(rows: &[Vec<String>]) -> Vec<String> {
    let widths = widths(rows);
    let pad = |(cell, wide): (&String, &usize)| format!("{cell}{}", " ".repeat(wide - cell.width()));
    let line = |row: &Vec<String>| row.iter().zip(&widths).map(pad).collect::<Vec<_>>().join(GAP);
    rows.iter().map(|row| line(row).trim_end().to_owned()).collect()
}

/// The same for numbers: every column but the first ends where its widest cell does.
pub(crate) fn numbers(rows: Vec<Vec<String>>) -> Vec<String> {
    columns(&aligned(rows))
}

/// The rows again, the cells of every column but the first filled up from the left.
pub(crate) fn aligned(mut rows: Vec<Vec<String>>) -> Vec<Vec<String>> {
    let widths = widths(&rows);
    for row in &mut rows {
        for (cell, wide) in row.iter_mut().zip(&widths).skip(1) {
            cell.insert_str(0, &" ".repeat(wide - cell.width()));
        }
    }
    rows
}

/// A whole number with a comma for each thousand.
pub(crate) fn grouped(value: f64) -> String {
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
pub(super) fn many(count: usize, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_column_is_folded_beside_the_others() {
        let row = |cells: [&str; 3]| cells.map(String::from).to_vec();
        let rows = [row(["ok", "one", "short"]), row(["FAIL", "two", "a sentence that goes on and on"])];
        assert_eq!(
            columns(&folded(&rows, 32)),
            ["ok    one  short", "FAIL  two  a sentence that goes", "           on and on"]
        );
        assert_eq!(folded(&rows, 30), rows, "no room: as it is");
        let lines = columns(&folded(&rows, 40));
        assert!(lines.iter().all(|line| line.width() <= 40), "{lines:?}");
    }

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!([1.0, 999.4, 1000.0, 123_456_789.0].map(grouped), ["1", "999", "1,000", "123,456,789"]);
    }

    #[test]
    fn numbers_end_under_one_another() {
        let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        assert_eq!(
            numbers(vec![row(["a", "1", "23"]), row(["bc", "456", "7"])]),
            ["a     1  23", "bc  456   7"]
        );
    }
}
