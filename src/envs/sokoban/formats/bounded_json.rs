//! Reads JSON rooms as values, with a limit per room: values in memory are many times as large as their
//! text, and a file may contain anything.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::gym_arrays::MAX_SQUARES;

/// The most values of a room: three arrays, at worst with as many rows as squares, and the fields beside
/// them.
const MAX_VALUES: usize = 7 * MAX_SQUARES;
/// The fields that are kept; all others are skipped.
const FIELDS: [&str; 8] =
    ["room_fixed", "room_state", "outside", "title", "solution", "published", "moves", "reward"];

/// Reads one value and counts its parts.
pub(super) struct BoundedValue<'a> {
    left: &'a mut usize,
}

/// Reads a room, or one of its arrays.
pub(super) fn room<'de, A: SeqAccess<'de>>(items: &mut A) -> Result<Option<Value>, A::Error> {
    items.next_element_seed(BoundedValue { left: &mut { MAX_VALUES } })
}

/// Reads the fields of a room.
pub(super) fn object<'de, A: MapAccess<'de>>(fields: A) -> Result<Value, A::Error> {
    BoundedValue { left: &mut { MAX_VALUES } }.visit_map(fields)
}

impl BoundedValue<'_> {
    fn reborrow(&mut self) -> BoundedValue<'_> {
        BoundedValue { left: self.left }
    }

    fn spend<E: Error>(&mut self) -> Result<(), E> {
        let over = || E::custom(format!("a room has more than {MAX_VALUES} values"));
        *self.left = self.left.checked_sub(1).ok_or_else(over)?;
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for BoundedValue<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for BoundedValue<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(self.reborrow())? {
            self.spend()?;
            list.push(item);
        }
        Ok(list.into())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut fields: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(name) = fields.next_key::<String>()? {
            if FIELDS.contains(&name.as_str()) {
                self.spend()?;
                object.insert(name, fields.next_value_seed(self.reborrow())?);
            } else {
                fields.next_value::<IgnoredAny>()?;
            }
        }
        Ok(object.into())
    }
}
