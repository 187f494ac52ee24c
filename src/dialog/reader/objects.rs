//! Actions as JSON objects: `{"name": "click", "args": {"at": [120, 40]}}`.

use std::ops::Range;

use serde_json::value::RawValue;

use super::json::Entries;
use super::{ActionPart, Candidate, Leniency, ParseError, Spans, excerpt, fence, json, json_spans};
use mageyard_domain::{Action, ActionError, ActionSpec, Arg};

/// The keys of an action.
const KEYS: [&str; 2] = ["name", "args"];

/// The candidates in a span of the reply: one JSON value or, for a list, the members of an array or several values.
pub(super) fn split_candidates<'a>(
    part: &ActionPart<'a>,
    body: Range<usize>,
    spans: &mut Spans,
) -> Result<Vec<Candidate<'a>>, ParseError> {
    let reply = part.reply;
    let inner = if part.rules.tolerate.fence { fence::fenced_body(reply, &body)? } else { None };
    if inner.is_some() {
        spans.record_leniency(Leniency::Fence);
    }
    let body = inner.unwrap_or(body);
    spans.action = Some(body.clone());
    let text = &reply[body.clone()];
    let mut values = Vec::new();
    for value in serde_json::Deserializer::from_str(text).into_iter::<&RawValue>() {
        values.push(value.map_err(|error| json::syntax_error(reply, &body, &error))?);
    }
    let name = &part.format.action;
    match values.as_slice() {
        [] => Err(ParseError::at("action", "expected a JSON object, found nothing".into(), body)),
        [one] if part.format.list && one.get().starts_with('[') => {
            json::array_candidates(reply, one, name, true)
        }
        [one] => json::value_candidate(reply, one, name, true).map(|one| vec![one]),
        values if part.format.list => {
            values.iter().map(|value| json::value_candidate(reply, value, name, true)).collect()
        }
        values => {
            let why = format!("{} JSON values, expected one", values.len());
            Err(ParseError::at("action", why, body))
        }
    }
}

/// An action in an object, before its name is looked up.
pub(super) struct WrittenObject<'a> {
    pub(super) name: String,
    pub(super) name_span: Range<usize>,
    args: Vec<(String, &'a RawValue)>,
}

/// An error in an object, and where.
pub(super) struct ObjectError {
    pub(super) why: String,
    pub(super) at: Range<usize>,
    /// The error of an argument.
    pub(super) error: Option<Box<ActionError>>,
}

impl<'a> WrittenObject<'a> {
    /// Parses the keys of an object that is a part of the reply.
    pub(super) fn parse(reply: &str, text: &'a str, span: &Range<usize>) -> Result<Self, ObjectError> {
        let fail = |why: String, at| Err(ObjectError { why, at, error: None });
        let Ok(Entries(entries)) = serde_json::from_str::<Entries<'a>>(text) else {
            return fail("invalid JSON object".into(), span.clone());
        };
        if let Some((key, value)) = entries.iter().find(|(key, _)| !KEYS.contains(&key.as_str())) {
            let why = format!("an action has the keys name and args, not {:?}", excerpt(key));
            return fail(why, json_spans::value_span(reply, value));
        }
        let unique = |key: &str| {
            let mut found = entries.iter().filter(|entry| entry.0 == key).map(|entry| entry.1);
            (found.next(), found.next().is_some())
        };
        let (name, args) = match (unique("name"), unique("args")) {
            ((Some(name), false), (args, false)) => (name, args),
            ((None, _), _) => return fail("the object has no key \"name\"".into(), span.clone()),
            _ => return fail("a key is given twice".into(), span.clone()),
        };
        let name_span = json_spans::value_span(reply, name);
        let Ok(text) = serde_json::from_str::<String>(name.get()) else {
            return fail("\"name\" must be a string".into(), name_span);
        };
        let args = match args.map(|args| serde_json::from_str::<Entries<'a>>(args.get())) {
            None => Vec::new(),
            Some(Ok(Entries(args))) => args,
            Some(Err(_)) => return fail("\"args\" must be an object".into(), span.clone()),
        };
        Ok(Self { name: text, name_span, args })
    }

    /// The action of this description with the arguments of the object.
    pub(super) fn action(
        &self,
        reply: &str,
        spec: &ActionSpec,
        spans: &mut Spans,
    ) -> Result<Action, ObjectError> {
        let mut action = Action::plain(&*spec.name);
        let fail =
            |error: ActionError, at| ObjectError { why: error.to_string(), at, error: Some(error.into()) };
        for (name, value) in &self.args {
            let at = json_spans::value_span(reply, value);
            let arg = match (spec.param(name), Arg::from_json(value.get())) {
                (Some(param), Some(arg)) => param.kind.convert(arg),
                (Some(param), None) => return Err(fail(spec.invalid(param, value.get()), at)),
                (None, _) => return Err(fail(spec.unknown_parameter(name), at)),
            };
            if action.args.insert(name.clone(), arg).is_some() {
                return Err(fail(spec.duplicate(name), at));
            }
        }
        if let Err(error) = spec.check(&action) {
            let of = self.args.iter().find(|(name, _)| error.parameter() == Some(name));
            let at = of.map_or(self.name_span.clone(), |(_, value)| json_spans::value_span(reply, value));
            return Err(fail(error, at));
        }
        for (name, value) in &self.args {
            spans.record_argument(name, json_spans::inner_span(reply, value));
        }
        Ok(action)
    }
}
