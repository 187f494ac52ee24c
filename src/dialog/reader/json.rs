//! Replies that are a JSON object with a key for each part.

use std::fmt;
use std::ops::Range;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::json_spans::{inner_span, value_span};
use super::{
    ActionPart, Candidate, Leniency, Located, ParseError, Spans, excerpt, fence, json_code, trimmed_span,
};
use crate::rules::{JsonRules, ReaderRules};
use mageyard_domain::{Notation, ReplyFormat};

/// The value of the action key, or the members of its array; or the actions that write the texts under other keys.
pub(super) fn locate_actions<'a>(
    part: &ActionPart<'a>,
    json_rules: &JsonRules,
    spans: &mut Spans,
) -> Result<Located<'a>, ParseError> {
    let ActionPart { rules, format, reply, action_space } = *part;
    let range = find_object(rules, json_rules, reply, spans)?;
    let parsed = serde_json::from_str::<Entries<'a>>(&reply[range.clone()]);
    let Entries(entries) = parsed.map_err(|error| syntax_error(reply, &range, &error))?;
    if let Some(analysis) = find_entry(&entries, &format.analysis, reply)? {
        spans.analysis = Some(inner_span(reply, analysis));
    }
    let Some(action) = find_entry(&entries, &format.action, reply)? else {
        let takes_code = json_rules.code && format.notation == Notation::CodeBlocks;
        let code = if takes_code { json_code::read(part, &entries, spans)? } else { None };
        return code.map(Located::Actions).ok_or_else(|| missing_key_error(format, &entries));
    };
    spans.action = Some(inner_span(reply, action));
    let objects = action_space.has_params();
    let candidates = if format.list {
        array_candidates(reply, action, &format.action, objects)?
    } else {
        vec![value_candidate(reply, action, &format.action, objects)?]
    };
    Ok(Located::Candidates(candidates))
}

/// The entries of an object in order; the values are not parsed.
pub(super) struct Entries<'a>(pub(super) Vec<(String, &'a RawValue)>);

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

/// The span of the object.
fn find_object(
    rules: &ReaderRules,
    json_rules: &JsonRules,
    reply: &str,
    spans: &mut Spans,
) -> Result<Range<usize>, ParseError> {
    let whole = trimmed_span(reply, 0..reply.len());
    let text = &reply[whole.clone()];
    if text.starts_with('{') && (text.ends_with('}') || !json_rules.outside) {
        return Ok(whole);
    }
    let fenced = rules.tolerate.fence && (!json_rules.outside || text.ends_with("```"));
    if let Some(inner) = fenced.then(|| fence::fenced_body(reply, &whole)).transpose()?.flatten() {
        spans.record_leniency(Leniency::Fence);
        return Ok(inner);
    }
    match (text.find('{'), text.rfind('}')) {
        (Some(start), Some(end)) if json_rules.outside && start < end => {
            spans.record_leniency(Leniency::Outside);
            Ok(whole.start + start..whole.start + end + 1)
        }
        _ if text.is_empty() => {
            Err(ParseError::missing("object", "the reply is empty, expected a JSON object".into()))
        }
        _ => {
            let found = excerpt(text);
            let why = format!("expected a JSON object, found {found:?}");
            Err(ParseError::at("object", why, whole.start..whole.start + found.len()))
        }
    }
}

pub(super) fn syntax_error(reply: &str, range: &Range<usize>, error: &serde_json::Error) -> ParseError {
    let before: usize =
        reply[range.clone()].split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    let byte = (range.start + before + error.column().saturating_sub(1)).min(range.end);
    let start = (0..=byte).rev().find(|at| reply.is_char_boundary(*at)).unwrap_or(0);
    let end = reply[start..].chars().next().map_or(start, |c| start + c.len_utf8());
    ParseError::at("object", format!("invalid JSON object: {error}"), start..end)
}

/// The value of a key. A duplicate key is an error.
fn find_entry<'a>(
    entries: &[(String, &'a RawValue)],
    key: &str,
    reply: &str,
) -> Result<Option<&'a RawValue>, ParseError> {
    let mut found = entries.iter().filter(|entry| entry.0 == key).map(|entry| entry.1);
    match (found.next(), found.next()) {
        (_, Some(second)) => {
            Err(ParseError::at("key", format!("duplicate key {key:?}"), value_span(reply, second)))
        }
        (first, None) => Ok(first),
    }
}

fn missing_key_error(format: &ReplyFormat, entries: &[(String, &RawValue)]) -> ParseError {
    let names: Vec<&str> = entries.iter().take(8).map(|entry| excerpt(&entry.0)).collect();
    ParseError::missing("key", format!("the object has no key {:?}; its keys are {names:?}", format.action))
}

/// A string or, if these are accepted, an object. `name` is what errors call the value.
pub(super) fn value_candidate<'a>(
    reply: &str,
    value: &'a RawValue,
    name: &str,
    objects: bool,
) -> Result<Candidate<'a>, ParseError> {
    if objects && value.get().starts_with('{') {
        let span = value_span(reply, value);
        return Ok(Candidate { text: value.get().into(), span, is_object: true });
    }
    let Ok(text) = serde_json::from_str::<String>(value.get()) else {
        let expected = if objects { "an object or a string" } else { "a string" };
        let why = format!("{name:?} must be {expected}, found {}", excerpt(value.get()));
        return Err(ParseError::at("action", why, value_span(reply, value)));
    };
    Ok(Candidate::written(text, inner_span(reply, value)))
}

/// The members of an array.
pub(super) fn array_candidates<'a>(
    reply: &str,
    value: &'a RawValue,
    name: &str,
    objects: bool,
) -> Result<Vec<Candidate<'a>>, ParseError> {
    let Ok(values) = serde_json::from_str::<Vec<&'a RawValue>>(value.get()) else {
        let expected = if objects { "objects" } else { "strings" };
        let why = format!("{name:?} must be an array of {expected}, found {}", excerpt(value.get()));
        return Err(ParseError::at("list", why, value_span(reply, value)));
    };
    values.into_iter().map(|value| value_candidate(reply, value, name, objects)).collect()
}
