//! Replies that are one object with a key for each part of an action: its name, the number of an element, and one further
//! argument (`WebCanvas`).

use std::ops::Range;

use regex::Regex;
use serde_json::Value;
use serde_json::value::RawValue;

use super::json5_entries::entries;
use super::{
    ActionPart, Candidate, FallbackMatch, Leniency, Located, ParseError, Spans, actions, excerpt, json,
    trimmed_span,
};
use crate::rules::KeyRules;
use mageyard_domain::{
    Action, ActionError, ActionSpec, Arg, KeyedParams, Number, ParamKind, ParamSpec, read_json5,
};

/// What the raw view of a reply calls the second way to read an object.
const EXPRESSION: &str = "keys in order";

/// The actions of the object, or what an expression finds if it is none.
pub(super) fn locate<'a>(
    part: &ActionPart<'a>,
    rules: &KeyRules,
    spans: &mut Spans,
) -> Result<Located<'a>, ParseError> {
    let error = match Fields::of_object(part.reply, rules) {
        Ok((fields, object)) => {
            if object != trimmed_span(part.reply, 0..part.reply.len()) {
                spans.record_leniency(Leniency::Outside);
            }
            return fields.actions(part, rules, spans).map(Located::Actions);
        }
        Err(error) => error,
    };
    let (fields, span) = Fields::by_expression(part.reply, rules).ok_or(error)?;
    let actions = fields.actions(part, rules, spans)?;
    spans.fallback = Some(FallbackMatch { rule: EXPRESSION.to_owned(), span });
    Ok(Located::Actions(actions))
}

/// A value and where it is.
struct Field {
    value: Value,
    /// With its quotes.
    span: Range<usize>,
}

/// The values that are read.
struct Fields {
    analysis: Option<Field>,
    action: Field,
    input: Option<Field>,
    element: Option<Field>,
}

impl Fields {
    /// The values of the object between the first and the last brace, and where it is.
    fn of_object(reply: &str, rules: &KeyRules) -> Result<(Self, Range<usize>), ParseError> {
        let object = match (reply.find('{'), reply.rfind('}')) {
            (Some(start), Some(end)) if start < end => start..end + 1,
            _ => return Err(no_object(reply)),
        };
        let found = entries(reply, object.clone())
            .map_err(|(why, at)| ParseError::at("object", format!("invalid JSON5 object: {why}"), at))?;
        let field = |key: &str| {
            let mut same = found.iter().filter(|entry| entry.key == key);
            let (Some(entry), second) = (same.next(), same.next()) else { return Ok(None) };
            if let Some(second) = second {
                return Err(ParseError::at("key", format!("duplicate key {key:?}"), second.value.clone()));
            }
            let wrong = |why| {
                let why = format!("{key:?} is not a value of JSON5: {why}");
                ParseError::at("object", why, entry.value.clone())
            };
            let value = read_json5(&reply[entry.value.clone()]).map_err(wrong)?;
            Ok(Some(Field { value, span: entry.value.clone() }))
        };
        let missing = || {
            let names: Vec<&str> = found.iter().take(8).map(|entry| excerpt(&entry.key)).collect();
            let why = format!("the object has no key {:?}; its keys are {names:?}", rules.action);
            ParseError::missing("key", why)
        };
        let [analysis, action, input, element] =
            [field(&rules.analysis)?, field(&rules.action)?, field(&rules.input)?, field(&rules.element)?];
        Ok((Self { analysis, action: action.ok_or_else(missing)?, input, element }, object))
    }

    /// The values of the five keys in their order, as the released code finds them where an object cannot be read, and the
    /// text that has them. White space within a text becomes one blank.
    fn by_expression(reply: &str, rules: &KeyRules) -> Option<(Self, Range<usize>)> {
        let keys = rules.keys().map(|(_, key)| regex::escape(key));
        let value = |key: &String| {
            let value = if *key == keys[3] { "(null|[0-9]*)" } else { "(\"[^\"]*\")" };
            format!(r#""{key}"\s*:\s*{value}"#)
        };
        let pattern = keys.iter().map(value).collect::<Vec<_>>().join(r"\s*,\s*");
        let found = Regex::new(&pattern).ok()?.captures(reply)?;
        let text = |group: usize| {
            let span = found.get(group)?.range();
            let inner = &reply[span.start + 1..span.end - 1];
            let joined = inner.split_whitespace().collect::<Vec<_>>().join(" ");
            Some(Field { value: joined.into(), span })
        };
        let element = found.get(4)?;
        let number = element.as_str().trim_matches(|c: char| !c.is_ascii_digit());
        let fields = Self {
            analysis: text(1),
            action: text(2)?,
            input: text(3),
            element: Some(Field { value: number.into(), span: element.range() }),
        };
        Some((fields, found.get(0)?.range()))
    }

    fn actions(
        &self,
        part: &ActionPart<'_>,
        rules: &KeyRules,
        spans: &mut Spans,
    ) -> Result<Vec<Action>, ParseError> {
        spans.analysis =
            self.analysis.as_ref().map(|field| trimmed_span(part.reply, inner(part.reply, field)));
        spans.action = Some(inner(part.reply, &self.action));
        if let Some((spec, params)) = self.keyed_spec(part, spans) {
            let action = self.keyed_action(part, rules, (spec, params), spans)?;
            return Ok(vec![action]);
        }
        actions::match_actions(part, &self.candidates(part)?, spans)
    }

    /// The action whose name this is, in any capitals if these are accepted, and the keys of its arguments; `None` if its
    /// arguments are not under keys of their own.
    fn keyed_spec<'a>(
        &self,
        part: &ActionPart<'a>,
        spans: &mut Spans,
    ) -> Option<(&'a ActionSpec, KeyedParams<'a>)> {
        let name = self.action.value.as_str().filter(|_| !part.format.list)?.trim();
        let divide = |spec: &'a ActionSpec| Some((spec, part.format.keys.divide(spec)?));
        if let Some(spec) = part.action_space.spec(name) {
            return divide(spec);
        }
        let lower =
            Some(name).filter(|name| part.rules.tolerate.capitals && name.len() <= 200)?.to_lowercase();
        let mut same = part.action_space.specs().iter().filter(|spec| spec.name.to_lowercase() == lower);
        let (Some(spec), None) = (same.next(), same.next()) else { return None };
        let found = divide(spec)?;
        spans.record_leniency(Leniency::Capitals);
        Some(found)
    }

    fn keyed_action(
        &self,
        part: &ActionPart<'_>,
        rules: &KeyRules,
        (spec, params): (&ActionSpec, KeyedParams<'_>),
        spans: &mut Spans,
    ) -> Result<Action, ParseError> {
        let mut action = Action::plain(&*spec.name);
        let mut given: Vec<(&str, &Field)> = Vec::new();
        let fields =
            [(params.element, &self.element, &rules.element), (params.input, &self.input, &rules.input)];
        for (param, field, key) in fields {
            let (Some(param), Some(field)) = (param, field) else { continue };
            let is_element = params.element.is_some_and(|element| element.name == param.name);
            let arg = if is_element { element_number(field) } else { input(param, field, part.reply) };
            let wrong = |expected: &str| {
                let found = excerpt(&part.reply[field.span.clone()]);
                let why = format!("{key:?} must be {expected}, found {found}");
                ParseError::at("argument", why, field.span.clone())
            };
            if let Some(arg) = arg.map_err(wrong)? {
                action.args.insert(param.name.clone(), arg);
                given.push((&param.name, field));
            }
        }
        if let Err(error) = spec.check(&action) {
            let of = given.iter().find(|(name, _)| error.parameter() == Some(name));
            let at = of.map_or(&self.action, |(_, field)| field).span.clone();
            let key = fields.iter().find(|(param, ..)| param.map(|param| &*param.name) == error.parameter());
            let why = match (&error, key) {
                (ActionError::Missing { .. }, Some((.., key))) => format!("{error} (the key {key:?})"),
                _ => error.to_string(),
            };
            return Err(ParseError::at("argument", why, at));
        }
        self.record(part.reply, &given, spans);
        Ok(action)
    }

    /// Records the arguments, and as the action all from its name to its arguments.
    fn record(&self, reply: &str, given: &[(&str, &Field)], spans: &mut Spans) {
        let mut whole = inner(reply, &self.action);
        for (name, field) in given {
            let at = inner(reply, field);
            whole = whole.start.min(at.start)..whole.end.max(at.end);
            spans.record_argument(name, at);
        }
        let apart = |analysis: &Range<usize>| analysis.end <= whole.start || whole.end <= analysis.start;
        spans.analysis = spans.analysis.take().filter(apart);
        spans.action = Some(whole);
    }

    /// What is written under the key of the name, where the arguments have no keys of their own.
    fn candidates<'a>(&self, part: &ActionPart<'a>) -> Result<Vec<Candidate<'a>>, ParseError> {
        let reply = part.reply;
        let name = &part.format.action;
        let objects = part.action_space.has_params();
        let written = &reply[self.action.span.clone()];
        // What is valid JSON too keeps its places.
        if let Ok(raw) = serde_json::from_str::<&'a RawValue>(written) {
            return if part.format.list {
                json::array_candidates(reply, raw, name, objects)
            } else {
                json::value_candidate(reply, raw, name, objects).map(|one| vec![one])
            };
        }
        let at = inner(reply, &self.action);
        let text = |value: &Value| {
            let why = || format!("{name:?} must be a text, or an object in JSON, found {}", excerpt(written));
            let text = value.as_str().map(|text| Candidate::written(text.to_owned(), at.clone()));
            text.ok_or_else(|| ParseError::at("action", why(), self.action.span.clone()))
        };
        match &self.action.value {
            Value::Array(members) if part.format.list => members.iter().map(text).collect(),
            value => text(value).map(|one| vec![one]),
        }
    }
}

fn no_object(reply: &str) -> ParseError {
    let whole = trimmed_span(reply, 0..reply.len());
    if whole.is_empty() {
        return ParseError::missing("object", "the reply is empty, expected a JSON object".into());
    }
    let found = excerpt(&reply[whole.clone()]);
    let why = format!("expected a JSON object, found {found:?}");
    ParseError::at("object", why, whole.start..whole.start + found.len())
}

/// The place of a value without its quotes or brackets.
fn inner(reply: &str, field: &Field) -> Range<usize> {
    let written = &reply[field.span.clone()];
    let framed = written.len() > 1 && written.starts_with(['"', '\'', '[', '{']);
    if framed && written.ends_with(['"', '\'', ']', '}']) {
        field.span.start + 1..field.span.end - 1
    } else {
        field.span.clone()
    }
}

/// The number of an element: digits, as a number or as a text. `None` if there is none; an error is what was expected.
fn element_number(field: &Field) -> Result<Option<Arg>, &'static str> {
    const EXPECTED: &str = "a whole number or its digits";
    let number = match &field.value {
        Value::Null => return Ok(None),
        Value::String(text) if text.trim().is_empty() => return Ok(None),
        Value::Number(number) => number.as_u64().and_then(|number| u32::try_from(number).ok()),
        Value::String(text) if text.trim().bytes().all(|byte| byte.is_ascii_digit()) => {
            text.trim().parse().ok()
        }
        _ => None,
    };
    let number = number.and_then(|number: u32| Number::new(f64::from(number)));
    number.map(|number| Some(Arg::Number(number))).ok_or(EXPECTED)
}

/// The other argument. `None` if there is none; an error is what was expected.
fn input(param: &ParamSpec, field: &Field, reply: &str) -> Result<Option<Arg>, &'static str> {
    let is_number = matches!(param.kind, ParamKind::Number { .. });
    let text = match &field.value {
        Value::Null => return Ok(None),
        Value::String(text) => text.as_str(),
        Value::Number(_) => &reply[field.span.clone()],
        _ => return Err("a text, a number or null"),
    };
    let arg = if is_number { param.kind.parse_field(text) } else { Some(Arg::Text(text.to_owned())) };
    arg.map(|arg| Some(param.kind.convert(arg))).ok_or("a number")
}
