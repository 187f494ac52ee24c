//! The fields of a body around its turns, written once: a request only puts the texts of its turns between them.

use std::fmt::Write as _;

use std::ops::Range;

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::protocol::TurnFields;

/// A body without its turns.
#[derive(Debug)]
pub(super) struct BodyTemplate(Vec<Piece>);

#[derive(Debug)]
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
        let mut pieces = Vec::new();
        let mut text = String::from("{");
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

    /// The template of a body in which these texts were found: the system text, if it has a field of its own, and the turns
    /// of the list. `None` for an empty list.
    pub(super) fn of_body(body: &str, system: Option<&str>, turns: &[&str]) -> Option<Self> {
        let list = range_in(body, turns.first()?)?.start..range_in(body, turns.last()?)?.end;
        let system = system.map(|text| range_in(body, text)).map_or(Some(None), |range| range.map(Some))?;
        let mut places = vec![(list, Piece::Turns)];
        places.extend(system.map(|range| (range, Piece::System)));
        places.sort_by_key(|(range, _)| range.start);
        let mut pieces = Vec::new();
        let mut end = 0;
        for (range, place) in places {
            pieces.extend([Piece::Text(body.get(end..range.start)?.to_owned()), place]);
            end = range.end;
        }
        pieces.push(Piece::Text(body.get(end..)?.to_owned()));
        Some(Self(pieces))
    }

    /// The texts of the turns in a body with exactly the bytes of this template around them, the system text first if it has
    /// a field of its own; `None` for any other body. Where the body has a `known` text in its place, that is the text;
    /// any other is read as JSON to find its end.
    pub(super) fn split<'a>(&self, body: &'a [u8], known: &[&str]) -> Option<Vec<&'a str>> {
        let has_system = self.0.iter().any(|piece| matches!(piece, Piece::System));
        let mut rest = body;
        let mut system = None;
        let mut list = Vec::with_capacity(known.len());
        for piece in &self.0 {
            match piece {
                Piece::Text(text) => rest = rest.strip_prefix(text.as_bytes())?,
                Piece::System => system = Some(take_value(&mut rest, known.first().copied())?),
                Piece::Turns => loop {
                    let index = list.len() + usize::from(has_system);
                    list.push(take_value(&mut rest, known.get(index).copied())?);
                    match rest.strip_prefix(b",") {
                        Some(next) => rest = next,
                        None => break,
                    }
                },
            }
        }
        rest.is_empty().then(|| system.into_iter().chain(list).collect())
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

/// Where a text is within another one that contains it.
fn range_in(whole: &str, part: &str) -> Option<Range<usize>> {
    let start = part.as_ptr().addr().checked_sub(whole.as_ptr().addr())?;
    let range = start..start + part.len();
    whole.get(range.clone()).map(|_| range)
}

/// Takes a JSON value from the beginning of the bytes: the known one, which is not read again if the bytes begin with it,
/// or any other. A known value ends with a quotation mark, a bracket or a brace, so no longer value begins with it.
fn take_value<'a>(bytes: &mut &'a [u8], known: Option<&str>) -> Option<&'a str> {
    let is_next = |known: &&str| !known.is_empty() && bytes.starts_with(known.as_bytes());
    let length = if let Some(known) = known.filter(is_next) {
        known.len()
    } else {
        let mut values = serde_json::Deserializer::from_slice(bytes).into_iter::<&RawValue>();
        values.next()?.ok()?;
        values.byte_offset()
    };
    let (value, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    std::str::from_utf8(value).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn template(system: Option<&'static str>) -> BodyTemplate {
        let mut body = Map::new();
        body.insert("model".to_owned(), "a \"[\" b".into());
        body.insert("messages".to_owned(), json!([]));
        body.extend(system.map(|name| (name.to_owned(), Value::Null)));
        body.insert("stop".to_owned(), json!(["]", 1.5]));
        BodyTemplate::new(&body, TurnFields { list: "messages", system })
    }

    #[test]
    fn a_filled_body_is_split_into_its_turns() {
        let turns = [r#""é""#, r#"{"role":"user","content":"a, ] \" }"}"#, r#"{"b":[1,2]}"#];
        for (system, turns) in [(None, &turns[1..]), (Some("system"), &turns[..])] {
            let written = template(system);
            let body = String::from_utf8(written.fill(turns)).unwrap();
            for known in [turns, &turns[..1], &[], &["", turns[1]], &[turns[1], turns[0]]] {
                assert_eq!(written.split(body.as_bytes(), known).unwrap(), turns, "{known:?}");
            }
            let read = written.split(body.as_bytes(), &[]).unwrap();
            let (own, list) = read.split_at(usize::from(system.is_some()));
            let read = BodyTemplate::of_body(&body, own.first().copied(), list).unwrap();
            assert_eq!(format!("{read:?}"), format!("{written:?}"));
        }
    }

    #[test]
    fn a_body_with_other_bytes_is_not_split() {
        let template = template(None);
        let turns = [r#"{"a":1}"#, r#"{"b":2}"#];
        let body = String::from_utf8(template.fill(&turns)).unwrap();
        assert!(template.split(body.as_bytes(), &turns).is_some());
        for (from, to) in [
            (r#"{"a":1},"#, r#"{"a":1} ,"#),
            (r#"{"a":1},"#, r#"{"a":1}"#),
            (r#"{"a":1},"#, r#"{"a":1},,"#),
            (r#"{"b":2}]"#, r#"{"b":2},]"#),
            (r#"{"b":2}]"#, r#"{"b":2}"#),
            (r#"{"b":2}]"#, r#"{"b":2}]]"#),
            ("1.5", "1.4"),
            ("messages", "message"),
            (r#""stop""#, r#""stop" "#),
        ] {
            let changed = body.replacen(from, to, 1);
            assert_ne!(changed, body);
            assert!(template.split(changed.as_bytes(), &turns).is_none(), "{changed}");
        }
        assert!(template.split(format!("{body} ").as_bytes(), &turns).is_none());
        let cut = (0..body.len()).find(|&end| template.split(&body.as_bytes()[..end], &turns).is_some());
        assert_eq!(cut, None);
        let not_text = [body.as_bytes(), b""]
            .concat()
            .iter()
            .map(|&b| if b == b'a' { 0xFF } else { b })
            .collect::<Vec<_>>();
        assert!(template.split(&not_text, &["", turns[1]]).is_none());
    }

    #[test]
    fn an_empty_list_has_no_template() {
        assert!(BodyTemplate::of_body("{\"messages\":[]}", None, &[]).is_none());
        assert!(BodyTemplate::of_body("{\"messages\":[1]}", None, &["1"]).is_none(), "from elsewhere");
    }
}
