//! The fields of a body around its turns, written once: a request only puts the texts of its turns between them.

use std::fmt::Write as _;

use serde_json::Map;
use serde_json::Value;

use super::protocol::TurnFields;

/// A body without its turns.
pub(super) struct BodyTemplate(Vec<Piece>);

enum Piece {
    Text(String),
    /// The value of the field of the system text.
    System,
    /// The texts of the turns in their list.
    Turns,
}

impl BodyTemplate {
    /// A body with an empty list in place of the turns, and `null` in place of a system text outside of the list.
    pub(super) fn new(body: &Map<String, Value>, fields: TurnFields) -> Self {
        let (mut pieces, mut text) = (Vec::new(), String::from("{"));
        for (index, (name, value)) in body.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            // Writing to a String does not fail.
            let _ = write!(text, "{comma}{}:", Value::from(name.as_str()));
            let is_list = name == fields.list && value.as_array().is_some_and(Vec::is_empty);
            let is_system = fields.system == Some(name) && value.is_null();
            match (is_list, is_system) {
                (true, _) => {
                    pieces.extend([Piece::Text(std::mem::take(&mut text) + "["), Piece::Turns]);
                    text.push(']');
                }
                (_, true) => pieces.extend([Piece::Text(std::mem::take(&mut text)), Piece::System]),
                _ => text.push_str(&value.to_string()),
            }
        }
        pieces.push(Piece::Text(text + "}"));
        Self(pieces)
    }

    /// The bytes of a body with these turns, of which the first one is the system text if that has a field of its own.
    pub(super) fn fill(&self, turns: &[&str]) -> Vec<u8> {
        let has_system = self.0.iter().any(|piece| matches!(piece, Piece::System));
        let (system, list) = turns.split_at(usize::from(has_system).min(turns.len()));
        let around = self.0.iter().map(|piece| if let Piece::Text(text) = piece { text.len() } else { 0 });
        let length = around.sum::<usize>() + turns.iter().map(|turn| turn.len() + 1).sum::<usize>();
        let mut bytes = Vec::with_capacity(length);
        for piece in &self.0 {
            match piece {
                Piece::Text(text) => bytes.extend_from_slice(text.as_bytes()),
                Piece::System => bytes.extend(system.iter().flat_map(|turn| turn.bytes())),
                Piece::Turns => {
                    for (index, turn) in list.iter().enumerate() {
                        bytes.extend_from_slice(if index == 0 { b"" } else { b"," });
                        bytes.extend_from_slice(turn.as_bytes());
                    }
                }
            }
        }
        bytes
    }
}
