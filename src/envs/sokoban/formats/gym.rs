//! gym-sokoban's arrays as JSON: per level an object with `room_fixed` and `room_state`, or a bare pair of
//! arrays; one after the other or in a list. Optional fields have what gym-sokoban cannot express: a
//! solution, a published best, and which walls are really nothing.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Value, json};

use super::super::board::Board;
use super::super::notes::{NoteLine, Notes, Published, is_lurd, replay};
use super::super::xsb as boards;
use super::gym_arrays::Grid;
use super::{bounded_json, gym_arrays, xsb};
use mageyard_domain::{FileLocation, Level, LevelFormatError};

/// The bytes at the beginning in which the name of an array is looked for.
const BEGINNING: usize = 4096;

/// Whether the first character begins an object or a list, and its first names are those of the arrays, if it has any: other
/// environments have files of JSON too.
pub(super) fn fits(bytes: &[u8]) -> bool {
    let begins = matches!(bytes.trim_ascii_start(), [b'{' | b'[', ..]);
    let beginning = bytes.get(..BEGINNING).unwrap_or(bytes);
    begins && (!beginning.contains(&b'"') || beginning.windows(5).any(|name| name == b"room_"))
}

pub(super) fn read(bytes: &[u8]) -> Result<Vec<Level>, LevelFormatError> {
    let mut values = serde_json::Deserializer::from_str(xsb::text(bytes)?);
    let mut levels = Vec::new();
    while values.end().is_err() {
        RoomCollector(&mut levels).deserialize(&mut values).map_err(|error| json_error(&error))?;
    }
    if levels.is_empty() {
        return Err(LevelFormatError {
            location: FileLocation::Line(1),
            reason: "the file has no level".to_owned(),
        });
    }
    Ok(levels)
}

fn json_error(error: &serde_json::Error) -> LevelFormatError {
    let reason = error.to_string();
    let reason = reason.rsplit_once(" at line ").map_or(reason.as_str(), |(reason, _)| reason);
    let reason = if error.is_data() { reason.to_owned() } else { format!("is not JSON: {reason}") };
    LevelFormatError { location: FileLocation::Line(error.line().max(1)), reason }
}

/// Collects the rooms of one value: a room, or a list of rooms.
struct RoomCollector<'a>(&'a mut Vec<Level>);

impl RoomCollector<'_> {
    fn take<E: Error>(&mut self, room: &Value) -> Result<(), E> {
        let number = self.0.len() + 1;
        let level = level(room, number).map_err(|why| E::custom(format!("level {number}: {why}")))?;
        self.0.push(level);
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for RoomCollector<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for RoomCollector<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with room_fixed and room_state, a pair of these, or a list of either")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, fields: A) -> Result<(), A::Error> {
        self.take(&bounded_json::object(fields)?)
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<(), A::Error> {
        let Some(first) = bounded_json::room(&mut items)? else { return Ok(()) };
        if is_grid(&first) {
            let pair = std::iter::once(first).chain(bounded_json::room(&mut items)?).collect();
            return match items.next_element::<IgnoredAny>()? {
                None => self.take(&pair),
                Some(_) => Err(A::Error::custom("there is a third array besides room_fixed and room_state")),
            };
        }
        self.take(&first)?;
        while let Some(room) = bounded_json::room(&mut items)? {
            self.take(&room)?;
        }
        Ok(())
    }
}

/// Whether a value is an array of arrays of numbers.
fn is_grid(value: &Value) -> bool {
    value.pointer("/0/0").is_some_and(|cell| !cell.is_array() && !cell.is_object())
}

fn level(room: &Value, number: usize) -> Result<Level, String> {
    let part = |index: &str, name: &str| {
        let found = room.get(name).or_else(|| room.pointer(index));
        found.ok_or_else(|| format!("{name} is missing")).and_then(|value| grid(value, name))
    };
    let outside = room.get("outside").map(|value| grid(value, "outside")).transpose()?;
    let board = gym_arrays::board(&part("/0", "room_fixed")?, &part("/1", "room_state")?, outside.as_ref())?;
    let title = room.get("title").and_then(Value::as_str).filter(|title| !title.trim().is_empty());
    let text = format!("{board}{}", parse_notes(room, &board)?);
    Ok(Level::from_text(number, title, text))
}

/// Parses the optional fields beside the arrays.
fn parse_notes(room: &Value, board: &Board) -> Result<Notes, String> {
    let mut notes = Notes::default();
    if let Some(solution) = room.get("solution").filter(|solution| !solution.is_null()) {
        let lurd = solution
            .as_str()
            .filter(|text| is_lurd(text))
            .ok_or("solution is not a string of moves in LURD")?;
        notes.add(NoteLine::Solution(lurd))?;
        let moves = notes.solution.as_deref().unwrap_or_default();
        replay(board, moves).map_err(|why| format!("the solution is not valid: {why}"))?;
    }
    if let Some(published) = room.get("published") {
        let moves =
            published.get("moves").and_then(Value::as_u64).and_then(|moves| u32::try_from(moves).ok());
        let reward = published.get("reward").and_then(Value::as_f64);
        let read = moves.zip(reward).and_then(|(moves, reward)| Published::new(moves, reward));
        let form = "published is not of the form {\"moves\": 25, \"reward\": 11.5}";
        notes.published = Some(read.ok_or(form)?);
    }
    Ok(notes)
}

fn grid(value: &Value, name: &str) -> Result<Grid, String> {
    let shape = || format!("{name} is not a list of rows of numbers");
    let rows = value.as_array().ok_or_else(shape)?;
    let columns =
        rows.first().and_then(Value::as_array).map(Vec::len).filter(|count| *count > 0).ok_or_else(shape)?;
    if rows.len().saturating_mul(columns) > gym_arrays::MAX_SQUARES {
        return Err(format!(
            "{name} has {}x{columns} squares; the maximum is {}",
            rows.len(),
            gym_arrays::MAX_SQUARES
        ));
    }
    let mut cells = Vec::with_capacity(rows.len() * columns);
    for (at, row) in (1..).zip(rows) {
        let row = row.as_array().ok_or_else(shape)?;
        if row.len() != columns {
            return Err(format!("row {at} of {name} has {} squares and the first has {columns}", row.len()));
        }
        for cell in row {
            cells.push(
                cell.as_i64()
                    .ok_or_else(|| format!("row {at} of {name} has {cell}, which is not a whole number"))?,
            );
        }
    }
    Ok(Grid { rows: rows.len(), columns, cells })
}

pub(super) fn write(levels: &[Level]) -> Result<String, LevelFormatError> {
    levels.iter().map(|level| Ok(format!("{}\n", object(level)?))).collect()
}

fn object(level: &Level) -> Result<Value, LevelFormatError> {
    let refuse = |reason| LevelFormatError { location: FileLocation::Level(level.number), reason };
    let board = boards::read_one(level.text()).map_err(|error| refuse(error.to_string()))?;
    let ([fixed, state], outside) = gym_arrays::arrays(&board);
    let mut object = json!({ "title": level.title, "room_fixed": fixed, "room_state": state });
    if let Some(outside) = outside {
        object["outside"] = outside.into();
    }
    let Notes { published, solution } = boards::notes_of(level.text());
    if let Some(Published { moves, tenths }) = published {
        object["published"] = json!({ "moves": moves, "reward": f64::from(tenths) / 10.0 });
    }
    if let Some(solution) = solution {
        object["solution"] = solution.into();
    }
    Ok(object)
}
