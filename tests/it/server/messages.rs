//! Answers of a server with Anthropic Messages.

use serde_json::{Value, json};

use super::Behavior;
use super::response::Answer;

/// The answer to a request.
pub(super) fn answer(behavior: Behavior, request: &Value, text: &str) -> Answer {
    let error = |status, kind: &str, message: &str| Answer::json(status, &error(kind, message));
    match behavior {
        Behavior::Overloaded => error(529, "overloaded_error", "Overloaded"),
        Behavior::Unauthorized => error(401, "authentication_error", "invalid x-api-key"),
        _ if request["max_tokens"].is_null() => {
            error(400, "invalid_request_error", "max_tokens: Field required")
        }
        Behavior::EndsEarly => streamed(behavior, text, |events| events.truncate(events.len() / 2)),
        Behavior::ErrorMidStream => streamed(behavior, text, |events| {
            events.truncate(events.len() / 2);
            events.push(event(&self::error("overloaded_error", "Overloaded")));
        }),
        _ if request["stream"] == true => streamed(behavior, text, |_| {}),
        _ => Answer::json(200, &message(behavior, &blocks(behavior, text))),
    }
}

fn error(kind: &str, message: &str) -> Value {
    json!({"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_1"})
}

fn blocks(behavior: Behavior, text: &str) -> Vec<Value> {
    let text = json!({"type": "text", "text": text});
    match behavior {
        Behavior::Reasoning => vec![
            json!({"type": "thinking", "thinking": "# action\nNowhere", "signature": "c2ln"}),
            json!({"type": "redacted_thinking", "data": "ZW5j"}),
            text,
        ],
        Behavior::Tool => vec![json!({"type": "tool_use", "id": "t1", "name": "click", "input": {}})],
        Behavior::Refusal => vec![],
        _ => vec![text],
    }
}

fn stop_reason(behavior: Behavior) -> &'static str {
    match behavior {
        Behavior::Length => "max_tokens",
        Behavior::Refusal => "refusal",
        Behavior::Tool => "tool_use",
        _ => "end_turn",
    }
}

fn usage(behavior: Behavior) -> Value {
    match behavior {
        Behavior::NoUsage => Value::Null,
        Behavior::CachedUsage => json!({
            "input_tokens": 200, "cache_read_input_tokens": 700, "cache_creation_input_tokens": 300,
            "output_tokens": 34,
        }),
        _ => json!({"input_tokens": 1200, "output_tokens": 34}),
    }
}

fn message(behavior: Behavior, blocks: &[Value]) -> Value {
    json!({
        "id": "msg_1", "type": "message", "role": "assistant", "model": "mock-1", "content": blocks,
        "stop_reason": stop_reason(behavior), "stop_sequence": null, "usage": usage(behavior),
    })
}

/// The same as a stream, whose events `change` may change.
fn streamed(behavior: Behavior, text: &str, change: impl FnOnce(&mut Vec<String>)) -> Answer {
    let mut start = message(behavior, &[]);
    start["stop_reason"] = Value::Null;
    if start["usage"].is_object() {
        start["usage"]["output_tokens"] = json!(1);
    }
    let mut events = vec![event(&json!({"type": "message_start", "message": start}))];
    for (index, block) in blocks(behavior, text).iter().enumerate() {
        events.extend(block_events(index, block).iter().map(event));
        events.push(event(&json!({"type": "ping"})));
    }
    let used = usage(behavior);
    let used = used.is_object().then(|| json!({"output_tokens": used["output_tokens"]}));
    let delta = json!({"stop_reason": stop_reason(behavior), "stop_sequence": null});
    events.push(event(&json!({"type": "message_delta", "delta": delta, "usage": used})));
    events.push(event(&json!({"type": "message_stop"})));
    change(&mut events);
    Answer::events(events)
}

/// A block in pieces of five characters.
fn block_events(index: usize, block: &Value) -> Vec<Value> {
    let delta = |delta: Value| json!({"type": "content_block_delta", "index": index, "delta": delta});
    let pieces = |name: &str| {
        let letters: Vec<char> = block[name].as_str().unwrap_or_default().chars().collect();
        letters.chunks(5).map(|piece| piece.iter().collect::<String>()).collect::<Vec<_>>()
    };
    let mut start = block.clone();
    for name in ["text", "thinking", "signature"] {
        if start.get(name).is_some() {
            start[name] = json!("");
        }
    }
    let mut events = vec![json!({"type": "content_block_start", "index": index, "content_block": start})];
    let texts = pieces("text").into_iter().map(|text| delta(json!({"type": "text_delta", "text": text})));
    let thoughts = pieces("thinking").into_iter();
    let thoughts = thoughts.map(|text| delta(json!({"type": "thinking_delta", "thinking": text})));
    let signature = block["signature"].as_str();
    let signature = signature.map(|text| delta(json!({"type": "signature_delta", "signature": text})));
    events.extend(texts.chain(thoughts).chain(signature));
    events.push(json!({"type": "content_block_stop", "index": index}));
    events
}

fn event(data: &Value) -> String {
    format!("event: {}\ndata: {data}\n\n", data["type"].as_str().unwrap())
}
