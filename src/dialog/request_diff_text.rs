//! The difference of two requests as text: lines with signs, words in brackets.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use serde_json::Value;

use super::request_diff::{PartDiff, RequestDiff, TurnDiff, WordChange};
use mageyard_domain::{Segment, TurnPart};

/// How many turns differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiffCounts {
    /// Turns that only the old request has.
    pub removed: usize,
    /// Turns that only the new request has.
    pub added: usize,
    /// Turns that both have with other parts.
    pub changed: usize,
}

impl RequestDiff {
    /// How many turns differ.
    pub fn counts(&self) -> DiffCounts {
        let count = |fits: fn(&TurnDiff) -> bool| self.turns.iter().filter(|turn| fits(turn)).count();
        DiffCounts {
            removed: count(|turn| turn.new.is_none()),
            added: count(|turn| turn.old.is_none()),
            changed: count(|turn| turn.old.is_some() && turn.new.is_some() && !turn.is_same()),
        }
    }

    /// The difference as lines: turns, then parameters. Equal turns and texts are written out with `full`.
    pub fn text_lines(&self, full: bool) -> Vec<String> {
        let turns = self.turns.iter().flat_map(|turn| turn_lines(turn, full));
        turns.chain(self.parameters.iter().map(parameter_line)).collect()
    }
}

/// A parameter with its old and its new value.
pub fn parameter_line((name, old, new): &(String, Option<Value>, Option<Value>)) -> String {
    let shown = |value: &Option<Value>| value.as_ref().map_or("nothing".to_owned(), ToString::to_string);
    format!("{name}: {} -> {}", shown(old), shown(new))
}

fn turn_lines(turn: &TurnDiff, full: bool) -> Vec<String> {
    if turn.is_same() && !full {
        return vec![format!("  {}  equal", turn.title())];
    }
    let mut lines = vec![format!("@ {}", turn.title())];
    lines.extend(turn.parts.iter().flat_map(|part| part_lines(part, full)));
    lines
}

impl TurnDiff {
    /// `turn 3 -> 4  user`, or `turn 4  user, added`.
    pub fn title(&self) -> String {
        match (self.old, self.new) {
            (Some(old), Some(new)) => format!("turn {old} -> {new}  {}", self.role),
            (Some(old), None) => format!("turn {old}  {}, removed", self.role),
            (None, Some(new)) => format!("turn {new}  {}, added", self.role),
            (None, None) => self.role.clone(),
        }
    }
}

fn part_lines(part: &PartDiff, full: bool) -> Vec<String> {
    match part {
        PartDiff::Same(part) if full => signed(" ", &part_text(part)),
        PartDiff::Same(part) => vec![format!("    {}  equal", part_name(part))],
        PartDiff::Removed(part) => signed("-", &part_text(part)),
        PartDiff::Added(part) => signed("+", &part_text(part)),
        PartDiff::Text(segment, words) => {
            let text: String = words.iter().map(word_text).collect();
            signed("~", &format!("{}: {text}", segment_name(*segment)))
        }
    }
}

/// The name of a segment, or `text`.
pub fn segment_name(segment: Option<Segment>) -> &'static str {
    segment.map_or("text", |segment| segment.name())
}

/// Words with the signs of their change: `[-removed-]{+added+}`.
pub fn word_text(change: &WordChange) -> String {
    match change {
        WordChange::Same(text) => text.clone(),
        WordChange::Removed(text) => format!("[-{text}-]"),
        WordChange::Added(text) => format!("{{+{text}+}}"),
    }
}

fn signed(sign: &str, text: &str) -> Vec<String> {
    text.lines().map(|line| format!("  {sign} {line}")).collect()
}

/// What a part is: its segment, or an image with its digest and size.
pub fn part_name(part: &TurnPart) -> String {
    match part {
        TurnPart::Text(segment, _) => segment_name(*segment).to_owned(),
        TurnPart::Image { digest, image } => {
            let size =
                image.as_ref().map_or(String::new(), |image| format!(" {}x{}", image.size.0, image.size.1));
            format!("image {digest}{size}")
        }
        TurnPart::Unknown(_) => "unknown part".to_owned(),
    }
}

/// A part with its text.
pub fn part_text(part: &TurnPart) -> String {
    match part {
        TurnPart::Text(_, text) => format!("{}: {text}", part_name(part)),
        TurnPart::Unknown(json) => json.clone(),
        TurnPart::Image { .. } => part_name(part),
    }
}
