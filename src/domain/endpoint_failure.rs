//! The classes of failures of requests, and what follows from each: one table for retries, runs and costs.

use std::fmt;

use super::{AgentError, RequestOutcome};

/// A failure of the server or of the connection to it. Failures of one class in several episodes have one cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EndpointFailure {
    /// No connection could be established.
    Unreachable,
    /// The proxy or the server cannot be used in this way.
    WrongConnection,
    /// A certificate is not accepted, by the program or by the server.
    Certificate,
    /// The API key cannot be sent.
    InvalidKey,
    /// The connection ended early.
    Interrupted,
    /// The server sent no part of a reply for too long.
    Silent,
    /// The server stopped for too long within a reply.
    Stalled,
    /// The server returned this HTTP status.
    Status(u16),
    /// The account has no money or quota left; the server returned this HTTP status.
    QuotaExhausted(u16),
    /// A response that had begun as a success contains an error, with this code if it is known.
    WithinReply(Option<u16>),
    /// The response did not follow the protocol.
    Malformed,
}

/// What to do after a failed request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Treatment {
    /// Every further request would fail in the same way: the run stops.
    StopRun,
    /// A retry may succeed.
    Retry,
    /// The same request would fail again; another one may succeed.
    GiveUp,
}

impl EndpointFailure {
    /// The class of an error; `None` for an error that concerns one request or one reply only.
    pub fn of(error: &AgentError) -> Option<Self> {
        Some(match error {
            AgentError::Unreachable(_) => Self::Unreachable,
            AgentError::WrongConnection(_) => Self::WrongConnection,
            AgentError::Certificate(_) => Self::Certificate,
            AgentError::InvalidKey(_) => Self::InvalidKey,
            AgentError::ConnectionLost { .. } => Self::Interrupted,
            AgentError::Timeout { begun: false, .. } => Self::Silent,
            AgentError::Timeout { begun: true, .. } => Self::Stalled,
            AgentError::Api { status, .. } => Self::Status(*status),
            AgentError::QuotaExhausted { status, .. } => Self::QuotaExhausted(*status),
            AgentError::ErrorWithinReply { code, .. } => Self::WithinReply(*code),
            AgentError::MalformedResponse(_) => Self::Malformed,
            AgentError::FailedAfterRetries { last, .. } | AgentError::PauseTooLong { last, .. } => {
                return Self::of(last);
            }
            _ => return None,
        })
    }

    /// What to do, and how the request counts: the table.
    ///
    /// The server generated nothing if it answered with a status that it gives before it starts: any of 3xx and 4xx but
    /// 408 (request timeout) and 409 (conflict), and 503 and 529 (overloaded). Other statuses, a broken connection and
    /// a timeout say nothing about what was generated.
    fn rule(self) -> (Treatment, RequestOutcome) {
        use RequestOutcome::{Failed, NotSent, Refused};
        use Treatment::{GiveUp, Retry, StopRun};
        match self {
            Self::Unreachable => (Retry, NotSent),
            Self::WrongConnection | Self::Certificate | Self::InvalidKey => (StopRun, NotSent),
            Self::Interrupted | Self::Silent => (Retry, Failed),
            Self::Stalled | Self::Malformed => (GiveUp, Failed),
            Self::QuotaExhausted(_) | Self::Status(300..=399 | 401..=404) => (StopRun, Refused),
            Self::Status(425 | 429 | 503 | 529) => (Retry, Refused),
            Self::Status(408 | 409 | 500..=599) => (Retry, Failed),
            Self::Status(400..=499) => (GiveUp, Refused),
            Self::WithinReply(Some(401..=404)) => (StopRun, Failed),
            Self::WithinReply(Some(408 | 409 | 425 | 429 | 500..=599)) => (Retry, Failed),
            Self::Status(_) | Self::WithinReply(_) => (GiveUp, Failed),
        }
    }

    /// What to do after it.
    pub fn treatment(self) -> Treatment {
        self.rule().0
    }

    /// How the request counts.
    pub fn outcome(self) -> RequestOutcome {
        self.rule().1
    }
}

impl fmt::Display for EndpointFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreachable => f.write_str("unreachable"),
            Self::WrongConnection => f.write_str("wrong connection"),
            Self::Certificate => f.write_str("certificate"),
            Self::InvalidKey => f.write_str("invalid key"),
            Self::Interrupted => f.write_str("interrupted"),
            Self::Silent => f.write_str("timeout"),
            Self::Stalled => f.write_str("stalled"),
            Self::Status(status) => write!(f, "status {status}"),
            Self::QuotaExhausted(status) => write!(f, "quota, status {status}"),
            Self::WithinReply(Some(code)) => write!(f, "error {code} within the reply"),
            Self::WithinReply(None) => f.write_str("error within the reply"),
            Self::Malformed => f.write_str("malformed"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ReplyEnding;

    #[test]
    fn retries_do_not_change_the_class_and_a_refusal_has_none() {
        let api = AgentError::Api { status: 401, message: "no key".into() };
        let tried = AgentError::FailedAfterRetries {
            attempts: 2,
            ended_by: Some("model.max_retries"),
            last: Box::new(api.clone()),
        };
        assert_eq!([&api, &tried].map(EndpointFailure::of), [Some(EndpointFailure::Status(401)); 2]);
        assert_eq!(EndpointFailure::of(&AgentError::ReplyFailed(ReplyEnding::Filtered)), None);
    }

    #[test]
    fn each_status_has_one_treatment_and_one_outcome() {
        use RequestOutcome::{Failed, Refused};
        use Treatment::{GiveUp, Retry, StopRun};
        let rows: [(&[u16], Treatment, RequestOutcome); 5] = [
            (&[301, 307, 401, 402, 403, 404], StopRun, Refused),
            (&[425, 429, 503, 529], Retry, Refused),
            (&[408, 409, 500, 502, 504, 520, 599], Retry, Failed),
            (&[400, 405, 413, 415, 422, 451], GiveUp, Refused),
            (&[100, 600], GiveUp, Failed),
        ];
        for (statuses, treatment, outcome) in rows {
            for status in statuses {
                let class = EndpointFailure::Status(*status);
                assert_eq!((class.treatment(), class.outcome()), (treatment, outcome), "{status}");
            }
        }
    }

    #[test]
    fn an_error_within_a_reply_is_retried_by_its_code_and_its_cost_is_unknown() {
        let treatment = |code| EndpointFailure::WithinReply(code).treatment();
        assert_eq!([429, 502, 529].map(|code| treatment(Some(code))), [Treatment::Retry; 3]);
        assert_eq!(
            [Some(400), None, Some(401)].map(treatment),
            [Treatment::GiveUp, Treatment::GiveUp, Treatment::StopRun]
        );
        assert_eq!(EndpointFailure::WithinReply(Some(429)).outcome(), RequestOutcome::Failed);
    }
}
