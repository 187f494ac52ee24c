//! Reads the events of chat completions. Irrelevant fields are not validated.

use serde_json::Value;

use super::super::super::error::RequestError;
use super::super::super::reply_builder::ReplyBuilder;
use super::super::super::reply_builder::api_error;
use crate::domain::AgentObserver;
use crate::domain::Usage;

/// Adds a chunk of a stream, or a complete body.
pub(super) fn add_event(
    reply: &mut ReplyBuilder,
    chunk: &Value,
    observer: &dyn AgentObserver,
) -> Result<(), RequestError> {
    if let Some(error) = chunk.get("error").filter(|error| !error.is_null()) {
        return Err(api_error(chunk, error));
    }
    if let Some(usage) = parse_usage(chunk) {
        reply.add_usage(usage, observer);
    }
    if let Some(model) = chunk["model"].as_str() {
        reply.set_model(model);
    }
    let choice = chunk["choices"].as_array().and_then(|choices| choices.first());
    choice.map_or(Ok(()), |choice| add_choice(reply, choice, observer))
}

fn add_choice(
    reply: &mut ReplyBuilder,
    choice: &Value,
    observer: &dyn AgentObserver,
) -> Result<(), RequestError> {
    reply.begin();
    let part = choice.get("delta").or_else(|| choice.get("message")).unwrap_or(&Value::Null);
    let reasoning = [&part["reasoning_content"], &part["reasoning"]].into_iter().find_map(Value::as_str);
    reply.add_text(&content_text(&part["content"]), reasoning.unwrap_or_default(), observer)?;
    reply.add_refusal(part["refusal"].as_str().unwrap_or_default());
    if let Some(name) = tool_call_name(part) {
        reply.set_tool_call(name);
    }
    if let Some(reason) = choice["finish_reason"].as_str() {
        reply.set_finish_reason(reason);
    }
    Ok(())
}

/// The text of a content field: a string, or a list of parts as some servers send it.
fn content_text(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect(),
        _ => String::new(),
    }
}

fn tool_call_name(part: &Value) -> Option<&str> {
    let call = part["tool_calls"].as_array().and_then(|calls| calls.first()).map(|call| &call["function"]);
    let call = call.or_else(|| part.get("function_call").filter(|call| call.is_object()))?;
    Some(call["name"].as_str().unwrap_or("?"))
}

fn parse_usage(chunk: &Value) -> Option<Usage> {
    let usage = chunk.get("usage").filter(|usage| usage.is_object())?;
    let count = |places: &[&str]| places.iter().find_map(|place| usage.pointer(place)?.as_u64());
    let cached = count(&["/prompt_tokens_details/cached_tokens", "/prompt_cache_hit_tokens"]);
    let written = count(&["/prompt_tokens_details/cache_write_tokens", "/cache_creation_input_tokens"]);
    Some(Usage {
        input: usage["prompt_tokens"].as_u64()?,
        output: usage["completion_tokens"].as_u64()?,
        cached: cached.unwrap_or_default(),
        cache_writes: written.unwrap_or_default(),
    })
}
