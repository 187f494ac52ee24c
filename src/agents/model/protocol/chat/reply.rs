//! Reads the events of chat completions. Irrelevant fields are not validated.

use serde_json_borrow::Value;

use super::super::super::error::RequestError;
use super::super::super::reply_builder::{ReplyBuilder, api_error, is_given};
use super::super::super::usage::ReportedUsage;
use super::reasoning;
use mageyard_domain::AgentObserver;

/// Adds a chunk of a stream, or a complete body.
pub(super) fn add_event(
    reply: &mut ReplyBuilder,
    chunk: &Value<'_>,
    observer: &dyn AgentObserver,
) -> Result<(), RequestError> {
    let error = chunk.get("error");
    if is_given(error) {
        return Err(api_error(reply, chunk, error));
    }
    reply.add_report(ReportedUsage::read(chunk.get("usage")), observer);
    if let Some(model) = chunk.get("model").as_str() {
        reply.set_model(model);
    }
    reply.add_origin(chunk.get("id"), chunk.get("system_fingerprint"), observer);
    let choices = chunk.get("choices").as_array().unwrap_or_default();
    if choices.iter().any(|choice| !choice.is_object()) {
        reply.add_note("a choice of the response is not an object and was ignored".to_owned());
    }
    let mut choices = choices.iter().filter(|choice| choice.is_object());
    let Some(choice) = choices.next() else { return Ok(()) };
    if choices.next().is_some() {
        reply.add_note("the response has several choices, of which only the first is used".to_owned());
    }
    add_choice(reply, choice, observer)
}

fn add_choice(
    reply: &mut ReplyBuilder,
    choice: &Value<'_>,
    observer: &dyn AgentObserver,
) -> Result<(), RequestError> {
    reply.begin();
    let part = field(choice, "delta").unwrap_or_else(|| choice.get("message"));
    let content = Content::of(part.get("content"));
    let reasoning = reasoning::of_message(part) + &content.reasoning;
    reply.add_text(&content.text, &reasoning, observer)?;
    reply.add_odds(choice.get("logprobs").get("content"));
    reply.add_refusal(part.get("refusal").as_str().unwrap_or_default());
    reply.add_refusal(&content.refusal);
    note_unused(reply, part);
    if let Some(name) = tool_call_name(part) {
        reply.set_tool_call(name);
    }
    if let Some(place) = [choice, part].into_iter().find(|place| is_given(place.get("error"))) {
        return Err(api_error(reply, place, place.get("error")));
    }
    add_finish_reason(reply, choice.get("finish_reason"));
    Ok(())
}

/// Notes images and audio, in fields of their own or among the parts of the content.
fn note_unused(reply: &mut ReplyBuilder, part: &Value<'_>) {
    for field in ["images", "audio", "video"].into_iter().filter(|field| is_given(part.get(*field))) {
        reply.note_unused(field);
    }
    for part in part.get("content").as_array().into_iter().flatten() {
        reply.note_unused(part.get("type").as_str().unwrap_or_default());
    }
}

/// The reason for the end is a word; anything else is one that is not known.
fn add_finish_reason(reply: &mut ReplyBuilder, reason: &Value<'_>) {
    match reason {
        Value::Null | Value::Bool(false) => {}
        Value::Str(word) => reply.set_finish_reason(word),
        other => reply.set_finish_reason(&other.to_string()),
    }
}

/// The texts of a content field: a string, or a list of parts as some servers send it.
#[derive(Default)]
struct Content {
    text: String,
    reasoning: String,
    refusal: String,
}

impl Content {
    fn of(content: &Value<'_>) -> Self {
        let mut found = Self::default();
        match content {
            Value::Str(text) => found.text.push_str(text),
            Value::Array(parts) => {
                for part in parts {
                    found.add_part(part);
                }
            }
            _ => {}
        }
        found
    }

    fn add_part(&mut self, part: &Value<'_>) {
        let text = |name: &'static str| part.get(name).as_str().unwrap_or_default();
        match part.get("type").as_str() {
            Some(kind) if reasoning::is_kind(kind) => self.reasoning.push_str(&reasoning::text_of(part)),
            Some("refusal") => self.refusal.push_str(text("refusal")),
            _ => self.text.push_str(text("text")),
        }
    }
}

/// The value of a field of an object, `null` included.
fn field<'v>(object: &'v Value<'v>, name: &str) -> Option<&'v Value<'v>> {
    object.as_object()?.get(name)
}

fn tool_call_name<'v>(part: &'v Value<'v>) -> Option<&'v str> {
    let call =
        part.get("tool_calls").as_array().and_then(|calls| calls.first()).map(|call| call.get("function"));
    let call = call.or_else(|| Some(part.get("function_call")).filter(|call| call.is_object()))?;
    Some(call.get("name").as_str().unwrap_or("?"))
}
