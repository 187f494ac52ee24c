//! The agent trait: its input, its answer, its events and its errors.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{
    ActionSpace, DecodedTurn, Digest, Message, Observation, PartId, Probe, Question, ReplayDifference,
    ReplyEnding, ReplyFormat, RequestEncoder, SentRequest, Setting, Thought, TokenOdds, duration_words,
    merge_tags, with_thoughts,
};

/// The input of one decision.
#[derive(Clone, Copy)]
pub struct DecisionInput<'a> {
    /// The step to decide, from 1.
    pub step: u32,
    /// The attempt within the step, from 1; greater than 1 after a parse error.
    pub attempt: u32,
    /// Online asks for one action, Global for the complete list.
    pub setting: Setting,
    /// The required format of the reply.
    pub form: &'a ReplyFormat,
    /// The current observation.
    pub observation: &'a Observation,
    /// The allowed actions.
    pub space: &'a ActionSpace,
    /// The number of steps left in the episode; a longer plan is truncated.
    pub steps_left: u32,
    /// The turns of the request; empty unless [`Agent::reads_requests`].
    pub request: &'a [Message],
    /// The question of a side request; `None` if the agent is to decide.
    pub question: Option<&'a Question>,
    /// The question about the state that is asked instead of an action, if one is.
    pub probe: Option<&'a Probe>,
    /// Receives events while the agent decides.
    pub observer: &'a dyn AgentObserver,
}

/// Observes a decision while it is made.
pub trait AgentObserver: Send + Sync {
    /// Compares a request with the memory window before it is sent. On an error the agent must not send it.
    /// `encoded` returns the digest of a part's encoded image.
    fn verify(
        &self,
        sent: &[&DecodedTurn],
        encoded: &dyn Fn(PartId) -> Option<Digest>,
    ) -> Result<(), AgentError>;
    /// Records that this request goes out now. The agent calls it before each try. On an error the agent must not send
    /// it.
    fn sending(&self, request: &Arc<SentRequest>) -> Result<(), AgentError>;
    /// Records that the newest try has failed. The agent calls it as soon as it knows. On an error the agent must not
    /// send anything more.
    fn failed(&self, error: &AgentError) -> Result<(), AgentError>;
    /// The number of leading turns that the request of the next step repeats, as far as that is known.
    fn stable_turns(&self) -> usize {
        0
    }
    /// Whether this text gives an action under the rules of the episode. A reply without a final mark is kept only then.
    fn gives_action(&self, _text: &str) -> bool {
        false
    }
    /// Receives an event.
    fn notify(&self, event: AgentEvent);
}

/// An event during a decision.
#[derive(Clone, Debug, PartialEq)]
pub enum AgentEvent {
    /// The next part of the reply text.
    TextReceived(String),
    /// The next part of the model's reasoning, which is displayed and never parsed for actions.
    ReasoningReceived(String),
    /// The newest part of the reply text turns out to be a thought: a closing delimiter follows it, and the opening one
    /// is missing.
    TextWasReasoning {
        /// The length of that part in bytes.
        bytes: usize,
    },
    /// Token usage reported by the server so far.
    UsageReported(Usage),
    /// What the server says about the origin of the reply, if it says anything.
    OriginReported(ReplyOrigin),
    /// The request failed and will be retried after a delay.
    RetryScheduled {
        /// The error message.
        why: String,
        /// The delay in milliseconds.
        milliseconds: u64,
        /// The number of the next try: 1 if other requests made the server ask for a pause, else from 2.
        attempt: u32,
        /// The largest number of tries; 0 if only the time of all waits is limited, as for a rate limit.
        most: u32,
    },
}

/// How a server identifies a reply and what generated it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReplyOrigin {
    /// The identifier of the response. A server that generates each reply anew gives each another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The fingerprint of the model and its configuration (`system_fingerprint`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
}

/// An unparsed reply of an agent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply {
    /// The reply text without thoughts; the only part that is parsed for actions.
    pub text: String,
    /// The model's reasoning, if the server returns it separately.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
    /// The thoughts that were taken from the text, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub thoughts: Vec<Thought>,
    /// Token usage, if the server reports it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// The name of the model as reported by the server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The fingerprint of the model and its configuration as reported by the server (`system_fingerprint`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
    /// The odds of the tokens of its text with the thoughts, if the server sends them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub token_odds: Vec<TokenOdds>,
    /// How it ended.
    #[serde(default, skip_serializing_if = "ReplyEnding::is_complete")]
    pub ending: ReplyEnding,
    /// What the agent had to repair or ignore to read the response, as sentences.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Milliseconds from the last time that its request was sent to the complete reply; for a person from the beginning of
    /// the step. The driver measures it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency_ms: Option<u32>,
}

impl Reply {
    /// The text with its thoughts, exactly as it was received.
    pub fn content(&self) -> String {
        with_thoughts(&self.text, &self.thoughts)
    }

    /// The reply for a reader with this format: thoughts whose delimiters are its tags are text.
    #[must_use]
    pub fn for_format(self, format: &ReplyFormat) -> Self {
        if self.thoughts.iter().any(|thought| thought.is_tag_of(format)) {
            let (text, thoughts) = merge_tags(&self.text, &self.thoughts, format);
            return Self { text, thoughts, ..self };
        }
        self
    }
}

impl From<String> for Reply {
    fn from(text: String) -> Self {
        Self { text, ..Self::default() }
    }
}

/// Token usage of one request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens of the request.
    pub input: u64,
    /// Tokens of the reply, reasoning included.
    pub output: u64,
    /// Tokens of the request that the server read from its cache.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cached: u64,
    /// Tokens of the request that the server wrote into its cache, if it charges for that.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cache_writes: u64,
}

/// `1200 tokens in (700 cached, 300 written into the cache), 34 out`.
impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { input, output, cached, cache_writes } = self;
        let words = match (cached, cache_writes) {
            (0, 0) => format!("{input} tokens in, {output} out"),
            (cached, 0) => format!("{input} tokens in ({cached} cached), {output} out"),
            (cached, written) => {
                format!("{input} tokens in ({cached} cached, {written} written into the cache), {output} out")
            }
        };
        f.pad(&words)
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// The answer of an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::large_enum_variant, reason = "there is one for each request, and nearly all are replies")]
pub enum Answer {
    /// An unparsed reply.
    Replied(Reply),
    /// The agent takes no further action.
    GaveUp,
}

/// Why an agent returned no answer. It never counts as a score.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AgentError {
    /// A policy found no action: the solver gave up, or the level is unsolvable.
    #[error("the {agent} agent found no action: {why}")]
    NoAction {
        /// The agent's name.
        agent: &'static str,
        /// The reason.
        why: String,
    },
    /// The human player has left.
    #[error("the human player has left the screen")]
    PersonLeft,
    /// The encoded request does not match the memory window.
    #[error("{0}; nothing was sent")]
    MemoryMismatch(String),
    /// The request could not be recorded.
    #[error("the request could not be recorded: {0}; nothing was sent")]
    NotJournaled(String),
    /// The request exceeds a limit of the server.
    #[error("the request cannot be sent: {0}")]
    InvalidRequest(String),
    /// The API key is invalid in a header.
    #[error("the request cannot be sent: {0}")]
    InvalidKey(String),
    /// The connection to the server could not be established.
    #[error("the server cannot be reached: {0}")]
    Unreachable(String),
    /// The proxy or the server cannot be used in this way: it needs a password, or has no TLS. A retry does not help.
    #[error("the server cannot be reached: {0}")]
    WrongConnection(String),
    /// The certificate of the server is not accepted, or the server does not accept ours. A retry does not help.
    #[error("the connection is not secure: {0}")]
    Certificate(String),
    /// The connection ended before the reply was complete.
    #[error(
        "the reply was interrupted {received}: {why}; retry, and if it happens again check the server's log"
    )]
    ConnectionLost {
        /// The amount received, such as `after 3 characters`.
        received: String,
        /// How the connection ended.
        why: String,
    },
    /// The server sent nothing for too long.
    #[error("the server sent nothing{} for {seconds} s (model.timeout)", if *begun { " more" } else { "" })]
    Timeout {
        /// The time limit in seconds.
        seconds: u64,
        /// Whether a part of the reply was received before.
        begun: bool,
    },
    /// The server returned an error.
    #[error("the server returned error {status}: {message}")]
    Api {
        /// The HTTP status.
        status: u16,
        /// The message of the server, truncated.
        message: String,
    },
    /// The account has no money or quota left.
    #[error("the quota of the account is used up, error {status}: {message}")]
    QuotaExhausted {
        /// The HTTP status.
        status: u16,
        /// The message of the server, truncated.
        message: String,
    },
    /// A response that had begun as a success contains an error.
    #[error("the server reported an error{} within the reply: {message}", code.map(|code| format!(" {code}")).unwrap_or_default())]
    ErrorWithinReply {
        /// The code of the error, which is like an HTTP status, if it is known.
        code: Option<u16>,
        /// The message of the server, truncated.
        message: String,
    },
    /// The server asks for a pause that is longer than a request waits.
    #[error(
        "{last}; the server asks to wait {}, and a request waits {} at most",
        duration_words(Duration::from_secs(*seconds)),
        duration_words(Duration::from_secs(*most))
    )]
    PauseTooLong {
        /// The pause that the server asks for, in seconds, rounded up.
        seconds: u64,
        /// The longest pause in seconds.
        most: u64,
        /// The error with which the server asked.
        last: Box<Self>,
    },
    /// The response does not follow the protocol.
    #[error("the response does not follow the protocol: {0}")]
    MalformedResponse(String),
    /// The reply was truncated or refused, and the episode is to stop at that.
    #[error("{0}")]
    ReplyFailed(ReplyEnding),
    /// The request failed after several tries.
    #[error("{last} (tried {attempts} times{})", ended_by.map(|name| format!("; {name} allows no more")).unwrap_or_default())]
    FailedAfterRetries {
        /// The number of tries, at least 2.
        attempts: u32,
        /// The setting that allows no further retry, if that ended them.
        ended_by: Option<&'static str>,
        /// The error of the last try.
        last: Box<Self>,
    },
    /// The request or the state differs from the recording.
    #[error("{0}; the replay stopped")]
    ReplayMismatch(Box<ReplayDifference>),
    /// The recording has no reply for this attempt.
    #[error("the recording {recording} has no reply for step {step}, attempt {attempt}: {last}")]
    NotRecorded {
        /// The path or name of the recording.
        recording: String,
        /// The step, from 1.
        step: u32,
        /// The attempt within the step, from 1.
        attempt: u32,
        /// What the recording has instead.
        last: String,
    },
}

/// The limit of output tokens that truncated a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cutoff {
    /// The name of the setting and the requested limit in tokens; `None` if no limit was requested.
    pub requested: Option<(&'static str, u64)>,
    /// The output tokens, if the server reports them.
    pub used: Option<u64>,
}

impl fmt::Display for Cutoff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let own = "the server has its own limit, such as its context length";
        match (self.requested, self.used) {
            (Some((name, most)), Some(used)) if used < most => {
                write!(f, "after {used} tokens, below {name} = {most}: {own}")
            }
            (Some((name, most)), _) => {
                write!(f, "at {most} tokens, the limit set by {name}; raise it for longer replies")
            }
            (None, Some(used)) => write!(f, "after {used} tokens: {own}"),
            (None, None) => write!(f, "at a token limit: {own}"),
        }
    }
}

/// A model, a person or a policy that decides. Dropping the future of [`Agent::decide`] cancels the
/// decision; the agent must be able to decide again afterwards.
#[async_trait]
pub trait Agent: Send {
    /// Whether the agent needs [`DecisionInput::request`].
    fn reads_requests(&self) -> bool {
        false
    }

    /// Whether it is a person, whose time is measured.
    fn is_person(&self) -> bool {
        false
    }

    /// The encoder of its requests, if it sends any.
    fn request_encoder(&self) -> Option<Arc<dyn RequestEncoder>> {
        None
    }

    /// Makes one decision.
    async fn decide(&mut self, ask: DecisionInput<'_>) -> Result<Answer, AgentError>;
}
