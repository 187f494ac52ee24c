//! Reads the events of Messages, and complete bodies. Irrelevant fields are not validated.

use serde_json_borrow::Value;

use super::super::super::error::RequestError;
use super::super::super::reply_builder::{ReplyBuilder, api_error, is_given};
use mageyard_domain::{AgentObserver, Usage};

/// Adds an event of a stream, or a complete body.
pub(super) fn add_event(
    reply: &mut ReplyBuilder,
    event: &Value<'_>,
    observer: &dyn AgentObserver,
) -> Result<(), RequestError> {
    match event.get("type").as_str() {
        Some("message") => add_message(reply, event, observer)?,
        Some("message_start") => add_message(reply, event.get("message"), observer)?,
        Some("content_block_start") => add_block(reply, event.get("content_block"), observer)?,
        Some("content_block_delta") => add_delta(reply, event.get("delta"), observer)?,
        Some("message_delta") => {
            add_usage(reply, event.get("usage"), observer);
            add_stop(reply, event.get("delta"));
        }
        Some("message_stop") => reply.done = true,
        Some("error") => return Err(api_error(reply, event, event.get("error"))),
        // A gateway may send an error without the type.
        _ if is_given(event.get("error")) => {
            return Err(api_error(reply, event, event.get("error")));
        }
        // Pings, ends of blocks, and events of newer versions.
        _ => {}
    }
    Ok(())
}

/// A complete message, or the empty one at the beginning of a stream.
fn add_message(
    reply: &mut ReplyBuilder,
    message: &Value<'_>,
    observer: &dyn AgentObserver,
) -> Result<(), RequestError> {
    reply.begin();
    if let Some(model) = message.get("model").as_str() {
        reply.set_model(model);
    }
    reply.add_origin(message.get("id"), &Value::Null, observer);
    for block in message.get("content").as_array().into_iter().flatten() {
        add_block(reply, block, observer)?;
    }
    add_usage(reply, message.get("usage"), observer);
    add_stop(reply, message);
    Ok(())
}

/// A block of a complete message, or the usually empty beginning of a streamed one.
fn add_block(
    reply: &mut ReplyBuilder,
    block: &Value<'_>,
    observer: &dyn AgentObserver,
) -> Result<(), RequestError> {
    match block.get("type").as_str() {
        Some("tool_use" | "server_tool_use") => {
            reply.set_tool_call(block.get("name").as_str().unwrap_or("?"));
            Ok(())
        }
        Some(kind @ ("image" | "audio" | "video")) => {
            reply.note_unused(kind);
            Ok(())
        }
        Some("redacted_thinking") => reply.add_text("", REDACTED_THINKING, observer),
        _ => add_delta(reply, block, observer),
    }
}

/// What stands for thinking that the server encrypted.
const REDACTED_THINKING: &str = "[thinking that the server does not show]\n";

fn add_delta(
    reply: &mut ReplyBuilder,
    delta: &Value<'_>,
    observer: &dyn AgentObserver,
) -> Result<(), RequestError> {
    let text = |name: &'static str| delta.get(name).as_str().unwrap_or_default();
    reply.add_text(text("text"), text("thinking"), observer)
}

fn add_stop(reply: &mut ReplyBuilder, delta: &Value<'_>) {
    if let Some(reason) = delta.get("stop_reason").as_str() {
        reply.set_finish_reason(reason);
    }
    // Newer versions explain a refusal.
    reply.add_refusal(delta.get("stop_details").get("explanation").as_str().unwrap_or_default());
}

/// The counts of a stream are cumulative, and an event may leave some of them out.
fn add_usage(reply: &mut ReplyBuilder, usage: &Value<'_>, observer: &dyn AgentObserver) {
    let count = |name: &'static str| usage.get(name).as_u64();
    if count("input_tokens").or(count("output_tokens")).is_none() {
        return;
    }
    let before = reply.usage().unwrap_or_default();
    let cached = count("cache_read_input_tokens").unwrap_or_default();
    let cache_writes = count("cache_creation_input_tokens").unwrap_or_default();
    let input = count("input_tokens").unwrap_or_default() + cached + cache_writes;
    let now = Usage {
        input: input.max(before.input),
        output: count("output_tokens").unwrap_or_default().max(before.output),
        cached: cached.max(before.cached),
        cache_writes: cache_writes.max(before.cache_writes),
    };
    reply.add_usage(now, observer);
}
