//! Builds a reply from the chunks of a stream or from one body. Irrelevant fields are not validated.

use serde_json::Value;

use super::access::Credentials;
use super::access::StreamRedactor;
use super::error::RequestError;
use super::error::amount_received;
use super::error::truncated;
use super::error_body::error_code;
use super::error_body::error_message;
use super::error_body::is_quota_error;
use super::finish_reason::FinishReason;
use crate::domain::AgentError;
use crate::domain::AgentEvent;
use crate::domain::AgentObserver;
use crate::domain::Cutoff;
use crate::domain::Reply;
use crate::domain::ReplyEnding;
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
    pub(super) fn new(credentials: &Credentials, whole: bool) -> Self {
        Self {
            text: String::new(),
            text_redactor: credentials.stream_redactor(),
            reasoning: String::new(),
            reasoning_redactor: credentials.stream_redactor(),
            refusal: String::new(),
            tool_call: None,
            finish_reason: None,
            usage: None,
            model: None,
            has_choice: false,
            done: whole,
        }
    }

    /// Marks that the server has begun to reply.
    pub(super) fn begin(&mut self) {
        self.has_choice = true;
    }

    /// Whether neither text nor reasoning nor a refusal was received.
    pub(super) fn is_empty(&self) -> bool {
        self.text_redactor.is_empty()
            && self.reasoning_redactor.is_empty()
            && [&self.text, &self.reasoning, &self.refusal].into_iter().all(String::is_empty)
    }

    /// The number of tokens reported so far.
    pub(super) fn usage(&self) -> Option<Usage> {
        self.usage
    }

    /// Adds the number of tokens, and notifies the observer.
    pub(super) fn add_usage(&mut self, usage: Usage, observer: &dyn AgentObserver) {
        self.usage = Some(usage);
        observer.notify(AgentEvent::UsageReported(usage));
    }

    /// Sets the name of the model that replies.
    pub(super) fn set_model(&mut self, model: &str) {
        self.model = Some(truncated(model, 200));
    }

    /// Adds text and reasoning, and notifies the observer.
    pub(super) fn add_text(
        &mut self,
        text: &str,
        reasoning: &str,
        observer: &dyn AgentObserver,
    ) -> Result<(), RequestError> {
        if self.text.len() + self.reasoning.len() + text.len() + reasoning.len() > MAX_REPLY_BYTES {
            let most = MAX_REPLY_BYTES >> 20;
            return Err(RequestError::malformed(format!("it is longer than {most} MiB, the maximum")));
        }
        let (text, reasoning) = (self.text_redactor.redact(text), self.reasoning_redactor.redact(reasoning));
        self.append(&text, &reasoning, observer);
        Ok(())
    }

    /// Adds a part of a refusal.
    pub(super) fn add_refusal(&mut self, refusal: &str) {
        self.refusal.push_str(refusal);
    }

    /// Sets the tool that the model calls; only the first one is kept.
    pub(super) fn set_tool_call(&mut self, name: &str) {
        self.tool_call.get_or_insert_with(|| truncated(name, 60));
    }

    /// Sets the reason for which the reply ends.
    pub(super) fn set_finish_reason(&mut self, reason: &str) {
        self.finish_reason = Some(reason.to_owned());
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
        match self.finish_reason.as_deref() {
            Some(reason @ ("abort" | "error")) => Err(RequestError::malformed(format!(
                "the server aborted the reply (finish_reason {reason:?})"
            ))),
            None if !self.done => Err(RequestError::connection_lost(self.received(), CONNECTION_CLOSED)),
            _ if !self.has_choice => Err(RequestError::malformed("it has no choices")),
            reason => {
                let ending = self.ending(reason, limit);
                Ok(self.into_reply(ending))
            }
        }
    }

    /// How the reply ended: by what it contains, else by the reason that the server names.
    fn ending(&self, reason: Option<&str>, limit: Option<(&'static str, u64)>) -> ReplyEnding {
        if let Some(name) = self.tool_call.clone() {
            return ReplyEnding::ToolCall { name };
        }
        if !self.refusal.is_empty() {
            return ReplyEnding::Refused { message: truncated(&self.refusal, 500) };
        }
        let used = self.output_tokens();
        match FinishReason::parse(reason.unwrap_or_default()) {
            FinishReason::Complete => ReplyEnding::Complete,
            FinishReason::Length => ReplyEnding::Cut { why: Cutoff { requested: limit, used }.to_string() },
            FinishReason::Filter => ReplyEnding::Filtered,
            FinishReason::Refusal => ReplyEnding::Refused { message: String::new() },
            FinishReason::Unknown(reason) => ReplyEnding::Unknown { reason: truncated(reason, 60) },
        }
    }

    fn output_tokens(&self) -> Option<u64> {
        self.usage.map(|usage| usage.output).filter(|&used| used > 0)
    }

    /// Whether a part of the reply was received.
    pub(super) fn has_begun(&self) -> bool {
        !self.text.is_empty() || !self.reasoning.is_empty()
    }

    /// The amount received in words, such as `after 3 characters`.
    pub(super) fn received(&self) -> String {
        let characters = |text: &str| amount_received(text.chars().count(), "character");
        match (self.text.as_str(), self.reasoning.as_str()) {
            ("", reasoning) if !reasoning.is_empty() => format!("{} of reasoning", characters(reasoning)),
            (text, _) => characters(text),
        }
    }

    fn into_reply(self, ending: ReplyEnding) -> Reply {
        let reasoning = Some(self.reasoning).filter(|text| !text.is_empty());
        let Self { text, usage, model, .. } = self;
        Reply { text, reasoning, usage, model, ending, ..Reply::default() }
    }
}

/// An error within a successful response: in the body, or in an event of a stream.
pub(super) fn api_error(chunk: &Value, error: &Value) -> RequestError {
    let (body, code) = (chunk.to_string(), error_code(error));
    let message = error_message(&body);
    let status = code.unwrap_or(200);
    if is_quota_error(status, &body) {
        return AgentError::QuotaExhausted { status, message }.into();
    }
    AgentError::ErrorWithinReply { code, message }.into()
}
