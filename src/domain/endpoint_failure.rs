//! The classes of failures that a model server causes, whatever the episode.

use std::fmt;

use super::AgentError;

/// A failure of the server or of the connection to it. Failures of one class in several episodes have one cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EndpointFailure {
    /// No connection could be established.
    Unreachable,
    /// A certificate is not accepted, by the program or by the server.
    Certificate,
    /// The connection ended early.
    Interrupted,
    /// The server sent nothing for too long.
    Timeout,
    /// The server returned this HTTP status.
    Status(u16),
    /// The response did not follow the protocol.
    Malformed,
}

impl EndpointFailure {
    /// The class of an error; `None` for an error that concerns one request or one reply only.
    pub fn of(error: &AgentError) -> Option<Self> {
        match error {
            AgentError::Unreachable(_) => Some(Self::Unreachable),
            AgentError::Certificate(_) => Some(Self::Certificate),
            AgentError::ConnectionLost { .. } => Some(Self::Interrupted),
            AgentError::Timeout { .. } => Some(Self::Timeout),
            AgentError::Api { status, .. } => Some(Self::Status(*status)),
            AgentError::MalformedResponse(_) => Some(Self::Malformed),
            AgentError::FailedAfterRetries { last, .. } => Self::of(last),
            _ => None,
        }
    }
}

impl fmt::Display for EndpointFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreachable => f.write_str("unreachable"),
            Self::Certificate => f.write_str("certificate"),
            Self::Interrupted => f.write_str("interrupted"),
            Self::Timeout => f.write_str("timeout"),
            Self::Status(status) => write!(f, "status {status}"),
            Self::Malformed => f.write_str("malformed"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::ReplyEnding;

    #[test]
    fn retries_do_not_change_the_class_and_a_refusal_has_none() {
        let api = AgentError::Api { status: 401, message: "no key".into() };
        let tried = AgentError::FailedAfterRetries {
            attempts: 2,
            retries_exhausted: true,
            last: Box::new(api.clone()),
        };
        assert_eq!([&api, &tried].map(EndpointFailure::of), [Some(EndpointFailure::Status(401)); 2]);
        assert_eq!(EndpointFailure::of(&AgentError::ReplyFailed(ReplyEnding::Filtered)), None);
    }
}
