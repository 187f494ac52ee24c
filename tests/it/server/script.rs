//! An answer as a script of beats, performed to whoever listens.

use std::io;
use std::time::Duration;

use axum::body::Body;
use axum::http::StatusCode;
use axum::response::Response;
use futures_util::stream::unfold;
use serde_json::Value;
use serde_json::json;

use super::Mood;
use super::Office;

/// What happens next.
enum Beat {
    Say(Vec<u8>),
    Break,
    Hang,
}

/// A whole answer.
pub(super) struct Answer {
    status: u16,
    headers: Vec<(&'static str, String)>,
    beats: Vec<Beat>,
}

impl Answer {
    pub(super) fn new(mood: Mood, number: usize, request: &Value, text: &str, key: &str) -> Self {
        let refuse =
            |status, body: String| Self { status, headers: vec![], beats: vec![Beat::Say(body.into())] };
        let error = |status, message: String| {
            refuse(status, json!({"error": {"message": message, "code": status}}).to_string())
        };
        match mood {
            Mood::Unauthorized => error(401, format!("Incorrect API key provided: {key}")),
            Mood::NoModel => error(404, format!("The model {} does not exist", request["model"])),
            Mood::NoField => error(400, "max_tokens is not taken, use max_completion_tokens".into()),
            Mood::Busy => refuse(429, "slow down".into()),
            Mood::BusyLong => error(429, "quota".into()).with("retry-after", "3600"),
            Mood::BusyAfter if number == 1 => error(429, "busy".into()).with("retry-after-ms", "300"),
            Mood::Flaky if number == 1 => refuse(500, "<html>oops</html>".into()),
            Mood::Down => refuse(503, r#"{"detail": "loading the model"}"#.into()),
            Mood::Moved => refuse(301, String::new()).with("location", "https://elsewhere.example/v1"),
            Mood::Silence => Self { status: 200, headers: vec![], beats: vec![Beat::Hang] },
            Mood::Page => {
                refuse(200, "<!DOCTYPE html><title>Welcome</title>".into()).with("content-type", "text/html")
            }
            _ if request["stream"] == true => Self::streamed(mood, text),
            _ => Self::whole(mood, text),
        }
    }

    fn with(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }

    fn whole(mood: Mood, text: &str) -> Self {
        let mut message = json!({"role": "assistant", "content": text});
        special(mood, &mut message, text);
        let choice = json!({"index": 0, "message": message, "finish_reason": finish(mood)});
        let choices = if mood == Mood::Empty { json!([]) } else { json!([choice]) };
        let mut body = json!({"id": "1", "object": "chat.completion", "model": "mock-1", "choices": choices});
        if mood != Mood::NoUsage {
            body["usage"] = usage();
        }
        if mood == Mood::Inside {
            body = json!({"error": {"message": "out of memory", "code": 500}});
        }
        let mut bytes = body.to_string().into_bytes();
        let beats = match mood {
            Mood::Cut => {
                bytes.truncate(40);
                vec![Beat::Say(bytes)]
            }
            Mood::Broken => vec![Beat::Say(bytes[..40].to_vec()), Beat::Break],
            Mood::Hush => vec![Beat::Say(bytes[..40].to_vec()), Beat::Hang],
            _ => vec![Beat::Say(bytes)],
        };
        Self { status: 200, headers: vec![("content-type", "application/json".into())], beats }
    }

    fn streamed(mood: Mood, text: &str) -> Self {
        let headers = vec![("content-type", "text/event-stream".to_owned())];
        let mut events = vec![chunk(&json!({"role": "assistant"}), None)];
        events.extend(deltas(mood, text).iter().map(|delta| chunk(delta, None)));
        events.push(chunk(&json!({}), Some(finish(mood))));
        let bare = |value: Value| format!("data: {value}\n\n");
        if mood != Mood::NoUsage {
            events.push(bare(json!({"model": "mock-1", "choices": [], "usage": usage()})));
        }
        events.push("data: [DONE]\n\n".to_owned());
        let half = events.len() / 2;
        let say = |event: &String| Beat::Say(event.clone().into_bytes());
        let beats: Vec<Beat> = match mood {
            Mood::Empty => vec![say(&bare(json!({"choices": []}))), say(&"data: [DONE]\n\n".to_owned())],
            Mood::NoDone => events[..events.len() - 1].iter().map(say).collect(),
            Mood::Cut => events[..half].iter().map(say).collect(),
            Mood::Broken => events[..half].iter().map(say).chain([Beat::Break]).collect(),
            Mood::Hush => events[..half].iter().map(say).chain([Beat::Hang]).collect(),
            Mood::Inside => {
                let error = bare(json!({"error": {"message": "out of memory", "code": 500}}));
                events[..half].iter().map(say).chain([say(&error)]).collect()
            }
            Mood::Split => events.concat().bytes().map(|byte| Beat::Say(vec![byte])).collect(),
            Mood::KeepAlive => {
                events.iter().flat_map(|event| [say(&": keep-alive\n\n".to_owned()), say(event)]).collect()
            }
            Mood::Crlf => events.iter().map(|event| say(&event.replace('\n', "\r\n"))).collect(),
            _ => events.iter().map(say).collect(),
        };
        Self { status: 200, headers, beats }
    }
}

fn finish(mood: Mood) -> &'static str {
    match mood {
        Mood::Filter => "content_filter",
        Mood::Length => "length",
        Mood::Tool => "tool_calls",
        _ => "stop",
    }
}

fn usage() -> Value {
    json!({"prompt_tokens": 1200, "completion_tokens": 34, "total_tokens": 1234})
}

fn chunk(delta: &Value, finish: Option<&str>) -> String {
    let choice = json!({"index": 0, "delta": delta, "finish_reason": finish});
    let chunk =
        json!({"object": "chat.completion.chunk", "created": 1.5, "model": "mock-1", "choices": [choice]});
    format!("data: {chunk}\n\n")
}

/// What the moods put into a message beside or in place of its text.
fn special(mood: Mood, message: &mut Value, text: &str) {
    match mood {
        Mood::Tool => {
            message["content"] = Value::Null;
            message["tool_calls"] = json!([{"index": 0, "function": {"name": "click", "arguments": "{}"}}]);
        }
        Mood::Refusal => {
            message["content"] = Value::Null;
            message["refusal"] = json!("I will not push crates.");
        }
        Mood::Reasoning => message["reasoning_content"] = json!("# action\nNowhere"),
        Mood::Parts => message["content"] = json!([{"type": "text", "text": text}]),
        Mood::Huge => message["content"] = "x".repeat(6 << 20).into(),
        _ => {}
    }
}

fn deltas(mood: Mood, text: &str) -> Vec<Value> {
    let letters: Vec<char> = text.chars().collect();
    let pieces = letters.chunks(5).map(|piece| piece.iter().collect::<String>());
    match mood {
        Mood::Tool | Mood::Refusal => {
            let mut message = json!({});
            special(mood, &mut message, text);
            vec![message]
        }
        Mood::Reasoning => {
            let thoughts =
                [json!({"reasoning_content": "# action\n"}), json!({"reasoning_content": "Nowhere"})];
            thoughts.into_iter().chain(pieces.map(|piece| json!({"content": piece}))).collect()
        }
        Mood::Parts => pieces.map(|piece| json!({"content": [{"type": "text", "text": piece}]})).collect(),
        Mood::Huge => vec![json!({"content": "x".repeat(1 << 20)}); 6],
        _ => pieces.map(|piece| json!({"content": piece})).collect(),
    }
}

/// Counts an answer that nobody waits for any more.
struct Watch {
    office: Office,
    heard: bool,
}

impl Drop for Watch {
    fn drop(&mut self) {
        if !self.heard {
            self.office.look(|desk| desk.dropped += 1);
        }
    }
}

pub(super) async fn perform(answer: Answer, office: &Office) -> Response {
    let mut watch = Watch { office: office.clone(), heard: false };
    if let [Beat::Hang] = answer.beats.as_slice() {
        std::future::pending::<()>().await;
    }
    let mut response = Response::builder().status(StatusCode::from_u16(answer.status).unwrap());
    for (name, value) in &answer.headers {
        response = response.header(*name, value);
    }
    let pace = office.pace;
    let mut beats = answer.beats.into_iter().peekable();
    watch.heard = beats.peek().is_none();
    let body = unfold((beats, watch), move |(mut beats, mut watch)| async move {
        let beat = beats.next()?;
        if pace > Duration::ZERO {
            tokio::time::sleep(pace).await;
        }
        watch.heard = beats.peek().is_none() && !matches!(beat, Beat::Hang);
        match beat {
            Beat::Say(bytes) => Some((Ok(bytes), (beats, watch))),
            // What was said before must be on its way first.
            Beat::Break => {
                tokio::time::sleep(Duration::from_millis(30)).await;
                Some((Err(io::Error::other("broken on purpose")), (beats, watch)))
            }
            Beat::Hang => {
                watch.office.look(|desk| desk.hung += 1);
                std::future::pending().await
            }
        }
    });
    response.body(Body::from_stream(body)).unwrap()
}
