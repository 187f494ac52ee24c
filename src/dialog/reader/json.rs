//! A reply that is a JSON object with a key for each part.

use std::fmt;
use std::ops::Range;

use serde::Deserialize;
use serde::Deserializer;
use serde::de::MapAccess;
use serde::de::Visitor;
use serde_json::value::RawValue;

use super::Candidate;
use super::Leniency;
use super::ParseError;
use super::Spans;
use super::excerpt;
use super::fence;
use super::trimmed_span;
use crate::dialog::rules::JsonRules;
use crate::dialog::rules::ReaderRules;
use crate::domain::ReplyFormat;

/// The texts of the action's key: one, or those of the array.
pub(super) fn locate_actions<'a>(
    rules: &ReaderRules,
    ways: &JsonRules,
    form: &ReplyFormat,
    reply: &'a str,
    marks: &mut Spans,
) -> Result<Vec<Candidate<'a>>, ParseError> {
    let range = find_object(rules, ways, reply, marks)?;
    let parsed = serde_json::from_str::<Entries<'a>>(&reply[range.clone()]);
    let Entries(entries) = parsed.map_err(|error| syntax_error(reply, &range, &error))?;
    if let Some(analysis) = find_entry(&entries, &form.analysis, reply)? {
        marks.analysis = Some(inner_span(reply, analysis));
    }
    let action =
        find_entry(&entries, &form.action, reply)?.ok_or_else(|| missing_key_error(form, &entries))?;
    marks.action = Some(inner_span(reply, action));
    if form.list {
        array_candidates(reply, action, form)
    } else {
        text_candidate(reply, action, form).map(|one| vec![one])
    }
}

/// The entries of an object in their order, values still as text.
struct Entries<'a>(Vec<(String, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Entries<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct EntriesVisitor;
        impl<'de> Visitor<'de> for EntriesVisitor {
            type Value = Entries<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }
        from.deserialize_map(EntriesVisitor)
    }
}

/// Where the object stands.
fn find_object(
    rules: &ReaderRules,
    ways: &JsonRules,
    reply: &str,
    marks: &mut Spans,
) -> Result<Range<usize>, ParseError> {
    let whole = trimmed_span(reply, 0..reply.len());
    let text = &reply[whole.clone()];
    if text.starts_with('{') && (text.ends_with('}') || !ways.outside) {
        return Ok(whole);
    }
    let fenced = rules.tolerate.fence && (!ways.outside || text.ends_with("```"));
    if let Some(inner) = fenced.then(|| fence::fenced_body(reply, &whole)).transpose()?.flatten() {
        marks.record_leniency(Leniency::Fence);
        return Ok(inner);
    }
    match (text.find('{'), text.rfind('}')) {
        (Some(start), Some(end)) if ways.outside && start < end => {
            marks.record_leniency(Leniency::Outside);
            Ok(whole.start + start..whole.start + end + 1)
        }
        _ if text.is_empty() => {
            Err(ParseError::missing("object", "the reply is empty, not a JSON object".into()))
        }
        _ => {
            let found = excerpt(text);
            let why = format!("a JSON object is wanted, not {found:?}");
            Err(ParseError::at("object", why, whole.start..whole.start + found.len()))
        }
    }
}

fn syntax_error(reply: &str, range: &Range<usize>, error: &serde_json::Error) -> ParseError {
    let before: usize =
        reply[range.clone()].split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    let byte = (range.start + before + error.column().saturating_sub(1)).min(range.end);
    let start = (0..=byte).rev().find(|at| reply.is_char_boundary(*at)).unwrap_or(0);
    let end = reply[start..].chars().next().map_or(start, |c| start + c.len_utf8());
    ParseError::at("object", format!("this is no JSON object: {error}"), start..end)
}

/// The value of this key; twice the same key is a failure.
fn find_entry<'a>(
    entries: &[(String, &'a RawValue)],
    key: &str,
    reply: &str,
) -> Result<Option<&'a RawValue>, ParseError> {
    let mut found = entries.iter().filter(|entry| entry.0 == key).map(|entry| entry.1);
    match (found.next(), found.next()) {
        (_, Some(second)) => {
            Err(ParseError::at("key", format!("the key {key:?} stands twice"), value_span(reply, second)))
        }
        (first, None) => Ok(first),
    }
}

fn missing_key_error(form: &ReplyFormat, entries: &[(String, &RawValue)]) -> ParseError {
    let names: Vec<&str> = entries.iter().take(8).map(|entry| excerpt(&entry.0)).collect();
    ParseError::missing("key", format!("the object has no key {:?}, only {names:?}", form.action))
}

/// Where this value stands in the reply, of which it is a part.
fn value_span(reply: &str, value: &RawValue) -> Range<usize> {
    let start = value.get().as_ptr().addr() - reply.as_ptr().addr();
    start..start + value.get().len()
}

/// The same without quotes or brackets.
fn inner_span(reply: &str, value: &RawValue) -> Range<usize> {
    let range = value_span(reply, value);
    let framed = value.get().starts_with(['"', '[', '{']);
    if framed { range.start + 1..range.end - 1 } else { range }
}

fn text_candidate<'a>(
    reply: &str,
    value: &'a RawValue,
    form: &ReplyFormat,
) -> Result<Candidate<'a>, ParseError> {
    let Ok(text) = serde_json::from_str::<String>(value.get()) else {
        let why = format!("{:?} is a text in quotes, not {}", form.action, excerpt(value.get()));
        return Err(ParseError::at("action", why, value_span(reply, value)));
    };
    Ok(Candidate { text: text.into(), span: inner_span(reply, value) })
}

fn array_candidates<'a>(
    reply: &str,
    value: &'a RawValue,
    form: &ReplyFormat,
) -> Result<Vec<Candidate<'a>>, ParseError> {
    let Ok(values) = serde_json::from_str::<Vec<&'a RawValue>>(value.get()) else {
        let why = format!("{:?} is an array of texts, not {}", form.action, excerpt(value.get()));
        return Err(ParseError::at("list", why, value_span(reply, value)));
    };
    values.into_iter().map(|value| text_candidate(reply, value, form)).collect()
}
