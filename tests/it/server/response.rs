//! A response as a sequence of parts, sent with the pace of the server.

use std::io;
use std::time::Duration;

use axum::body::Body;
use axum::http::StatusCode;
use axum::response::Response;
use futures_util::stream::unfold;
use serde_json::{Value, json};

use super::replies::OddReply;
use super::{Behavior, ServerState, failures, forms, identity, odds, refusals, replies, seeing};

/// One part of a response.
enum ResponsePart {
    Send(Vec<u8>),
    /// Sends nothing for this long.
    Wait(Duration),
    Disconnect,
    Stall,
}

/// A complete response.
pub(super) struct Answer {
    status: u16,
    headers: Vec<(String, String)>,
    parts: Vec<ResponsePart>,
}

impl Answer {
    pub(super) fn new(behavior: Behavior, number: usize, request: &Value, text: &str, key: &str) -> Self {
        let refuse = |status, body: String| Self {
            status,
            headers: vec![],
            parts: vec![ResponsePart::Send(body.into())],
        };
        let error = |status, message: String| {
            refuse(status, json!({"error": {"message": message, "code": status}}).to_string())
        };
        if let Some(why) = forms::refusal(behavior, request) {
            return error(400, why);
        }
        if let Some((status, header, body)) = failures::refusal(behavior, number) {
            let refused = refuse(status, body.to_string());
            return match header {
                Some((name, value)) => refused.with(name, value),
                None => refused,
            };
        }
        if let Some(events) = failures::failed_events(behavior, number) {
            let sent = events.iter().map(|event| ResponsePart::Send(format!("data: {event}\n\n").into()));
            let headers = vec![("content-type".to_owned(), "text/event-stream".to_owned())];
            return Self { status: 200, headers, parts: sent.chain([ResponsePart::Disconnect]).collect() };
        }
        if let Some(odd) = replies::reply(behavior, request, text) {
            return Self::odd(odd);
        }
        if let Some((status, body)) = refusals::refusal(behavior, request) {
            return refuse(status, body.to_string());
        }
        let usage = seeing::usage(behavior, request).unwrap_or_else(|| usage(behavior));
        match behavior {
            _ if failures::is_silent(behavior, number) => {
                Self { status: 200, headers: vec![], parts: vec![ResponsePart::Stall] }
            }
            Behavior::Unauthorized | Behavior::EchoHead => {
                error(401, format!("Incorrect API key provided: {key}"))
            }
            Behavior::NoModel => error(404, format!("The model {} does not exist", request["model"])),
            Behavior::NoField => error(400, "max_tokens is not supported, use max_completion_tokens".into()),
            Behavior::Busy => refuse(429, "slow down".into()),
            Behavior::BusyLong => error(429, "quota".into()).with("retry-after", "3600"),
            Behavior::BusyAfter if number == 1 => error(429, "busy".into()).with("retry-after-ms", "300"),
            Behavior::Flaky if number == 1 => refuse(500, "<html>oops</html>".into()),
            Behavior::Down => refuse(503, r#"{"detail": "loading the model"}"#.into()),
            Behavior::Moved => refuse(301, String::new()).with("location", "https://elsewhere.example/v1"),
            Behavior::HtmlPage => {
                refuse(200, "<!DOCTYPE html><title>Welcome</title>".into()).with("content-type", "text/html")
            }
            _ if request["stream"] == true => Self::streamed(
                behavior,
                text,
                (&usage, request),
                &identity::fields(behavior, number, request),
            ),
            _ => Self::complete(behavior, text, &usage, request),
        }
    }

    fn odd(odd: OddReply) -> Self {
        let mut parts: Vec<ResponsePart> = odd.pieces.into_iter().map(ResponsePart::Send).collect();
        parts.extend(odd.stalls.then_some(ResponsePart::Stall));
        Self { status: 200, headers: odd.headers, parts }
    }

    fn with(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// A response of JSON.
    pub(super) fn json(status: u16, body: &Value) -> Self {
        let parts = vec![ResponsePart::Send(body.to_string().into_bytes())];
        Self { status, headers: Vec::new(), parts }.with("content-type", "application/json")
    }

    /// A stream of these events.
    pub(super) fn events(events: Vec<String>) -> Self {
        let parts = events.into_iter().map(|event| ResponsePart::Send(event.into_bytes())).collect();
        Self { status: 200, headers: Vec::new(), parts }.with("content-type", "text/event-stream")
    }

    /// A recorded response: chunks with the milliseconds before each, and how it ended.
    pub(super) fn recorded(
        status: u16,
        headers: Vec<(String, String)>,
        chunks: Vec<(u64, Vec<u8>)>,
        end: &str,
    ) -> Self {
        let chunks = chunks.into_iter();
        let parts = chunks.flat_map(|(after, bytes)| {
            [ResponsePart::Wait(Duration::from_millis(after)), ResponsePart::Send(bytes)]
        });
        let end = match end {
            "broken" => Some(ResponsePart::Disconnect),
            "silent" => Some(ResponsePart::Stall),
            _ => None,
        };
        Self { status, headers, parts: parts.chain(end).collect() }
    }

    fn complete(behavior: Behavior, text: &str, usage: &Value, request: &Value) -> Self {
        let mut message = json!({"role": "assistant", "content": text});
        add_special_fields(behavior, &mut message, text);
        let choice = json!({
            "index": 0, "message": message, "finish_reason": finish_reason(behavior),
            "logprobs": odds::of_choice(request, text),
        });
        let choices = if behavior == Behavior::Empty { json!([]) } else { json!([choice]) };
        let mut body = json!({"id": "1", "object": "chat.completion", "model": "mock-1", "choices": choices});
        if behavior != Behavior::NoUsage {
            body["usage"] = usage.clone();
        }
        if behavior == Behavior::ErrorMidStream {
            body = json!({"error": {"message": "out of memory", "code": 500}});
        }
        let mut bytes = body.to_string().into_bytes();
        let parts = match behavior {
            Behavior::EndsEarly => {
                bytes.truncate(40);
                vec![ResponsePart::Send(bytes)]
            }
            Behavior::ConnectionLost => {
                vec![ResponsePart::Send(bytes[..40].to_vec()), ResponsePart::Disconnect]
            }
            Behavior::StallsMidway => vec![ResponsePart::Send(bytes[..40].to_vec()), ResponsePart::Stall],
            _ => vec![ResponsePart::Send(bytes)],
        };
        Self { status: 200, headers: vec![("content-type".into(), "application/json".into())], parts }
    }

    fn streamed(behavior: Behavior, text: &str, (usage, request): (&Value, &Value), origin: &Value) -> Self {
        let headers = vec![("content-type".to_owned(), "text/event-stream".to_owned())];
        let mut events = vec![chunk(&json!({"role": "assistant"}), (request, None), origin)];
        events
            .extend(stream_deltas(behavior, text).iter().map(|delta| chunk(delta, (request, None), origin)));
        events.push(chunk(&json!({}), (request, Some(finish_reason(behavior))), origin));
        let bare = |value: Value| format!("data: {value}\n\n");
        if behavior != Behavior::NoUsage {
            events.push(bare(json!({"model": origin["model"], "choices": [], "usage": usage})));
        }
        events.push("data: [DONE]\n\n".to_owned());
        let half = events.len() / 2;
        let say = |event: &String| ResponsePart::Send(event.clone().into_bytes());
        let parts: Vec<ResponsePart> = match behavior {
            Behavior::Empty => vec![say(&bare(json!({"choices": []}))), say(&"data: [DONE]\n\n".to_owned())],
            Behavior::NoDone => events[..events.len() - 1].iter().map(say).collect(),
            Behavior::EndsEarly => events[..half].iter().map(say).collect(),
            Behavior::ConnectionLost => {
                events[..half].iter().map(say).chain([ResponsePart::Disconnect]).collect()
            }
            Behavior::StallsMidway => events[..half].iter().map(say).chain([ResponsePart::Stall]).collect(),
            Behavior::ErrorMidStream => {
                let error = bare(json!({"error": {"message": "out of memory", "code": 500}}));
                events[..half].iter().map(say).chain([say(&error)]).collect()
            }
            Behavior::Split => events.concat().bytes().map(|byte| ResponsePart::Send(vec![byte])).collect(),
            Behavior::KeepAlive => {
                events.iter().flat_map(|event| [say(&": keep-alive\n\n".to_owned()), say(event)]).collect()
            }
            Behavior::Crlf => events.iter().map(|event| say(&event.replace('\n', "\r\n"))).collect(),
            _ => events.iter().map(say).collect(),
        };
        Self { status: 200, headers, parts }
    }
}

fn finish_reason(behavior: Behavior) -> &'static str {
    match behavior {
        Behavior::Filter => "content_filter",
        Behavior::Length => "length",
        Behavior::Tool => "tool_calls",
        _ => "stop",
    }
}

fn usage(behavior: Behavior) -> Value {
    let mut usage = json!({"prompt_tokens": 1200, "completion_tokens": 34, "total_tokens": 1234});
    if behavior == Behavior::CachedUsage {
        usage["prompt_tokens_details"] = json!({"cached_tokens": 700});
    }
    usage
}

fn chunk(delta: &Value, (request, finish): (&Value, Option<&str>), origin: &Value) -> String {
    let odds = odds::of_choice(request, delta["content"].as_str().unwrap_or_default());
    let choice = json!({"index": 0, "delta": delta, "finish_reason": finish, "logprobs": odds});
    let mut chunk = json!({"object": "chat.completion.chunk", "created": 1.5, "choices": [choice]});
    let fields = chunk.as_object_mut().unwrap();
    fields.extend(origin.as_object().unwrap().clone());
    format!("data: {chunk}\n\n")
}

/// Adds the fields of a behavior to a message, or replaces its text.
fn add_special_fields(behavior: Behavior, message: &mut Value, text: &str) {
    match behavior {
        Behavior::Tool => {
            message["content"] = Value::Null;
            message["tool_calls"] = json!([{"index": 0, "function": {"name": "click", "arguments": "{}"}}]);
        }
        Behavior::Refusal => {
            message["content"] = Value::Null;
            message["refusal"] = json!("I will not push crates.");
        }
        Behavior::Reasoning => message["reasoning_content"] = json!("# action\nNowhere"),
        Behavior::Parts => message["content"] = json!([{"type": "text", "text": text}]),
        Behavior::Huge => message["content"] = "x".repeat(6 << 20).into(),
        _ => {}
    }
}

fn stream_deltas(behavior: Behavior, text: &str) -> Vec<Value> {
    let letters: Vec<char> = text.chars().collect();
    let pieces = letters.chunks(5).map(|piece| piece.iter().collect::<String>());
    match behavior {
        Behavior::Tool | Behavior::Refusal => {
            let mut message = json!({});
            add_special_fields(behavior, &mut message, text);
            vec![message]
        }
        Behavior::Reasoning => {
            let thoughts =
                [json!({"reasoning_content": "# action\n"}), json!({"reasoning_content": "Nowhere"})];
            thoughts.into_iter().chain(pieces.map(|piece| json!({"content": piece}))).collect()
        }
        Behavior::Parts => {
            pieces.map(|piece| json!({"content": [{"type": "text", "text": piece}]})).collect()
        }
        Behavior::Huge => vec![json!({"content": "x".repeat(1 << 20)}); 6],
        _ => pieces.map(|piece| json!({"content": piece})).collect(),
    }
}

/// Counts the end of a response, as abandoned if it is dropped before it is finished.
struct AbandonCounter {
    state: ServerState,
    finished: bool,
}

impl Drop for AbandonCounter {
    fn drop(&mut self) {
        self.state.with_log(|log| {
            log.open -= 1;
            log.abandoned += usize::from(!self.finished);
        });
    }
}

pub(super) async fn respond(answer: Answer, state: &ServerState) -> Response {
    let mut watch = AbandonCounter { state: state.clone(), finished: false };
    if let [ResponsePart::Stall] = answer.parts.as_slice() {
        std::future::pending::<()>().await;
    }
    let mut response = Response::builder().status(StatusCode::from_u16(answer.status).unwrap());
    for (name, value) in &answer.headers {
        response = response.header(name, value);
    }
    let pace = state.pace;
    let mut beats = answer.parts.into_iter().peekable();
    watch.finished = beats.peek().is_none();
    let body = unfold((beats, watch), move |(mut beats, mut watch)| async move {
        let beat = beats.next()?;
        if pace > Duration::ZERO {
            tokio::time::sleep(pace).await;
        }
        watch.finished = beats.peek().is_none() && !matches!(beat, ResponsePart::Stall);
        match beat {
            ResponsePart::Send(bytes) => Some((Ok(bytes), (beats, watch))),
            ResponsePart::Wait(time) => {
                tokio::time::sleep(time).await;
                Some((Ok(Vec::new()), (beats, watch)))
            }
            // Let the earlier parts be sent first.
            ResponsePart::Disconnect => {
                tokio::time::sleep(Duration::from_millis(30)).await;
                Some((Err(io::Error::other("broken on purpose")), (beats, watch)))
            }
            ResponsePart::Stall => {
                watch.state.with_log(|log| log.stalled += 1);
                std::future::pending().await
            }
        }
    });
    response.body(Body::from_stream(body)).unwrap()
}
