//! Standard output: lines for people and objects for programs.

use std::io;
use std::io::Stdout;
use std::io::Write;

use serde::Serialize;

use crate::domain::escaped;
use crate::domain::visible;

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

/// Rows of cells as lines, each column as wide as its widest cell, the last one as it is.
pub(crate) fn columns(rows: &[Vec<String>]) -> Vec<String> {
    use unicode_width::UnicodeWidthStr;
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.width()).max();
    let widths: Vec<usize> = (0..count).map(|column| width(column).unwrap_or(0)).collect();
    let pad = |(cell, wide): (&String, &usize)| format!("{cell}{}", " ".repeat(wide - cell.width()));
    let line = |row: &Vec<String>| row.iter().zip(&widths).map(pad).collect::<Vec<_>>().join("  ");
    rows.iter().map(|row| line(row).trim_end().to_owned()).collect()
}

/// `1 reply`, `2 replies`.
pub(super) fn many(count: usize, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}
