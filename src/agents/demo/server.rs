//! The server of the model: responds to requests of chat completions as a real one does, with a stream of events or one
//! body, usage, limits of rate and broken connections.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use serde_json::{Value, json};

use super::script::{Fate, Purpose, Script, ServerMood};
use super::settings::DemoSettings;
use crate::model::{InProcessServer, ResponsePart, ServerResponse};
use crate::seeded_choice::SeededChoice;

/// The longest piece of a text that is one token, in characters.
const TOKEN_CHARS: usize = 5;
/// The characters of a request that are one token on average.
const CHARS_PER_TOKEN: usize = 4;
/// The tokens of an image, and those of a turn beside its content.
const IMAGE_TOKENS: usize = 255;
const TURN_TOKENS: usize = 4;
/// The longest time to the first token, in milliseconds, and how much of it always passes.
const FIRST_TOKEN_MS: f64 = 600.0;
const LEAST_WAIT: f64 = 0.4;
/// After how many seconds a request is welcome again, where replies take their time.
const RETRY_AFTER: u64 = 1;

/// What a model says that refuses.
const REFUSAL: &str = "I'm sorry, but I can't help with that.";

/// The server for one attempt of a step.
pub(super) struct DemoServer {
    pub(super) choice: Arc<SeededChoice>,
    pub(super) settings: Arc<DemoSettings>,
    pub(super) step: u32,
    pub(super) attempt: u32,
    /// The tries of the request so far.
    pub(super) tries: AtomicU32,
    pub(super) fate: Fate,
    pub(super) text: String,
    /// The tokens in a second; 0 for no pauses.
    pub(super) pace: f64,
}

impl InProcessServer for DemoServer {
    fn respond(&self, body: &[u8]) -> ServerResponse {
        let number = self.tries.fetch_add(1, Ordering::Relaxed) + 1;
        let request: Value = serde_json::from_slice(body).unwrap_or_default();
        let script = self.script();
        match script.server_mood(number) {
            ServerMood::LimitsRate => self.rate_limit(&request),
            mood => {
                let completion = self.completion(&request, body, number);
                let is_broken = mood == ServerMood::Breaks;
                if request["stream"] == json!(true) {
                    self.stream(&completion, is_broken)
                } else {
                    self.whole(&completion, is_broken)
                }
            }
        }
    }
}

/// What is responded, before it is written as events or as one body.
struct Completion {
    id: String,
    model: Value,
    tokens: Vec<String>,
    /// Whether the tokens are a refusal.
    is_refusal: bool,
    finish_reason: &'static str,
    usage: Value,
}

impl Completion {
    /// An object with these fields, as all of this response.
    fn object(&self, kind: &str, choices: &Value, usage: &Value) -> Value {
        json!({
            "id": self.id, "object": kind, "created": 0, "model": self.model, "system_fingerprint": "fp_demo",
            "choices": choices, "usage": usage,
        })
    }

    /// The field of the text.
    fn field(&self) -> &'static str {
        if self.is_refusal { "refusal" } else { "content" }
    }

    /// An event with this part of the message.
    fn event(&self, delta: &Value, finish_reason: &Value) -> Value {
        let choices = json!([{"index": 0, "delta": delta, "finish_reason": finish_reason}]);
        self.object("chat.completion.chunk", &choices, &Value::Null)
    }
}

impl DemoServer {
    fn script(&self) -> Script<'_> {
        Script { choice: &self.choice, settings: &self.settings, step: self.step, attempt: self.attempt }
    }

    fn completion(&self, request: &Value, body: &[u8], number: u32) -> Completion {
        let is_refusal = self.fate == Fate::Refused;
        let mut tokens = tokens(if is_refusal { REFUSAL } else { &self.text });
        let all = tokens.len();
        if self.fate == Fate::Cut {
            tokens.truncate(self.cut_length(all));
        }
        let most = ["max_tokens", "max_completion_tokens"].iter().find_map(|field| request[*field].as_u64());
        tokens.truncate(most.and_then(|most| usize::try_from(most).ok()).unwrap_or(usize::MAX));
        let input = request_tokens(request);
        let output = tokens.len();
        let usage = json!({
            "prompt_tokens": input, "completion_tokens": output, "total_tokens": input + output,
        });
        Completion {
            id: self.identifier(body, number),
            model: request["model"].clone(),
            finish_reason: if tokens.len() < all { "length" } else { "stop" },
            tokens,
            is_refusal,
            usage,
        }
    }

    /// The number of tokens of a reply that is cut: within its analysis.
    fn cut_length(&self, all: usize) -> usize {
        let most = u64::try_from(all / 2).unwrap_or(u64::MAX);
        let drawn = self.choice.below(&self.script().over(Purpose::Length, 0), most);
        usize::try_from(drawn + 1).unwrap_or(1)
    }

    /// An identifier that is the same for the same request of the same attempt only.
    fn identifier(&self, body: &[u8], number: u32) -> String {
        let mut hash = blake3::Hasher::new();
        hash.update(body);
        hash.update(&self.choice.below(&self.script().over(Purpose::Server, number), u64::MAX).to_le_bytes());
        format!("chatcmpl-demo-{}", &hash.finalize().to_hex()[..20])
    }

    fn stream(&self, completion: &Completion, is_broken: bool) -> ServerResponse {
        let begin = completion.event(&json!({"role": "assistant", "content": ""}), &Value::Null);
        let mut parts = vec![event(self.first_pause(), &begin)];
        let count = if is_broken { completion.tokens.len() / 2 } else { completion.tokens.len() };
        for token in &completion.tokens[..count] {
            let delta = json!({completion.field(): token});
            parts.push(event(self.token_pause(), &completion.event(&delta, &Value::Null)));
        }
        if !is_broken {
            let end = completion.event(&json!({}), &completion.finish_reason.into());
            parts.push(event(Duration::ZERO, &end));
            let usage = completion.object("chat.completion.chunk", &json!([]), &completion.usage);
            parts.push(event(Duration::ZERO, &usage));
            let bytes = b"data: [DONE]\n\n".to_vec();
            parts.push(ResponsePart { after: Duration::ZERO, bytes });
        }
        ServerResponse { status: 200, content_type: "text/event-stream", retry_after: None, parts, is_broken }
    }

    fn whole(&self, completion: &Completion, is_broken: bool) -> ServerResponse {
        let text = completion.tokens.concat();
        let mut message = json!({"role": "assistant", "content": null});
        message[completion.field()] = text.into();
        let choices = json!([{"index": 0, "message": message, "finish_reason": completion.finish_reason}]);
        let mut bytes = completion.object("chat.completion", &choices, &completion.usage).to_string();
        if is_broken {
            bytes.truncate(20);
        }
        let tokens = u32::try_from(completion.tokens.len()).unwrap_or(u32::MAX);
        let after = self.first_pause() + self.token_pause() * tokens;
        let parts = vec![ResponsePart { after, bytes: bytes.into_bytes() }];
        ServerResponse { status: 200, content_type: "application/json", retry_after: None, parts, is_broken }
    }

    fn rate_limit(&self, request: &Value) -> ServerResponse {
        let model = request["model"].as_str().unwrap_or_default();
        let message = format!("Rate limit reached for {model}: too many requests at once.");
        let error = json!({"error": {"message": message, "type": "requests", "code": "rate_limit_exceeded"}});
        ServerResponse {
            status: 429,
            content_type: "application/json",
            retry_after: Some(if self.has_pauses() { RETRY_AFTER } else { 0 }),
            parts: vec![ResponsePart { after: Duration::ZERO, bytes: error.to_string().into_bytes() }],
            is_broken: false,
        }
    }

    fn has_pauses(&self) -> bool {
        self.pace > 0.0
    }

    fn first_pause(&self) -> Duration {
        if !self.has_pauses() {
            return Duration::ZERO;
        }
        let share = LEAST_WAIT + (1.0 - LEAST_WAIT) * self.script().fraction(Purpose::Words, 2);
        Duration::from_secs_f64(share * FIRST_TOKEN_MS / 1000.0)
    }

    fn token_pause(&self) -> Duration {
        if self.has_pauses() { Duration::from_secs_f64(1.0 / self.pace) } else { Duration::ZERO }
    }
}

fn event(after: Duration, data: &Value) -> ResponsePart {
    ResponsePart { after, bytes: format!("data: {data}\n\n").into_bytes() }
}

/// The text in pieces of the size of tokens: words with the space before them, long ones in several.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut length = 0;
    for c in text.chars() {
        let begins = length == 0 || length == TOKEN_CHARS || c.is_whitespace();
        if begins {
            tokens.push(String::new());
            length = 0;
        }
        if let Some(token) = tokens.last_mut() {
            token.push(c);
        }
        length += 1;
    }
    tokens
}

/// The tokens of a request, estimated.
fn request_tokens(request: &Value) -> usize {
    let turns = request["messages"].as_array().into_iter().flatten();
    turns.map(|turn| TURN_TOKENS + content_tokens(&turn["content"])).sum()
}

fn content_tokens(content: &Value) -> usize {
    let of_text = |text: &str| text.chars().count().div_ceil(CHARS_PER_TOKEN);
    let of_part = |part: &Value| part["text"].as_str().map_or(IMAGE_TOKENS, of_text);
    match content {
        Value::String(text) => of_text(text),
        Value::Array(parts) => parts.iter().map(of_part).sum(),
        _ => 0,
    }
}
