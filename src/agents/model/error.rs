//! What can go wrong with a try, in words, and whether another one may help.

use std::time::Duration;

use serde_json::Value;

use crate::domain::AgentError;
use crate::domain::sanitize;

/// A try that failed.
#[derive(Debug)]
pub(super) struct RequestError {
    /// What is told when no further try helps.
    pub(super) error: AgentError,
    /// Whether to try again.
    pub(super) retry: Retry,
}

/// Whether to try again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Retry {
    /// It would fail the same way.
    Never,
    /// After a pause of our own choice.
    Backoff,
    /// After the pause that the server asks for.
    After(Duration),
}

impl RequestError {
    /// No connection came about.
    pub(super) fn unreachable(why: String) -> Self {
        Self { error: AgentError::Unreachable(why), retry: Retry::Backoff }
    }

    /// The connection ended `after` so much, for this reason.
    pub(super) fn connection_lost(after: String, why: impl Into<String>) -> Self {
        Self { error: AgentError::ConnectionLost { after, why: why.into() }, retry: Retry::Backoff }
    }

    /// The answer is none in the protocol.
    pub(super) fn malformed(why: impl Into<String>) -> Self {
        AgentError::MalformedResponse(why.into()).into()
    }

    /// An error that the server declares.
    pub(super) fn api(status: u16, message: String, asked: Option<Duration>) -> Self {
        let retry = match (is_retryable(status), asked) {
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

/// How much had come when it ended, in words.
pub(super) fn amount_received(count: usize, unit: &str) -> String {
    match count {
        0 => "before its first word".to_owned(),
        1 => format!("after 1 {unit}"),
        count => format!("after {count} {unit}s"),
    }
}

/// Whether a later try may meet another answer.
fn is_retryable(status: u16) -> bool {
    matches!(status, 408 | 409 | 429 | 500..=599)
}

/// What an error's body says, wherever servers put it, made safe to show.
pub(super) fn error_message(body: &str) -> String {
    let parsed: Option<Value> = serde_json::from_str(body).ok();
    let places = ["/error/message", "/error", "/detail", "/message"];
    let found =
        parsed.as_ref().and_then(|value| places.iter().find_map(|place| value.pointer(place)?.as_str()));
    match found.unwrap_or(body).trim() {
        "" => "it gave no reason".to_owned(),
        text => truncated(text, 500),
    }
}

/// The beginning of a text from outside, made safe to show.
pub(super) fn truncated(text: &str, most: usize) -> String {
    let cut = text.char_indices().nth(most).map_or(text, |(end, _)| &text[..end]);
    let dots = if cut.len() < text.len() { "…" } else { "" };
    format!("{}{dots}", sanitize(cut))
}
