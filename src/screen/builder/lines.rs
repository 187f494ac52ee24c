//! The form in lines.

use super::draw::written_words;
use super::form::{Field, SweepForm};
use super::keys::{enter, replan, write};
use crate::model::{Modal, Model};
use crate::requests::{BuilderOrder, Request};
use crate::update::Effect;
use mageyard_domain::sanitize;

/// The most options that are listed.
const MOST_OPTIONS: usize = 40;

/// The fields, the plan, and what can be answered.
pub(crate) fn lines(form: &SweepForm) -> Vec<String> {
    let mut lines = vec!["Question: which sweep?".to_owned()];
    let fields = Field::ALL.iter().filter(|field| **field != Field::Plan);
    lines.extend(fields.map(|field| match form.value(*field) {
        value if value.is_empty() => format!("  {}: ({})", field.label(), field.hint()),
        value => format!("  {}: {value}", field.label()),
    }));
    match (&form.offers, &form.planned) {
        (None, _) => lines.push("Note: what can be selected is being read".to_owned()),
        (Some(Err(problem)), _) => lines.push(format!("Error: {problem}")),
        (_, Some((number, _))) if *number != form.number => lines.push("Plan: being made".to_owned()),
        (_, Some((_, Err(problem)))) => lines.push(format!("Error: {problem}")),
        (_, Some((_, Ok(planned)))) => {
            lines.extend(planned.summary.iter().map(|line| format!("Plan: {line}")));
            lines.extend(planned.struck.iter().map(|line| format!("Struck out: {line}")));
        }
        (_, None) => lines.push("Plan: being made".to_owned()),
    }
    lines.extend(form.said.iter().map(|said| format!("Note: {said}")));
    lines.extend(form.written.iter().map(|_| format!("Note: {}", written_words(form))));
    lines.push(
        "Answer: a field and its values, such as models demo, demo-weak or AM 1..3; list and a field says what it can be; file \
         prints the file; write writes it, start runs it here; an empty line closes."
            .to_owned(),
    );
    lines.iter().map(|line| sanitize(line).into_owned()).collect()
}

/// A line of the linear mode.
pub(crate) fn answer(model: &mut Model, mut form: Box<SweepForm>, line: &str, effects: &mut Vec<Effect>) {
    let line = line.trim();
    form.said = None;
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    let named = |name: &str| Field::ALL.into_iter().find(|field| field.label().eq_ignore_ascii_case(name));
    match (word, named(word)) {
        ("", _) => return effects.push(Effect::Request(Request::Builder(BuilderOrder::Close))),
        ("write", _) => write(&mut form, effects),
        ("start", _) if form.written.is_some() => return enter(model, form, effects),
        ("start", _) => form.said = Some("write it first".to_owned()),
        ("file", _) => {
            let text = form.planned.as_ref().and_then(|(_, planned)| planned.as_ref().ok());
            form.said = text.map(|planned| planned.text.clone());
        }
        ("list", _) => form.said = Some(options(&mut form, named(rest.trim()))),
        (_, Some(field)) if field != Field::Plan => {
            let before = form.selection();
            form.set(field, rest);
            replan(&mut form, &before, effects);
        }
        _ => form.said = Some(format!("there is no field {word:?}")),
    }
    model.modal = Some(Modal::SweepForm(form));
}

/// What a field can be.
fn options(form: &mut SweepForm, field: Option<Field>) -> String {
    let Some(field) = field.filter(|field| field.is_list()) else {
        return "list levels, models, baselines, prompts or setting".to_owned();
    };
    let focus = std::mem::replace(&mut form.focus, field);
    let options = form.options();
    form.focus = focus;
    let more = options.len().saturating_sub(MOST_OPTIONS);
    let more = if more > 0 { format!(", and {more} more") } else { String::new() };
    options[..options.len().min(MOST_OPTIONS)].join(", ") + &more
}
