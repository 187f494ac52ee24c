//! A procedure of a task: a function of an evaluator with its parameters, checked against the table of handlers.

use mageyard_domain::{
    FieldError, RawRecord, RecordFault, RecordSplitter, nearest_names, read_object, sanitize,
};
use serde_json::{Map, Value};

use super::fields::Fields;
use super::{Stage, Variables, variables};
use crate::handlers::{self, Handler, Param, ParamType, Phase};

/// Evaluators that need an account of a service. Their tasks are read, and not run.
pub const ACCOUNTS: [&str; 12] = [
    "gmail",
    "google_calendar",
    "gcalendar",
    "google_docs",
    "google_drive",
    "google_forms",
    "google_sheets",
    "google_slides",
    "telegram",
    "outlook",
    "email",
    "gdocs",
];

/// A call of a handler.
#[derive(Clone, Debug, PartialEq)]
pub struct Procedure {
    /// The evaluator, such as `filesystem`.
    pub evaluator: String,
    /// The function, such as `exists`.
    pub function: String,
    /// The parameters.
    pub params: Map<String, Value>,
}

impl Procedure {
    /// The handler; `None` if it needs an account.
    pub fn handler(&self) -> Option<&'static Handler> {
        handlers::find(&self.evaluator, &self.function)
    }

    /// Whether its evaluator needs an account.
    pub fn needs_account(&self) -> bool {
        ACCOUNTS.contains(&self.evaluator.as_str())
    }

    /// Its name, such as `filesystem.exists`.
    pub fn name(&self) -> String {
        format!("{}.{}", self.evaluator, self.function)
    }

    pub(super) fn read(
        object: &Map<String, Value>,
        place: &str,
        stage: Stage,
        warnings: &mut Vec<String>,
    ) -> Result<Self, FieldError> {
        let fields = Fields { object, place };
        let evaluator = fields.text("evaluator")?;
        let function = fields.text("function")?;
        let none = Map::new();
        let params = if fields.value("params").is_some() { fields.object("params")? } else { &none };
        for name in fields.unknown(&["evaluator", "function", "params"]) {
            warnings.push(format!("{place}{}: is a field that is not read", sanitize(name)));
        }
        let inner = format!("{place}params.");
        check_variables(params, &inner)?;
        if !ACCOUNTS.contains(&evaluator) {
            let handler = handler(&fields, evaluator, function, stage)?;
            check_params(handler, &Fields { object: params, place: &inner }, warnings)?;
        }
        Ok(Self { evaluator: evaluator.to_owned(), function: function.to_owned(), params: params.clone() })
    }

    /// The procedure with its variables replaced.
    pub(super) fn replaced(&self, variables: &Variables) -> Result<Self, String> {
        Ok(Self { params: variables.replace_in_object(&self.params)?, ..self.clone() })
    }

    /// Every text of the parameters, keys of tables included.
    pub(super) fn texts(&self) -> Vec<&str> {
        let mut texts = Vec::new();
        self.params.values().for_each(|value| collect(value, &mut texts));
        texts
    }
}

/// The procedures of a text with a record for each, which judge, with their variables replaced.
///
/// # Errors
/// The first record that is none, with its line and field.
pub fn read_procedures(text: &str, variables: &Variables) -> Result<Vec<Procedure>, RecordFault> {
    let mut read: Vec<Result<Procedure, RecordFault>> = Vec::new();
    let mut each = |piece: RawRecord<'_>| {
        let in_line = |error| RecordFault { line: piece.line, error };
        read.push(read_object(&piece).and_then(|object| {
            let procedure = Procedure::read(&object.fields, "", Stage::Evaluation, &mut Vec::new());
            let procedure = procedure.map_err(in_line)?;
            procedure.replaced(variables).map_err(|reason| in_line(FieldError::new("params", reason)))
        }));
    };
    let mut splitter = RecordSplitter::default();
    splitter.feed(text.as_bytes(), &mut each);
    splitter.finish(&mut each);
    read.into_iter().collect()
}

fn collect<'a>(value: &'a Value, texts: &mut Vec<&'a str>) {
    match value {
        Value::String(text) => texts.push(text),
        Value::Array(list) => list.iter().for_each(|value| collect(value, texts)),
        Value::Object(object) => {
            for (key, value) in object {
                texts.push(key);
                collect(value, texts);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn check_variables(params: &Map<String, Value>, place: &str) -> Result<(), FieldError> {
    for (name, value) in params {
        let mut texts = vec![name.as_str()];
        collect(value, &mut texts);
        let checked = texts.into_iter().try_for_each(variables::check);
        checked.map_err(|reason| FieldError::new(format!("{place}{name}"), reason))?;
    }
    Ok(())
}

fn handler(
    fields: &Fields<'_>,
    evaluator: &str,
    function: &str,
    stage: Stage,
) -> Result<&'static Handler, FieldError> {
    let mut evaluators: Vec<&str> = handlers::all().map(|handler| handler.evaluator).collect();
    evaluators.dedup();
    if !evaluators.contains(&evaluator) {
        let known = evaluators.into_iter().chain(ACCOUNTS);
        return Err(fields.error("evaluator", unknown("an evaluator", evaluator, known)));
    }
    let phase = match stage {
        Stage::Evaluation => Phase::Evaluation,
        Stage::Reset | Stage::Cleanup => Phase::Reset,
    };
    let of_evaluator = handlers::all().filter(|handler| handler.evaluator == evaluator);
    let Some(found) = handlers::find(evaluator, function) else {
        let usable = of_evaluator.filter(|handler| handler.phase.includes(phase));
        let names = usable.map(|handler| handler.function);
        let what = format!("a function of {evaluator}");
        return Err(fields.error("function", unknown(&what, function, names)));
    };
    if found.phase.includes(phase) {
        return Ok(found);
    }
    let reason = match phase {
        Phase::Evaluation => "prepares a computer and does not judge",
        Phase::Reset | Phase::Both => "judges and does not prepare a computer",
    };
    Err(fields.error("function", format!("{evaluator}.{function} {reason}")))
}

fn unknown<'a>(what: &str, given: &str, known: impl Iterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.collect();
    let nearest = nearest_names(given, known.iter().copied());
    let shown = if nearest.is_empty() { known } else { nearest };
    format!("{} is not {what}; there is {}", sanitize(given), shown.join(", "))
}

fn check_params(
    handler: &Handler,
    params: &Fields<'_>,
    warnings: &mut Vec<String>,
) -> Result<(), FieldError> {
    for param in handler.params {
        match params.value(param.name) {
            Some(value) => check_type(param, value).map_err(|reason| params.error(param.name, reason))?,
            None if param.required => return Err(params.error(param.name, "is missing")),
            None => {}
        }
    }
    let known: Vec<&str> = handler.params.iter().map(|param| param.name).collect();
    for name in params.unknown(&known) {
        let function = format!("{}.{}", handler.evaluator, handler.function);
        warnings.push(format!("{}{}: is not read by {function}", params.place, sanitize(name)));
    }
    Ok(())
}

fn check_type(param: &Param, value: &Value) -> Result<(), String> {
    let (fits, expected) = match param.kind {
        ParamType::Made | ParamType::Reference => {
            (value.as_str().is_some_and(|path| !path.is_empty()), "the path of a file")
        }
        ParamType::Text => (value.is_string(), "a text"),
        ParamType::Command => (is_command(value), "a text or a list of texts"),
        ParamType::Flag => (value.is_boolean(), "true or false"),
        ParamType::Number => (value.is_number(), "a number"),
        ParamType::List => (value.is_array(), "a list"),
        ParamType::Table => (value.is_object(), "an object"),
        ParamType::Flags(known) => return check_flags(known, value),
    };
    if fits { Ok(()) } else { Err(format!("is not {expected}")) }
}

fn check_flags(known: &[&str], value: &Value) -> Result<(), String> {
    let options = value.as_object().ok_or("is not an object")?;
    for (name, value) in options {
        if !known.contains(&name.as_str()) {
            return Err(format!("has an option that is not read: {}", handlers::unknown_name(name, known)));
        }
        if !value.is_boolean() && !value.is_null() {
            return Err(format!("has the option {name}, which is not true or false"));
        }
    }
    Ok(())
}

fn is_command(value: &Value) -> bool {
    match value {
        Value::String(text) => !text.trim().is_empty(),
        Value::Array(list) => !list.is_empty() && list.iter().all(Value::is_string),
        _ => false,
    }
}
