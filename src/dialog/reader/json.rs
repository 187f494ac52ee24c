//! A reply that is a JSON object with a key for each part.

use std::fmt;
use std::ops::Range;

use serde::Deserialize;
use serde::Deserializer;
use serde::de::MapAccess;
use serde::de::Visitor;
use serde_json::value::RawValue;

use super::Failure;
use super::Liberty;
use super::Marks;
use super::Member;
use super::fence;
use super::shortened;
use super::trimmed;
use crate::dialog::rules::Json;
use crate::dialog::rules::Rules;
use crate::domain::Form;

/// The texts of the action's key: one, or those of the array.
pub(super) fn locate<'a>(
    rules: &Rules,
    ways: &Json,
    form: &Form,
    reply: &'a str,
    marks: &mut Marks,
) -> Result<Vec<Member<'a>>, Failure> {
    let range = object(rules, ways, reply, marks)?;
    let parsed = serde_json::from_str::<Entries<'a>>(&reply[range.clone()]);
    let Entries(entries) = parsed.map_err(|error| syntax(reply, &range, &error))?;
    if let Some(analysis) = entry(&entries, &form.analysis, reply)? {
        marks.analysis = Some(within(reply, analysis));
    }
    let action = entry(&entries, &form.action, reply)?.ok_or_else(|| no_key(form, &entries))?;
    marks.action = Some(within(reply, action));
    if form.list { array(reply, action, form) } else { text(reply, action, form).map(|one| vec![one]) }
}

/// The entries of an object in their order, values still as text.
struct Entries<'a>(Vec<(String, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Entries<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Each;
        impl<'de> Visitor<'de> for Each {
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
        from.deserialize_map(Each)
    }
}

/// Where the object stands.
fn object(rules: &Rules, ways: &Json, reply: &str, marks: &mut Marks) -> Result<Range<usize>, Failure> {
    let whole = trimmed(reply, 0..reply.len());
    let text = &reply[whole.clone()];
    if text.starts_with('{') && (text.ends_with('}') || !ways.outside) {
        return Ok(whole);
    }
    let fenced = rules.tolerate.fence && (!ways.outside || text.ends_with("```"));
    if let Some(inner) = fenced.then(|| fence::inside(reply, &whole)).transpose()?.flatten() {
        marks.take(Liberty::Fence);
        return Ok(inner);
    }
    match (text.find('{'), text.rfind('}')) {
        (Some(start), Some(end)) if ways.outside && start < end => {
            marks.take(Liberty::Outside);
            Ok(whole.start + start..whole.start + end + 1)
        }
        _ if text.is_empty() => {
            Err(Failure::missing("object", "the reply is empty, not a JSON object".into()))
        }
        _ => {
            let found = shortened(text);
            let why = format!("a JSON object is wanted, not {found:?}");
            Err(Failure::at("object", why, whole.start..whole.start + found.len()))
        }
    }
}

fn syntax(reply: &str, range: &Range<usize>, error: &serde_json::Error) -> Failure {
    let before: usize =
        reply[range.clone()].split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    let byte = (range.start + before + error.column().saturating_sub(1)).min(range.end);
    let start = (0..=byte).rev().find(|at| reply.is_char_boundary(*at)).unwrap_or(0);
    let end = reply[start..].chars().next().map_or(start, |c| start + c.len_utf8());
    Failure::at("object", format!("this is no JSON object: {error}"), start..end)
}

/// The value of this key; twice the same key is a failure.
fn entry<'a>(
    entries: &[(String, &'a RawValue)],
    key: &str,
    reply: &str,
) -> Result<Option<&'a RawValue>, Failure> {
    let mut found = entries.iter().filter(|entry| entry.0 == key).map(|entry| entry.1);
    match (found.next(), found.next()) {
        (_, Some(second)) => {
            Err(Failure::at("key", format!("the key {key:?} stands twice"), place(reply, second)))
        }
        (first, None) => Ok(first),
    }
}

fn no_key(form: &Form, entries: &[(String, &RawValue)]) -> Failure {
    let names: Vec<&str> = entries.iter().take(8).map(|entry| shortened(&entry.0)).collect();
    Failure::missing("key", format!("the object has no key {:?}, only {names:?}", form.action))
}

/// Where this value stands in the reply, of which it is a part.
fn place(reply: &str, value: &RawValue) -> Range<usize> {
    let start = value.get().as_ptr().addr() - reply.as_ptr().addr();
    start..start + value.get().len()
}

/// The same without quotes or brackets.
fn within(reply: &str, value: &RawValue) -> Range<usize> {
    let range = place(reply, value);
    let framed = value.get().starts_with(['"', '[', '{']);
    if framed { range.start + 1..range.end - 1 } else { range }
}

fn text<'a>(reply: &str, value: &'a RawValue, form: &Form) -> Result<Member<'a>, Failure> {
    let Ok(text) = serde_json::from_str::<String>(value.get()) else {
        let why = format!("{:?} is a text in quotes, not {}", form.action, shortened(value.get()));
        return Err(Failure::at("action", why, place(reply, value)));
    };
    Ok(Member { text: text.into(), at: within(reply, value) })
}

fn array<'a>(reply: &str, value: &'a RawValue, form: &Form) -> Result<Vec<Member<'a>>, Failure> {
    let Ok(values) = serde_json::from_str::<Vec<&'a RawValue>>(value.get()) else {
        let why = format!("{:?} is an array of texts, not {}", form.action, shortened(value.get()));
        return Err(Failure::at("list", why, place(reply, value)));
    };
    values.into_iter().map(|value| text(reply, value, form)).collect()
}
