//! Standard output: lines, tables and JSON objects.

use std::io::{self, Stdout, Write};

use serde::Serialize;
use unicode_width::UnicodeWidthStr;

/// The gap between two columns.
const GAP: &str = "  ";

/// Standard output.
pub(super) struct Output(Stdout);

/// An object with its type.
#[derive(Serialize)]
struct Object<'a, T> {
    r#type: &'a str,
    #[serde(flatten)]
    fields: &'a T,
}

impl Output {
    pub(super) fn open() -> Self {
        Self(io::stdout())
    }

    pub(super) fn line(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.0, "{text}")
    }

    /// An object on one line.
    pub(super) fn object(&mut self, kind: &str, fields: &impl Serialize) -> io::Result<()> {
        let line = serde_json::to_string(&Object { r#type: kind, fields })?;
        writeln!(self.0, "{line}")
    }

    /// A table whose first row is the head, in Markdown or as aligned columns.
    pub(super) fn table(&mut self, rows: &[Vec<String>], as_markdown: bool) -> io::Result<()> {
        let lines = if as_markdown { markdown(rows) } else { aligned(rows) };
        lines.iter().try_for_each(|line| self.line(line))
    }
}

/// `1 file`, `2 files`.
pub(super) fn count_noun(count: usize, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}

/// Rows as the lines of a Markdown table; the first row is the head.
fn markdown(rows: &[Vec<String>]) -> Vec<String> {
    let line = |cells: &Vec<String>| format!("| {} |", cells.join(" | ").replace('\n', " "));
    let escaped = |cells: &Vec<String>| cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
    let mut lines: Vec<String> = rows.iter().map(escaped).map(|cells| line(&cells)).collect();
    let rule = vec!["---".to_owned(); rows.first().map_or(0, Vec::len)];
    lines.insert(lines.len().min(1), line(&rule));
    lines
}

/// Rows with each column as wide as its widest cell.
fn aligned(rows: &[Vec<String>]) -> Vec<String> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.width()).max();
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    let pad = |(cell, wide): (&String, &usize)| format!("{cell}{}", " ".repeat(wide - cell.width()));
    let line = |row: &Vec<String>| row.iter().zip(&widths).map(pad).collect::<Vec<_>>().join(GAP);
    rows.iter().map(|row| line(row).trim_end().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_aligned_or_markdown() {
        let row = |cells: [&str; 2]| cells.map(str::to_owned).to_vec();
        let rows = [row(["a", "b|c"]), row(["wide", ""])];
        assert_eq!(aligned(&rows), ["a     b|c", "wide"]);
        assert_eq!(markdown(&rows), ["| a | b\\|c |", "| --- | --- |", "| wide |  |"]);
    }
}
