//! The request that the draft makes in the shown state, with what the edit changed; or a version compared with the draft.

use ratatui::text::{Line, Span};

use super::sheet::WorkshopSheet;
use super::text::{changes_words, error_words, request_facts, state_words};
use crate::modals::{changed_words_lines, segment_role, turn_heading};
use crate::model::Model;
use crate::requests::FilledDraft;
use mageyard_dialog::{PartDiff, TurnDiff, WordChange, image_key, segment_name, word_text};
use mageyard_domain::{Segment, TurnPart, sanitize};
use mageyard_terminal::{LineChange, ShownLines, StyleRole, folded, line_changes, truncate, wrap};

/// The lines of the pane.
#[derive(Default)]
pub(super) struct Lines {
    pub(super) rows: Vec<Line<'static>>,
    /// The index of the first one that the edit changed.
    pub(super) first_change: Option<usize>,
}

/// All lines of the pane.
pub(super) fn lines(model: &Model, sheet: &WorkshopSheet, width: u16) -> Lines {
    let plain = |rows| Lines { rows, first_change: None };
    if sheet.compares {
        return plain(difference(model, sheet, width));
    }
    if let Some(problem) = &sheet.stateless {
        let words = sanitize(&problem.to_string()).into_owned();
        return plain(wrap(&words, width, &Span::raw(""), model.style(StyleRole::Warn)));
    }
    let dim = model.style(StyleRole::Dim);
    let line = |words: &str, style| wrap(&sanitize(words), width, &Span::raw(""), style);
    let mut lines = line(&state_words(sheet), dim);
    let Some(filled) = &sheet.filled else {
        let words = match error_words(sheet) {
            Some(_) => "the draft is not valid, so nothing is filled in",
            None => "being filled in …",
        };
        lines.extend(line(words, dim));
        return plain(lines);
    };
    lines.extend(request_facts(filled).iter().flat_map(|words| line(words, dim)));
    let role = if filled.request.is_empty() { StyleRole::Dim } else { StyleRole::Notice };
    let stale = if sheet.error.is_some() { "the last valid draft: " } else { "" };
    lines.extend(line(&format!("{stale}{}", changes_words(filled)), model.style(role)));
    let mut first_change = None;
    for turn in &filled.request.turns {
        lines.extend(turn_title(model, turn));
        for part in &turn.parts {
            if first_change.is_none() && !matches!(part, PartDiff::Same(_)) {
                first_change = Some(lines.len() + first_changed_row(model, filled, part, width));
            }
            lines.extend(part_lines(model, filled, part, width));
        }
    }
    Lines { rows: lines, first_change }
}

/// The first row of a part in which something differs: in a changed text the first words with a sign.
fn first_changed_row(model: &Model, filled: &FilledDraft, part: &PartDiff, width: u16) -> usize {
    let rows = part_lines(model, filled, part, width);
    let has_sign = |row: &Line<'static>| {
        let text = row.to_string();
        text.contains("{+") || text.contains("[-")
    };
    rows.iter().position(has_sign).unwrap_or(0)
}

fn turn_title(model: &Model, turn: &TurnDiff) -> Vec<Line<'static>> {
    match turn.new {
        Some(number) => turn_heading(model, number, &turn.role, false),
        None => turn_heading(model, turn.old.unwrap_or(0), &format!("{}, removed", turn.role), false),
    }
}

fn part_lines(model: &Model, filled: &FilledDraft, part: &PartDiff, width: u16) -> Vec<Line<'static>> {
    match part {
        PartDiff::Same(TurnPart::Text(segment, text)) => {
            text_lines(model, (*segment, "", StyleRole::Text), text, width)
        }
        PartDiff::Added(TurnPart::Text(segment, text)) => {
            text_lines(model, (*segment, ", added", StyleRole::CodeAdded), text, width)
        }
        PartDiff::Removed(TurnPart::Text(segment, text)) => {
            text_lines(model, (*segment, ", removed", StyleRole::CodeRemoved), text, width)
        }
        PartDiff::Text(segment, words) => changed_text(model, *segment, words, width),
        PartDiff::Same(part) => image_lines(model, filled, part, ("", StyleRole::Title), width),
        PartDiff::Added(part) => image_lines(model, filled, part, (", added", StyleRole::CodeAdded), width),
        PartDiff::Removed(part) => {
            image_lines(model, filled, part, (", removed", StyleRole::CodeRemoved), width)
        }
    }
}

/// A text with its segment above it and a bar in the segment's colour beside it.
fn text_lines(
    model: &Model,
    (segment, note, role): (Option<Segment>, &str, StyleRole),
    text: &str,
    width: u16,
) -> Vec<Line<'static>> {
    let bar = model.style(segment.map_or(StyleRole::Text, segment_role));
    let name = format!("  [{}]{note}", segment_name(segment));
    let mut lines = vec![Line::styled(name, if note.is_empty() { bar } else { model.style(role) })];
    let text = sanitize(text.trim_end());
    lines.extend(wrap(&text, width, &Span::styled("  │ ", bar), model.style(role)));
    lines
}

/// A text of which words changed.
fn changed_text(
    model: &Model,
    segment: Option<Segment>,
    words: &[WordChange],
    width: u16,
) -> Vec<Line<'static>> {
    let bar = Span::styled("  ┃ ", model.style(StyleRole::Notice));
    let name = format!("  [{}], changed", segment_name(segment));
    let mut lines = vec![Line::styled(name, model.style(StyleRole::Notice))];
    let text: String = words.iter().map(word_text).collect();
    let text = sanitize(text.trim_end());
    lines.extend(changed_words_lines(model, wrap(&text, width, &bar, model.style(StyleRole::Text))));
    lines
}

/// Which image a part is, and its size as it is sent.
fn image_lines(
    model: &Model,
    filled: &FilledDraft,
    part: &TurnPart,
    (note, role): (&str, StyleRole),
    width: u16,
) -> Vec<Line<'static>> {
    let TurnPart::Image { digest, .. } = part else { return Vec::new() };
    let found = filled.images.iter().find(|image| image_key(image.part) == *digest);
    let words = match found {
        Some(image) => {
            format!("image of step {}, {}×{} px{note}", image.part.step, image.size.0, image.size.1)
        }
        None => format!("image {digest}{note}"),
    };
    wrap(&words, width, &Span::styled("  ▣ ", model.style(role)), model.style(role))
}

/// The selected version against the draft: what the draft has is added.
fn difference(model: &Model, sheet: &WorkshopSheet, width: u16) -> Vec<Line<'static>> {
    let Some(version) = sheet.version() else { return Vec::new() };
    let title = format!("version {} of {} against the draft", version.number, version.when);
    let mut lines = vec![Line::styled(truncate(&title, width), model.style(StyleRole::Notice))];
    let changes = line_changes(&version.text, sheet.draft());
    if changes.iter().all(|line| line.change == LineChange::Same) {
        lines.push(Line::styled("the draft has the text of this version", model.style(StyleRole::Ok)));
        return lines;
    }
    for shown in folded(&changes) {
        match shown {
            ShownLines::Folded(count) => {
                let words = format!("  … {count} equal lines");
                lines.push(Line::styled(words, model.style(StyleRole::Dim)));
            }
            ShownLines::Lines(range) => {
                for line in changes.get(range).unwrap_or_default() {
                    let (sign, role) = match line.change {
                        LineChange::Same => ("  ", StyleRole::Text),
                        LineChange::Added => ("+ ", StyleRole::CodeAdded),
                        LineChange::Removed => ("- ", StyleRole::CodeRemoved),
                    };
                    let style = model.style(role);
                    lines.extend(wrap(&sanitize(&line.text), width, &Span::styled(sign, style), style));
                }
            }
        }
    }
    lines
}
