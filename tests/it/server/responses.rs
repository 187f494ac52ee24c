//! Answers of a server with `OpenAI` Responses.

use serde_json::{Value, json};

use super::response::Answer;
use super::{Behavior, odds};

/// The answer to a request.
pub(super) fn answer(behavior: Behavior, request: &Value, text: &str) -> Answer {
    let error = |status, code: &str, message: &str| {
        Answer::json(status, &json!({"error": {"message": message, "type": "error", "code": code}}))
    };
    match behavior {
        Behavior::Overloaded => error(529, "overloaded", "Overloaded"),
        Behavior::Unauthorized => error(401, "invalid_api_key", "Incorrect API key provided"),
        _ if request["store"] != false => error(400, "invalid_value", "nothing may be stored here"),
        Behavior::EndsEarly => streamed(behavior, text, |events| events.truncate(events.len() / 2)),
        Behavior::ErrorMidStream => streamed(behavior, text, |events| {
            events.truncate(events.len() / 2);
            let failed = json!({
                "object": "response", "status": "failed", "model": "mock-1", "output": [],
                "error": {"code": "server_error", "message": "out of memory"},
            });
            events.push(event(&json!({"type": "response.failed", "response": failed})));
        }),
        _ if request["stream"] == true => streamed(behavior, text, |events| add_odds(request, events)),
        _ => Answer::json(200, &response(behavior, &output(behavior, text))),
    }
}

fn output(behavior: Behavior, text: &str) -> Vec<Value> {
    let message = |part: Value| json!({"type": "message", "id": "m1", "role": "assistant", "status": "completed", "content": [part]});
    let text = message(json!({"type": "output_text", "text": text, "annotations": []}));
    match behavior {
        Behavior::Reasoning => {
            let parts = ["# action\n", "Nowhere"].map(|text| json!({"type": "summary_text", "text": text}));
            vec![json!({"type": "reasoning", "id": "r1", "summary": parts}), text]
        }
        Behavior::Tool => vec![json!({"type": "function_call", "name": "click", "arguments": "{}"})],
        Behavior::Refusal => vec![message(json!({"type": "refusal", "refusal": "I will not push crates."}))],
        _ => vec![text],
    }
}

fn response(behavior: Behavior, output: &[Value]) -> Value {
    let reason = match behavior {
        Behavior::Length => Some("max_output_tokens"),
        Behavior::Filter => Some("content_filter"),
        _ => None,
    };
    let cached = if behavior == Behavior::CachedUsage { 700 } else { 0 };
    let usage = json!({
        "input_tokens": 1200, "input_tokens_details": {"cached_tokens": cached},
        "output_tokens": 34, "output_tokens_details": {"reasoning_tokens": 10}, "total_tokens": 1234,
    });
    json!({
        "id": "resp_1", "object": "response", "model": "mock-1", "output": output, "error": null,
        "status": if reason.is_some() { "incomplete" } else { "completed" },
        "incomplete_details": reason.map(|reason| json!({"reason": reason})),
        "usage": (behavior != Behavior::NoUsage).then_some(usage),
    })
}

/// The same as a stream, whose events `change` may change.
fn streamed(behavior: Behavior, text: &str, change: impl FnOnce(&mut Vec<String>)) -> Answer {
    let output = output(behavior, text);
    let complete = response(behavior, &output);
    let mut begun = complete.clone();
    begun["status"] = json!("in_progress");
    begun["incomplete_details"] = Value::Null;
    begun["output"] = json!([]);
    begun["usage"] = Value::Null;
    let mut events = vec![
        event(&json!({"type": "response.created", "response": begun})),
        event(&json!({"type": "response.in_progress", "response": begun})),
    ];
    for (index, item) in output.iter().enumerate() {
        events.extend(item_events(index, item).iter().map(event));
    }
    let kind = complete["status"].as_str().unwrap();
    events.push(event(&json!({"type": format!("response.{kind}"), "response": complete})));
    change(&mut events);
    Answer::events(events)
}

fn item_events(index: usize, item: &Value) -> Vec<Value> {
    let mut begun = item.clone();
    for name in ["summary", "content"] {
        if begun.get(name).is_some() {
            begun[name] = json!([]);
        }
    }
    let mut events =
        vec![json!({"type": "response.output_item.added", "output_index": index, "item": begun})];
    for part in item["summary"].as_array().into_iter().flatten() {
        let delta = "response.reasoning_summary_text.delta";
        events.push(json!({"type": delta, "output_index": index, "delta": part["text"]}));
        events.push(json!({"type": "response.reasoning_summary_part.done", "part": part}));
    }
    for part in item["content"].as_array().into_iter().flatten() {
        let (kind, text) = match part["refusal"].as_str() {
            Some(refusal) => ("refusal", refusal),
            None => ("output_text", part["text"].as_str().unwrap()),
        };
        let letters: Vec<char> = text.chars().collect();
        for piece in letters.chunks(5) {
            let delta = piece.iter().collect::<String>();
            events.push(
                json!({"type": format!("response.{kind}.delta"), "output_index": index, "delta": delta}),
            );
        }
        events.push(json!({"type": format!("response.{kind}.done"), "output_index": index}));
    }
    events.push(json!({"type": "response.output_item.done", "output_index": index, "item": item}));
    events
}

/// Adds the odds of each piece, if the request asks for them.
fn add_odds(request: &Value, events: &mut [String]) {
    for text in events.iter_mut().filter(|event| event.contains("output_text.delta")) {
        let (_, data) = text.trim_end().split_once("data: ").unwrap();
        let mut data: Value = serde_json::from_str(data).unwrap();
        data["logprobs"] = odds::of_part(request, data["delta"].as_str().unwrap());
        *text = event(&data);
    }
}

fn event(data: &Value) -> String {
    format!("event: {}\ndata: {data}\n\n", data["type"].as_str().unwrap())
}
