//! Home in lines: its rows with numbers, whenever they have changed.

use super::tree::{Row, when_empty};
use super::view::Home;
use super::welcome;
use crate::requests::HomeItem;
use mageyard_domain::sanitize;

/// The commands.
const HELP: &str = "Home: a number opens or closes a row, or opens what it names; /words lists only what has these words; home says \
the rows again; quit leaves.";

/// What is new of home.
pub(crate) fn news(home: &mut Home) -> Vec<String> {
    let Some(contents) = &home.contents else { return Vec::new() };
    let problems: Vec<String> = contents.problems.iter().map(|why| format!("Note: {why}")).collect();
    let rows = home.rows();
    let lines: Vec<String> =
        rows.iter().enumerate().map(|(index, row)| line(index + 1, row)).chain(problems).collect();
    let text = lines.join("\n");
    if home.told.as_ref() == Some(&text) {
        return Vec::new();
    }
    home.told = Some(text);
    let first = home.welcome.is_some().then(welcome::lines).into_iter().flatten();
    first.chain([HELP.to_owned()]).chain(lines).collect()
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
