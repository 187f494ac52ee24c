//! Reads an event by its name: first the number, time and name of a line, then the fields of that event alone from the
//! same text. Fields of other kinds are skipped, never kept.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error as _, IgnoredAny, IntoDeserializer, VariantAccess,
    Visitor,
};
use serde_json::Error;

/// What every line has.
#[derive(Debug, PartialEq, Deserialize)]
pub(super) struct LineTag<'a> {
    /// The number of the line, from 0.
    pub(super) n: u64,
    /// Milliseconds of the episode's own time.
    pub(super) at: u64,
    /// The name of the event.
    #[serde(borrow)]
    pub(super) event: Cow<'a, str>,
}

impl<'a> LineTag<'a> {
    /// The tag of a line. Lines of this program begin with it, so the rest is not read.
    pub(super) fn parse(line: &'a str) -> Result<Self, Error> {
        Self::of_prefix(line).map_or_else(|| serde_json::from_str(line), Ok)
    }

    fn of_prefix(line: &'a str) -> Option<Self> {
        let (n, rest) = split_number(line.strip_prefix("{\"n\":")?)?;
        let (at, rest) = split_number(rest.strip_prefix(",\"at\":")?)?;
        let rest = rest.strip_prefix(",\"event\":\"")?;
        let end = rest.bytes().position(|byte| !byte.is_ascii_lowercase() && byte != b'_')?;
        let (event, rest) = rest.split_at_checked(end)?;
        rest.starts_with('"').then_some(Self { n, at, event: Cow::Borrowed(event) })
    }
}

/// The number that a text begins with, and the text after it.
fn split_number(text: &str) -> Option<(u64, &str)> {
    let (number, rest) = text.split_at_checked(text.bytes().position(|byte| !byte.is_ascii_digit())?)?;
    Some((number.parse().ok()?, rest))
}

/// The text of a line whose event has this name, as a value of an enum.
pub(super) fn parse_event<'de, T: Deserialize<'de>>(name: &'de str, line: &'de str) -> Result<T, Error> {
    T::deserialize(TaggedLine { name, line })
}

struct TaggedLine<'de> {
    name: &'de str,
    line: &'de str,
}

impl<'de> Deserializer<'de> for TaggedLine<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_enum(self)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl<'de> EnumAccess<'de> for TaggedLine<'de> {
    type Error = Error;
    type Variant = Fields<'de>;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Fields<'de>), Error> {
        let name: StrDeserializer<'de, Error> = self.name.into_deserializer();
        Ok((seed.deserialize(name)?, Fields(self.line)))
    }
}

/// The fields of an event in the text of its line.
struct Fields<'de>(&'de str);

impl<'de> VariantAccess<'de> for Fields<'de> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        serde_json::from_str::<IgnoredAny>(self.0).map(drop)
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Error> {
        let mut text = serde_json::Deserializer::from_str(self.0);
        let value = seed.deserialize(&mut text)?;
        text.end().map(|()| value)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, Error> {
        Err(Error::custom("an event has named fields"))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let mut text = serde_json::Deserializer::from_str(self.0);
        let value = text.deserialize_struct("event", fields, visitor)?;
        text.end().map(|()| value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Event {
        Asked,
        Acted { reward: f64 },
        Replied(Reply),
    }

    #[derive(Debug, PartialEq, Deserialize)]
    struct Reply {
        text: String,
        #[serde(default)]
        usage: Option<u32>,
    }

    fn parse(line: &str) -> Result<(u64, u64, Event), String> {
        let tag = LineTag::parse(line).map_err(|error| error.to_string())?;
        let event = parse_event(&tag.event, line).map_err(|error| error.to_string())?;
        Ok((tag.n, tag.at, event))
    }

    #[test]
    fn events_are_read_by_their_name_whatever_the_order_of_the_fields() {
        let reply = || Event::Replied(Reply { text: "a\nb".into(), usage: None });
        for (line, expected) in [
            (r#"{"n":3,"at":70,"event":"asked","seal":"00"}"#, Event::Asked),
            (
                r#"{"n":3,"at":70,"event":"acted","reward":-0.5,"x":[{"event":"y"}]}"#,
                Event::Acted { reward: -0.5 },
            ),
            (r#"{"n":3,"at":70,"event":"replied","text":"a\nb","seal":"00"}"#, reply()),
            (r#" {"text":"a\nb", "event" : "replied", "at":70, "n":3}"#, reply()),
        ] {
            assert_eq!(parse(line), Ok((3, 70, expected)), "{line}");
        }
    }

    #[test]
    fn anything_else_is_an_error() {
        for line in [
            "",
            "7",
            r#"{"n":3,"at":70}"#,
            r#"{"n":3,"at":70,"event":"unknown"}"#,
            r#"{"n":3,"at":70,"event":"acted"}"#,
            r#"{"n":3,"at":70,"event":"asked"} x"#,
            r#"{"n":3,"at":70,"event":"asked""#,
            r#"{"n":3,"at":70,"event":"acted","reward":1,"reward":2}"#,
            r#"{"n":-3,"at":70,"event":"asked"}"#,
            r#"{"n":3,"at":70,"event":"replied","text":"a"}{}"#,
        ] {
            assert!(parse(line).is_err(), "{line}");
        }
    }
}
