//! Home in lines: its rows with numbers, whenever they have changed.

use super::draw::{episode_lines, section_lines};
use super::tree::{Row, when_empty};
use super::view::Home;
use super::welcome;
use crate::requests::{HomeItem, HomePreview};
use crate::sweep::SweepPreview;
use mageyard_domain::sanitize;

/// The commands.
const HELP: &str = "Home: a number opens or closes a row, or opens what it names; show N says what is known of it, n N plays it \
again, d N deletes it, y N copies its address; /words lists only what has these words, such as mini model~gpt ending=won; home \
says the rows again; quit leaves.";

/// How many rows of one kind below each other are said.
const MAX_SAID: usize = 40;

/// What is new of home.
pub(crate) fn news(home: &mut Home) -> Vec<String> {
    let Some(contents) = home.tree.contents() else { return Vec::new() };
    let mut lines = row_lines(home.tree.rows());
    let preview = home.says_preview.then(|| preview_lines(home)).flatten();
    lines.extend(contents.problems.iter().map(|why| format!("Note: {why}")));
    let text = lines.join("\n");
    let mut said = Vec::new();
    if home.told.as_ref() != Some(&text) {
        home.told = Some(text);
        said.extend(home.welcome.is_some().then(welcome::lines).into_iter().flatten());
        said.push(HELP.to_owned());
        said.extend(lines);
    }
    if let Some(preview) = preview {
        home.says_preview = false;
        said.extend(preview);
    }
    said
}

/// What is known of the selected item, once it was read.
fn preview_lines(home: &Home) -> Option<Vec<String>> {
    let name = home.selected_row()?.name.as_str();
    let lines = match &home.preview {
        Some((_, Ok(preview))) if preview.sweep.as_ref().is_some_and(SweepPreview::is_being_read) => {
            return None;
        }
        Some((_, Ok(preview))) => text_lines(preview),
        Some((_, Err(problem))) => vec![problem.to_string()],
        None if home.is_wanted() => return None,
        None => section_lines(home),
    };
    let lines = lines.iter().flat_map(|text| text.lines()).filter(|line| !line.trim().is_empty());
    Some(lines.map(|line| sanitize(&format!("{name}: {line}")).into_owned()).collect())
}

/// A preview as text.
fn text_lines(preview: &HomePreview) -> Vec<String> {
    let mut lines = preview.lines.clone();
    lines.extend(preview.episode.iter().flat_map(|episode| episode_lines(episode)));
    lines.extend(preview.sweep.iter().flat_map(SweepPreview::lines));
    lines
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
        (HomeItem::Section(section), "–") => when_empty(*section),
        (_, note) => note,
    };
    let states = row.states.iter().map(|state| state.word());
    let facts: Vec<String> = states.chain((!note.is_empty()).then(|| note.to_owned())).collect();
    let note = if facts.is_empty() { String::new() } else { format!(": {}", facts.join(" · ")) };
    sanitize(&format!("{indent}{number}: {}{state}{note}", row.name)).into_owned()
}
