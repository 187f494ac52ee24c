//! Reads the events of Responses, and complete bodies. Irrelevant fields are not validated.

use serde_json_borrow::Value;

use super::super::super::error::RequestError;
use super::super::super::reply_builder::{ReplyBuilder, api_error, is_given};
use super::super::super::usage::ReportedUsage;
use mageyard_domain::AgentObserver;

/// Adds an event of a stream, or a complete body.
pub(super) fn add_event(
    reply: &mut ReplyBuilder,
    event: &Value<'_>,
    observer: &dyn AgentObserver,
) -> Result<(), RequestError> {
    let delta = event.get("delta").as_str().unwrap_or_default();
    match event.get("type").as_str() {
        Some("response.created" | "response.in_progress") => {
            add_model(reply, event.get("response"), observer);
        }
        Some("response.output_text.delta") => {
            reply.add_odds(event.get("logprobs"));
            return reply.add_text(delta, "", observer);
        }
        Some("response.reasoning_summary_text.delta" | "response.reasoning_text.delta") => {
            return reply.add_text("", delta, observer);
        }
        // Summaries come as several parts.
        Some("response.reasoning_summary_part.done") => return reply.add_text("", "\n\n", observer),
        Some("response.refusal.delta") => reply.add_refusal(delta),
        Some("response.output_item.added") => add_tool_call(reply, event.get("item")),
        Some("response.completed" | "response.incomplete" | "response.failed") => {
            add_response(reply, event.get("response"), observer)?;
            reply.done = true;
        }
        Some("error") => return Err(event_error(reply, event)),
        None if has_output(event) || event.get("object").as_str() == Some("response") => {
            return add_response(reply, event, observer);
        }
        _ if is_given(event.get("error")) => return Err(event_error(reply, event)),
        _ => {}
    }
    Ok(())
}

fn has_output(event: &Value<'_>) -> bool {
    event.as_object().is_some_and(|event| event.contains_key("output"))
}

/// An error event has its fields in the event itself, or in `error` as other protocols do.
fn event_error(reply: &ReplyBuilder, event: &Value<'_>) -> RequestError {
    let error = event.get("error");
    api_error(reply, event, if error.is_object() { error } else { event })
}

/// The complete response. Its output is read only if no part of it was streamed.
fn add_response(
    reply: &mut ReplyBuilder,
    response: &Value<'_>,
    observer: &dyn AgentObserver,
) -> Result<(), RequestError> {
    add_model(reply, response, observer);
    reply.add_report(ReportedUsage::read(response.get("usage")), observer);
    let error = response.get("error");
    if is_given(error) {
        return Err(api_error(reply, response, error));
    }
    if reply.is_empty() {
        for item in response.get("output").as_array().into_iter().flatten() {
            add_item(reply, item, observer)?;
        }
    }
    let reason = response.get("incomplete_details").get("reason").as_str();
    if let Some(reason) = reason.or(response.get("status").as_str()) {
        reply.set_finish_reason(reason);
    }
    Ok(())
}

fn add_item(
    reply: &mut ReplyBuilder,
    item: &Value<'_>,
    observer: &dyn AgentObserver,
) -> Result<(), RequestError> {
    let parts = |name: &'static str| item.get(name).as_array().unwrap_or_default();
    let text = |part: &Value<'_>| part.get("text").as_str().unwrap_or_default().to_owned();
    match item.get("type").as_str() {
        Some("reasoning") => {
            let thoughts: Vec<_> = parts("summary").iter().chain(parts("content")).map(text).collect();
            reply.add_text("", &thoughts.join("\n\n"), observer)
        }
        Some("message") => parts("content").iter().try_for_each(|part| {
            reply.note_unused(part.get("type").as_str().unwrap_or_default());
            reply.add_refusal(part.get("refusal").as_str().unwrap_or_default());
            reply.add_odds(part.get("logprobs"));
            reply.add_text(&text(part), "", observer)
        }),
        _ => {
            add_tool_call(reply, item);
            Ok(())
        }
    }
}

fn add_model(reply: &mut ReplyBuilder, response: &Value<'_>, observer: &dyn AgentObserver) {
    reply.begin();
    if let Some(model) = response.get("model").as_str() {
        reply.set_model(model);
    }
    reply.add_origin(response.get("id"), response.get("system_fingerprint"), observer);
}

fn add_tool_call(reply: &mut ReplyBuilder, item: &Value<'_>) {
    if let Some(kind) = item.get("type").as_str().filter(|kind| kind.ends_with("_call")) {
        reply.set_tool_call(item.get("name").as_str().unwrap_or(kind));
    }
}
