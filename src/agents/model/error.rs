//! Errors of a request, and whether it may be retried.

use std::time::Duration;

use serde_json::Value;

use crate::domain::AgentError;
use crate::domain::sanitize;

/// A failed request.
#[derive(Debug)]
pub(super) struct RequestError {
    /// The error to report if the request is not retried.
    pub(super) error: AgentError,
    /// Whether to retry.
    pub(super) retry: Retry,
}

/// Whether to retry a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Retry {
    /// No: it would fail again.
    Never,
    /// After an exponential delay.
    Backoff,
    /// After the delay requested by the server.
    After(Duration),
}

impl RequestError {
    /// The connection could not be established.
    pub(super) fn unreachable(why: String) -> Self {
        Self { error: AgentError::Unreachable(why), retry: Retry::Backoff }
    }

    /// The connection ended early. `received` is the amount received in words.
    pub(super) fn connection_lost(received: String, why: impl Into<String>) -> Self {
        Self { error: AgentError::ConnectionLost { received, why: why.into() }, retry: Retry::Backoff }
    }

    /// The response does not follow the protocol.
    pub(super) fn malformed(why: impl Into<String>) -> Self {
        AgentError::MalformedResponse(why.into()).into()
    }

    /// An error returned by the server.
    pub(super) fn api(status: u16, message: String, retry_after: Option<Duration>) -> Self {
        let retry = match (is_retryable(status), retry_after) {
            (false, _) => Retry::Never,
            (true, None) => Retry::Backoff,
            (true, Some(pause)) => Retry::After(pause),
        };
        Self { error: AgentError::Api { status, message }, retry }
    }
}

impl From<AgentError> for RequestError {
    fn from(error: AgentError) -> Self {
        Self { error, retry: Retry::Never }
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

/// Whether a retry may succeed.
fn is_retryable(status: u16) -> bool {
    matches!(status, 408 | 409 | 429 | 500..=599)
}

/// The message of an error body, sanitized. Servers use various fields for it.
pub(super) fn error_message(body: &str) -> String {
    let parsed: Option<Value> = serde_json::from_str(body).ok();
    let places = ["/error/message", "/error", "/detail", "/message"];
    let found =
        parsed.as_ref().and_then(|value| places.iter().find_map(|place| value.pointer(place)?.as_str()));
    match found.unwrap_or(body).trim() {
        "" => "no error message".to_owned(),
        text => truncated(text, 500),
    }
}

/// The first `most` characters of an untrusted text, sanitized.
pub(super) fn truncated(text: &str, most: usize) -> String {
    let cut = text.char_indices().nth(most).map_or(text, |(end, _)| &text[..end]);
    let dots = if cut.len() < text.len() { "…" } else { "" };
    format!("{}{dots}", sanitize(cut))
}
