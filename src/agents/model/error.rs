//! Errors of a request. What follows from an error is in the table of [`EndpointFailure`].

use std::time::Duration;

use super::access::Credentials;
use super::html::page_words;
use mageyard_domain::{AgentError, EndpointFailure, Treatment, sanitize};

/// A failed request.
#[derive(Debug)]
pub(super) struct RequestError {
    /// The error to report if the request is not retried.
    pub(super) error: AgentError,
    /// The pause that the server asks for before a retry.
    pub(super) pause: Option<Duration>,
    /// Everything that the server said within a reply, for the advice.
    pub(super) said: Option<String>,
}

impl RequestError {
    /// The connection ended early. `received` is the amount received in words.
    pub(super) fn connection_lost(received: String, why: impl Into<String>) -> Self {
        AgentError::ConnectionLost { received, why: why.into() }.into()
    }

    /// The response does not follow the protocol.
    pub(super) fn malformed(why: impl Into<String>) -> Self {
        AgentError::MalformedResponse(why.into()).into()
    }

    /// The response is not JSON.
    pub(super) fn not_json(text: &str, error: &serde_json::Error) -> Self {
        if let Some(words) = page_words(text) {
            let words = truncated(&words, 300);
            return Self::malformed(format!(
                "it is an HTML page: {words}; check model.base_url, which ends in /v1 for most servers"
            ));
        }
        Self::malformed(match truncated(text.trim(), 120).as_str() {
            "" => "it is empty".to_owned(),
            begins => format!("it is not JSON ({error}); it begins with {begins:?}"),
        })
    }

    /// An error returned by the server, which may ask for a pause.
    pub(super) fn api(status: u16, message: String, pause: Option<Duration>) -> Self {
        Self { pause, ..AgentError::Api { status, message }.into() }
    }

    /// Whether a retry may succeed.
    pub(super) fn is_retryable(&self) -> bool {
        EndpointFailure::of(&self.error).is_some_and(|class| class.treatment() == Treatment::Retry)
    }
}

impl RequestError {
    /// The error without the secrets that its text may have from the server.
    pub(super) fn redacted(mut self, credentials: &Credentials) -> Self {
        match &mut self.error {
            AgentError::Unreachable(text)
            | AgentError::Certificate(text)
            | AgentError::WrongConnection(text)
            | AgentError::ConnectionLost { why: text, .. } => {
                *text = credentials.redact(std::mem::take(text));
            }
            _ => {}
        }
        self
    }
}

impl From<AgentError> for RequestError {
    fn from(error: AgentError) -> Self {
        Self { error, pause: None, said: None }
    }
}

/// An amount in words, such as `after 3 characters`.
pub(super) fn amount_received(count: usize, unit: &str) -> String {
    match count {
        0 => "before its first character".to_owned(),
        1 => format!("after 1 {unit}"),
        count => format!("after {count} {unit}s"),
    }
}

/// The first `most` characters of an untrusted text, sanitized.
pub(super) fn truncated(text: &str, most: usize) -> String {
    let cut = text.char_indices().nth(most).map_or(text, |(end, _)| &text[..end]);
    let dots = if cut.len() < text.len() { "…" } else { "" };
    format!("{}{dots}", sanitize(cut))
}
