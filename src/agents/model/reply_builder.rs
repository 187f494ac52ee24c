//! Builds a reply from the chunks of a stream or from one body. Irrelevant fields are not validated.

use serde_json::Value;

use super::error::RequestError;
use super::error::amount_received;
use super::error::error_message;
use super::error::truncated;
use super::key::ApiKey;
use super::key::StreamRedactor;
use crate::domain::AgentError;
use crate::domain::AgentEvent;
use crate::domain::AgentObserver;
use crate::domain::Cutoff;
use crate::domain::Reply;
use crate::domain::Usage;

/// The maximum size of text and reasoning of a reply.
pub(super) const MAX_REPLY_BYTES: usize = 4 << 20;
/// The reason for a stream that ended early without a network error.
pub(super) const CONNECTION_CLOSED: &str = "the server closed the connection";

/// The part of a reply received so far.
pub(super) struct ReplyBuilder {
    text: String,
    text_redactor: StreamRedactor,
    reasoning: String,
    reasoning_redactor: StreamRedactor,
    refusal: String,
    tool_call: Option<String>,
    finish_reason: Option<String>,
    usage: Option<Usage>,
    model: Option<String>,
    has_choice: bool,
    /// Whether the server has finished the reply.
    pub(super) done: bool,
}

impl ReplyBuilder {
    /// `whole` is set for a response that is not streamed, which needs no end marker.
    pub(super) fn new(key: &ApiKey, whole: bool) -> Self {
        Self {
            text: String::new(),
            text_redactor: key.stream_redactor(),
            reasoning: String::new(),
            reasoning_redactor: key.stream_redactor(),
            refusal: String::new(),
            tool_call: None,
            finish_reason: None,
            usage: None,
            model: None,
            has_choice: false,
            done: whole,
        }
    }

    /// Adds a chunk of a stream, or a complete body, and notifies the observer.
    pub(super) fn add_chunk(
        &mut self,
        chunk: &Value,
        observer: &dyn AgentObserver,
    ) -> Result<(), RequestError> {
        if let Some(error) = chunk.get("error").filter(|error| !error.is_null()) {
            return Err(api_error(chunk, error));
        }
        if let Some(usage) = parse_usage(chunk) {
            self.usage = Some(usage);
            observer.notify(AgentEvent::UsageReported(usage));
        }
        if let Some(model) = chunk["model"].as_str() {
            self.model = Some(truncated(model, 200));
        }
        let choice = chunk["choices"].as_array().and_then(|choices| choices.first());
        match choice {
            Some(choice) => self.add_choice(choice, observer),
            None => Ok(()),
        }
    }

    fn add_choice(&mut self, choice: &Value, observer: &dyn AgentObserver) -> Result<(), RequestError> {
        self.has_choice = true;
        let part = choice.get("delta").or_else(|| choice.get("message")).unwrap_or(&Value::Null);
        let reasoning = [&part["reasoning_content"], &part["reasoning"]].into_iter().find_map(Value::as_str);
        let text = content_text(&part["content"]);
        if self.text.len() + self.reasoning.len() + text.len() + reasoning.map_or(0, str::len)
            > MAX_REPLY_BYTES
        {
            let most = MAX_REPLY_BYTES >> 20;
            return Err(RequestError::malformed(format!("it is longer than {most} MiB, the maximum")));
        }
        let reasoning = self.reasoning_redactor.redact(reasoning.unwrap_or_default());
        let text = self.text_redactor.redact(&text);
        self.append(&text, &reasoning, observer);
        self.refusal.push_str(part["refusal"].as_str().unwrap_or_default());
        self.tool_call = self.tool_call.take().or_else(|| tool_call_name(part));
        self.finish_reason =
            choice["finish_reason"].as_str().map(str::to_owned).or(self.finish_reason.take());
        Ok(())
    }

    /// Ends the reply: adds the text held back by the redactors.
    pub(super) fn flush(&mut self, observer: &dyn AgentObserver) {
        let (text, reasoning) = (self.text_redactor.finish(), self.reasoning_redactor.finish());
        self.append(&text, &reasoning, observer);
    }

    fn append(&mut self, text: &str, reasoning: &str, observer: &dyn AgentObserver) {
        if !reasoning.is_empty() {
            self.reasoning.push_str(reasoning);
            observer.notify(AgentEvent::ReasoningReceived(reasoning.to_owned()));
        }
        if !text.is_empty() {
            self.text.push_str(text);
            observer.notify(AgentEvent::TextReceived(text.to_owned()));
        }
    }

    /// The complete reply, or an error. `limit` is the requested limit of output tokens and the name of its
    /// setting.
    pub(super) fn finish(self, limit: Option<(&'static str, u64)>) -> Result<Reply, RequestError> {
        if let Some(tool) = &self.tool_call {
            let what = format!("the model called the tool {tool:?}, but no tools were offered");
            return Err(RequestError::malformed(what));
        }
        if !self.refusal.is_empty() {
            return Err(AgentError::Refusal(truncated(&self.refusal, 500)).into());
        }
        match self.finish_reason.as_deref() {
            Some("content_filter") => Err(AgentError::ContentFiltered { received: self.received() }.into()),
            Some("length") => {
                Err(AgentError::LengthLimit(Cutoff { requested: limit, used: self.output_tokens() }).into())
            }
            Some(reason @ ("abort" | "error")) => Err(RequestError::malformed(format!(
                "the server aborted the reply (finish_reason {reason:?})"
            ))),
            None if !self.done => Err(RequestError::connection_lost(self.received(), CONNECTION_CLOSED)),
            _ if !self.has_choice => Err(RequestError::malformed("it has no choices")),
            _ => Ok(self.into_reply()),
        }
    }

    fn output_tokens(&self) -> Option<u64> {
        self.usage.map(|usage| usage.output).filter(|&used| used > 0)
    }

    /// The amount received in words, such as `after 3 characters`.
    pub(super) fn received(&self) -> String {
        let characters = |text: &str| amount_received(text.chars().count(), "character");
        match (self.text.as_str(), self.reasoning.as_str()) {
            ("", reasoning) if !reasoning.is_empty() => format!("{} of reasoning", characters(reasoning)),
            (text, _) => characters(text),
        }
    }

    fn into_reply(self) -> Reply {
        let reasoning = Some(self.reasoning).filter(|text| !text.is_empty());
        Reply { text: self.text, reasoning, usage: self.usage, model: self.model }
    }
}

/// An error within a successful response: in the body, or in an event of a stream.
fn api_error(chunk: &Value, error: &Value) -> RequestError {
    let code = ["code", "status"].iter().find_map(|name| match &error[*name] {
        Value::String(text) => text.parse().ok(),
        number => number.as_u64(),
    });
    let status = code.and_then(|code| u16::try_from(code).ok()).filter(|code| (400..600).contains(code));
    RequestError::api(status.unwrap_or(200), error_message(&chunk.to_string()), None)
}

/// The text of a content field: a string, or a list of parts as some servers send it.
fn content_text(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect(),
        _ => String::new(),
    }
}

fn tool_call_name(part: &Value) -> Option<String> {
    let call = part["tool_calls"].as_array().and_then(|calls| calls.first()).map(|call| &call["function"]);
    let call = call.or_else(|| part.get("function_call").filter(|call| call.is_object()))?;
    Some(truncated(call["name"].as_str().unwrap_or("?"), 60))
}

fn parse_usage(chunk: &Value) -> Option<Usage> {
    let usage = chunk.get("usage").filter(|usage| usage.is_object())?;
    let cached = usage.pointer("/prompt_tokens_details/cached_tokens").and_then(Value::as_u64);
    Some(Usage {
        input: usage["prompt_tokens"].as_u64()?,
        output: usage["completion_tokens"].as_u64()?,
        cached: cached.unwrap_or_default(),
    })
}
