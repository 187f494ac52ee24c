//! The bytes of a body taken apart: the exact text of each turn and of every other field.
//!
//! This makes the proof cheap: where a body has the same bytes around its turns as the one before, and the text of a
//! turn that was read before in its place, nothing is parsed again, because the same bytes say the same. Any other
//! turn is parsed, and its turns are compared with the messages of each request.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::body_template::BodyTemplate;
use super::protocol::TurnFields;

/// The parts of a body, as texts within it.
pub(super) struct RawBody<'a> {
    body: &'a str,
    /// The text of the system text, if it has a field of its own.
    pub(super) system: Option<&'a str>,
    /// The texts of the turns in the list.
    pub(super) turns: Vec<&'a str>,
    /// The names of all fields in order, with the texts of those that hold no turns.
    fields: Vec<(Cow<'a, str>, Option<&'a RawValue>)>,
    places: TurnFields,
}

impl<'a> RawBody<'a> {
    /// Takes a body apart.
    pub(super) fn read(places: TurnFields, bytes: &'a [u8]) -> Result<Self, String> {
        let body = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
        let mut text = serde_json::Deserializer::from_str(body);
        let parts = Fields(places, body).deserialize(&mut text);
        let parts = parts.and_then(|parts| text.end().map(|()| parts));
        parts.map_err(|error| error.to_string())
    }

    /// The fields around the turns.
    pub(super) fn envelope(&self) -> Result<ReadEnvelope, String> {
        let template = BodyTemplate::of_body(self.body, self.system, &self.turns);
        Ok(ReadEnvelope { template, has_system: self.system.is_some(), value: self.envelope_value()?.into() })
    }

    fn envelope_value(&self) -> Result<Value, String> {
        let field = |(name, text): &(Cow<'a, str>, Option<&RawValue>)| {
            let value = match text {
                Some(text) => serde_json::from_str(text.get())?,
                None if *name == self.places.list => Value::Array(Vec::new()),
                None => Value::Null,
            };
            Ok((name.to_string(), value))
        };
        let fields: serde_json::Result<Map<String, Value>> = self.fields.iter().map(field).collect();
        fields.map(Value::Object).map_err(|error| error.to_string())
    }
}

/// The fields of a body around its turns.
#[derive(Debug)]
pub(super) struct ReadEnvelope {
    /// The text from which they were read, if there were turns.
    pub(super) template: Option<BodyTemplate>,
    /// Whether the system text has a field of its own.
    pub(super) has_system: bool,
    /// The body with an empty list in place of the turns, and `null` in place of a system text outside of the list.
    pub(super) value: Arc<Value>,
}

struct Fields<'a>(TurnFields, &'a str);

/// The name of a field; only one with escape sequences is copied.
#[derive(Deserialize)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'a> DeserializeSeed<'a> for Fields<'a> {
    type Value = RawBody<'a>;

    fn deserialize<D: Deserializer<'a>>(self, from: D) -> Result<RawBody<'a>, D::Error> {
        from.deserialize_map(self)
    }
}

impl<'a> Visitor<'a> for Fields<'a> {
    type Value = RawBody<'a>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a body")
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<RawBody<'a>, A::Error> {
        let mut turns = None::<Vec<&RawValue>>;
        let mut system = None;
        let mut fields = Vec::with_capacity(12);
        while let Some(Name(name)) = map.next_key()? {
            if fields.iter().any(|(known, _)| *known == name) {
                return Err(A::Error::custom(format!("the body has the field {name:?} twice")));
            }
            let mut text = None;
            if name == self.0.list {
                turns = Some(map.next_value()?);
            } else if self.0.system.is_some_and(|system| system == name) {
                system = Some(map.next_value::<&RawValue>()?.get());
            } else {
                text = Some(map.next_value()?);
            }
            fields.push((name, text));
        }
        let turns = turns.ok_or_else(|| A::Error::custom("the body has no turns"))?;
        let turns = turns.into_iter().map(RawValue::get).collect();
        Ok(RawBody { body: self.1, system, turns, fields, places: self.0 })
    }
}
