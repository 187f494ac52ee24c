//! The observation of a step in words: where things are on a grid, the text, and what pictures there are.

use crate::linear::text::{labelled, one_line};
use mageyard_domain::{Glyph, ObservationPart, Presentation};
use mageyard_engine::{Snapshot, Step};
use mageyard_terminal::count_of;

/// The most things whose places are listed.
const MAX_PLACES: usize = 40;

/// The frame of a step in one line, or in as many as its text has. Words that were below the frame of the step `before`
/// too, such as a legend, are not repeated.
pub(super) fn brief(snapshot: &Snapshot, step: &Step, before: Option<&Step>) -> Vec<String> {
    let (board, words) = split(step);
    let mut lines = match places(snapshot, &board) {
        Some(places) => vec![format!("Frame: {places}")],
        None if board.trim().is_empty() => pictures(step),
        None => labelled("Frame", &board),
    };
    if !words.is_empty() && before.is_none_or(|before| split(before).1 != words) {
        lines.extend(labelled("Frame text", &words));
    }
    lines
}

/// The frame of a step with everything: the rows of a grid, the text, and each part.
pub(super) fn whole(snapshot: &Snapshot, step: &Step) -> Vec<String> {
    let (board, _) = split(step);
    let mut lines = brief(snapshot, step, None);
    if places(snapshot, &board).is_some() {
        lines.push(format!("Frame signs: {}", signs(snapshot, &board)));
        lines.extend(
            (1..)
                .zip(board.lines())
                .map(|(number, row): (usize, _)| format!("Row {number}: {}", one_line(row))),
        );
    }
    if !board.trim().is_empty() {
        lines.extend(pictures(step));
    }
    lines
}

/// The board and the words below it.
fn split(step: &Step) -> (String, String) {
    let text = step.observation.text();
    let (board, words) = text.split_once("\n\n").unwrap_or((text.as_ref(), ""));
    (board.to_owned(), words.to_owned())
}

/// The pictures and other parts of an observation, a line each.
fn pictures(step: &Step) -> Vec<String> {
    let parts = step.observation.parts();
    let part = |(number, part): (usize, &ObservationPart)| {
        let which = if parts.len() > 1 { format!(" part {number}") } else { String::new() };
        match part {
            ObservationPart::Text(text) => labelled(&format!("Frame{which}, text"), text),
            ObservationPart::Image(picture) => {
                vec![format!("Frame{which}: a picture of {}×{} pixels", picture.width(), picture.height())]
            }
            ObservationPart::Data(data) => {
                let blob = data.blob();
                vec![format!(
                    "Frame{which}: data, {}, {} bytes",
                    one_line(blob.media_type.as_ref()),
                    blob.length
                )]
            }
        }
    };
    let lines: Vec<String> = (1..).zip(parts).flat_map(part).collect();
    if lines.is_empty() { vec!["Frame: nothing to show".to_owned()] } else { lines }
}

/// Where everything is on a grid, besides free squares and obstacles; `None` for a text that is not a grid.
fn places(snapshot: &Snapshot, board: &str) -> Option<String> {
    let Presentation { glyphs, glyph_name, .. } = snapshot.presentation;
    glyphs.iter().find(|(_, glyph)| *glyph == Glyph::Floor)?;
    let known = |c: char| glyphs.iter().find(|(sign, _)| *sign == c).map(|(_, glyph)| *glyph);
    let mut found: Vec<(Glyph, usize, usize)> = Vec::new();
    for (row, line) in (1..).zip(board.lines()) {
        for (column, c) in (1..).zip(line.chars()) {
            let glyph = known(c)?;
            if !matches!(glyph, Glyph::Floor | Glyph::Obstacle) {
                found.push((glyph, row, column));
            }
        }
    }
    found.sort_by_key(|(glyph, ..)| !glyph.is_agent());
    let rows = board.lines().count();
    let columns = board.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    let place = |(glyph, row, column): &(Glyph, usize, usize)| {
        format!("{} at row {row}, column {column}", glyph_name(*glyph))
    };
    let mut words: Vec<String> = found.iter().take(MAX_PLACES).map(place).collect();
    let more = found.len().saturating_sub(MAX_PLACES);
    words.extend((more > 0).then(|| format!("and {more} more")));
    Some(format!("{} of {}: {}", count_of(rows, "row"), count_of(columns, "square"), words.join("; ")))
}

/// What the signs of a grid mean.
fn signs(snapshot: &Snapshot, board: &str) -> String {
    let Presentation { glyphs, glyph_name, .. } = snapshot.presentation;
    let used = glyphs.iter().filter(|(sign, _)| board.contains(*sign));
    let words = used.map(|(sign, glyph)| match sign {
        ' ' => format!("a space is {}", glyph_name(*glyph)),
        sign => format!("{} is {}", one_line(&sign.to_string()), glyph_name(*glyph)),
    });
    words.collect::<Vec<_>>().join(", ")
}
