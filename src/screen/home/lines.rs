//! Home in lines: its rows with numbers, whenever they have changed.

use super::tree::{Row, when_empty};
use super::view::Home;
use crate::requests::HomeItem;
use mageyard_domain::sanitize;

/// The commands.
const HELP: &str = "Home: a number opens or closes a row, or opens what it names; /words lists only what has these words; home says \
the rows again; quit leaves.";

/// How many rows of one kind below each other are said.
const MAX_SAID: usize = 40;

/// What is new of home.
pub(crate) fn news(home: &mut Home) -> Vec<String> {
    let Some(contents) = home.tree.contents() else { return Vec::new() };
    let mut lines = row_lines(home.tree.rows());
    lines.extend(contents.problems.iter().map(|why| format!("Note: {why}")));
    let text = lines.join("\n");
    if home.told.as_ref() == Some(&text) {
        return Vec::new();
    }
    home.told = Some(text);
    std::iter::once(HELP.to_owned()).chain(lines).collect()
}

/// The rows, as many of each folder as one can listen to.
fn row_lines(rows: &[Row]) -> Vec<String> {
    let is_leaf = |row: &Row| row.is_open.is_none();
    let is_one_run = |one: &Row, other: &Row| one.depth == other.depth && is_leaf(one) && is_leaf(other);
    let mut lines = Vec::new();
    let mut first = 1;
    for run in rows.chunk_by(is_one_run) {
        lines.extend((first..).zip(run).take(MAX_SAID).map(|(number, row)| line(number, row)));
        let last = first + run.len() - 1;
        if run.len() > MAX_SAID {
            let more = run.len() - MAX_SAID;
            let from = first + MAX_SAID;
            lines.push(format!("and {more} more, {from} to {last}; / and words list those that have them"));
        }
        first = last + 1;
    }
    lines
}

fn line(number: usize, row: &Row) -> String {
    let indent = "  ".repeat(usize::from(row.depth));
    let state = match row.is_open {
        Some(true) => ", open",
        Some(false) => ", closed",
        None => "",
    };
    let note = match (&row.item, row.note.as_str()) {
        (HomeItem::Section(section), "–") => format!(": {}", when_empty(*section)),
        (_, "") => String::new(),
        (_, note) => format!(": {note}"),
    };
    sanitize(&format!("{indent}{number}: {}{state}{note}", row.name)).into_owned()
}
