//! Whoever decides.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use serde::Deserialize;
use serde::Serialize;
use thiserror::Error;

use super::ActionSpace;
use super::DecodedTurn;
use super::Digest;
use super::Message;
use super::Observation;
use super::ReplayDifference;
use super::ReplyFormat;
use super::RequestEncoder;
use super::SentRequest;
use super::Setting;

/// What an agent is asked at a step.
#[derive(Clone, Copy)]
pub struct DecisionInput<'a> {
    /// The step this decision is for, from 1.
    pub step: u32,
    /// The attempt within the step, from 1; more than 1 after a reply that could not be read.
    pub attempt: u32,
    /// One action, or the whole list.
    pub setting: Setting,
    /// The form the reply must have.
    pub form: &'a ReplyFormat,
    /// What the agent is shown.
    pub observation: &'a Observation,
    /// What it may do.
    pub space: &'a ActionSpace,
    /// How many more steps the episode has; a longer plan is cut there.
    pub steps_left: u32,
    /// The turns of the request, for an agent that reads them.
    pub request: &'a [Message],
    /// Whom to tell of what happens meanwhile.
    pub observer: &'a dyn AgentObserver,
}

/// What an agent tells while it thinks, to whoever listens.
pub trait AgentObserver: Send + Sync {
    /// Holds what is about to be sent against the memory window; an agent that gets an error must not
    /// send. `encoded` gives the digest of a step's frame as its bytes were encoded.
    fn verify(&self, sent: &[DecodedTurn], encoded: &dyn Fn(u32) -> Option<Digest>)
    -> Result<(), AgentError>;
    /// Passes on what has happened meanwhile.
    fn notify(&self, news: AgentEvent);
}

/// Something that happened during a thought.
#[derive(Clone, Debug, PartialEq)]
pub enum AgentEvent {
    /// The request went out, exactly so.
    Sent(SentRequest),
    /// More of the reply came.
    TextReceived(String),
    /// More of the model's own reasoning came, which is shown but never read for actions.
    ReasoningReceived(String),
    /// The server said what the request took so far.
    UsageReported(Usage),
    /// The request failed and is tried again after a pause.
    RetryScheduled {
        /// What went wrong.
        why: String,
        /// The pause in milliseconds.
        milliseconds: u64,
        /// Which try comes next, from 2.
        attempt: u32,
    },
}

/// A reply of an agent, still to be read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply {
    /// What was said; the only part that is read for actions.
    pub text: String,
    /// The model's own reasoning, where the server gives it apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
    /// What it cost in tokens, where the server says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// The model that answered, as the server names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}

impl From<String> for Reply {
    fn from(text: String) -> Self {
        Self { text, ..Self::default() }
    }
}

/// Tokens of one request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens of the request.
    pub input: u64,
    /// Tokens of the reply, reasoning included.
    pub output: u64,
    /// Of the request's tokens those that the server had kept from before.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cached: u64,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands it over so")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// What an agent answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A reply, still to be read.
    Replied(Reply),
    /// The agent declares that it will do nothing more.
    GaveUp,
}

/// What to do where a filter is in the way.
const CONTENT_FILTER_HINT: &str = "another prompt may pass, or another setting of the filter";

/// Why an agent gave no answer. Never a bad score.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AgentError {
    /// A solver gave up or found the level unsolvable.
    #[error("the {agent} agent has no move: {why}")]
    NoAction {
        /// The agent's name.
        agent: &'static str,
        /// The reason.
        why: String,
    },
    /// The seat is a person's and nobody sits there.
    #[error("the person at the screen has left")]
    PersonLeft,
    /// The request that was about to be sent is not what the memory window says; it was not sent.
    #[error("{0}; nothing was sent")]
    MemoryMismatch(String),
    /// The request cannot be sent as it is: a limit of the server, or a key that fits no header.
    #[error("the request cannot be sent: {0}")]
    InvalidRequest(String),
    /// No connection to the server came about.
    #[error("the server cannot be reached: {0}")]
    Unreachable(String),
    /// The connection ended before the reply was whole.
    #[error("the reply broke off {after}: {why}; ask again, and if it goes on look into the server's log")]
    ConnectionLost {
        /// How much had come, in words: `after 3 characters`.
        after: String,
        /// Who ended it, and how.
        why: String,
    },
    /// The server said nothing for too long.
    #[error("the server said nothing for {seconds} s, the time limit (model.timeout)")]
    Timeout {
        /// The limit.
        seconds: u64,
    },
    /// The server answered with an error.
    #[error("the server refused with {status}: {message}")]
    Api {
        /// The status of HTTP.
        status: u16,
        /// What it said, shortened.
        message: String,
    },
    /// The server answered with something that is no reply in the protocol.
    #[error("the server's answer is no chat completion: {0}")]
    MalformedResponse(String),
    /// The model declined, in these words.
    #[error("the model declined: {0}")]
    Refusal(String),
    /// The server's content filter stopped the reply; it is no doing of the model.
    #[error("the server's content filter, not the model, stopped the reply {after}; {CONTENT_FILTER_HINT}")]
    ContentFiltered {
        /// How much had come, in words: `after 3 characters`.
        after: String,
    },
    /// The reply hit a limit of new tokens and is not whole.
    #[error("the reply was cut {0}")]
    LengthLimit(Cutoff),
    /// It was tried more than once, and failed.
    #[error("{last} (tried {times} times{})", if *spent { "; model.max_retries allows no more" } else { "" })]
    FailedAfterRetries {
        /// How often it was tried, at least 2.
        times: u32,
        /// Whether the number of retries is what stopped it.
        spent: bool,
        /// What went wrong the last time.
        last: Box<Self>,
    },
    /// What would be asked now is not what was asked when the recording was made; nothing was answered.
    #[error("{0}; nothing was answered")]
    ReplayMismatch(Box<ReplayDifference>),
    /// The recording holds no answer for this.
    #[error("the recording {from} has no answer for step {step}, attempt {attempt}: {last}")]
    NotRecorded {
        /// The recording.
        from: String,
        /// The step, from 1.
        step: u32,
        /// The attempt within the step, from 1.
        attempt: u32,
        /// What its last one is for, in words.
        last: String,
    },
}

/// Which limit of new tokens cut a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cutoff {
    /// The limit that was asked for, in tokens, and the name of its setting; `None` if none was.
    pub requested: Option<(&'static str, u64)>,
    /// The tokens of the reply, where the server says so.
    pub used: Option<u64>,
}

impl fmt::Display for Cutoff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let own = "the server has a limit of its own, such as the length of its context";
        match (self.requested, self.used) {
            (Some((name, most)), Some(used)) if used < most => {
                write!(f, "after {used} tokens, below {name} = {most}: {own}")
            }
            (Some((name, most)), _) => {
                write!(f, "at {most} tokens, the limit that {name} sets; a higher one lets it end")
            }
            (None, Some(used)) => write!(f, "after {used} tokens: {own}"),
            (None, None) => write!(f, "at a limit of tokens: {own}"),
        }
    }
}

/// Whoever decides: a model, a person, a policy. Dropping the future of [`Agent::decide`] is a
/// cancel and must leave the agent able to decide again.
#[async_trait]
pub trait Agent: Send {
    /// Whether it reads requests; [`DecisionInput::request`] is composed only for those that do.
    fn reads_requests(&self) -> bool {
        false
    }

    /// How it packs requests, if it sends any.
    fn request_encoder(&self) -> Option<Arc<dyn RequestEncoder>> {
        None
    }

    /// Looks, thinks, answers.
    async fn decide(&mut self, ask: DecisionInput<'_>) -> Result<Answer, AgentError>;
}
