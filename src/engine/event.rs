//! The events of an episode.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::attempt::{FailedTry, PromptVersion};
use super::edit::Edit;
use super::head::Head;
use super::seat::Seat;
use mageyard_dialog::{ParseError, Spans};
use mageyard_domain::{
    Action, BlobRef, Opening, Options, Outcome, Picture, Reference, Reply, SentRequest, Window,
};

/// One event. An episode changes only by these.
#[derive(Clone, Debug)]
pub enum Event {
    /// The environment was opened: the first observation, and the optimum if it is known.
    Opened(Opening, Option<Reference>),
    /// A branch begins here, with these settings.
    Branched(Arc<Head>),
    /// The agent was asked.
    Asked,
    /// A request was sent to a model, with these bytes, made from this prompt version.
    Sent(Arc<SentRequest>, Arc<PromptVersion>),
    /// A try of that request failed.
    Failed(FailedTry),
    /// The request was sent again.
    Retried,
    /// The agent replied.
    Replied(Reply),
    /// The agent gave up: it declared that it will do nothing more.
    GaveUp,
    /// The request was cancelled; the partial reply is kept. The attempt does not count.
    Cancelled(Reply),
    /// The reply was read as one action.
    Accepted(Action, Spans),
    /// The reply was read as a list of actions.
    Planned(Vec<Action>, Spans),
    /// The reply could not be read.
    Refused(ParseError, Spans),
    /// The attempts are used up: the step ends without an action.
    Skipped,
    /// A person replaced what was pending.
    Edited(Edit),
    /// The environment is about to carry out this action, which cannot be repeated. A pure world has no such event.
    Acting(Action),
    /// The environment carried out the action.
    Acted(Action, Outcome),
    /// The action that had begun did not finish. Its effect is unknown.
    Interrupted,
    /// The environment was looked at: after an interrupted action, or because it came back in another state.
    Looked(Opening),
    /// The state of the environment at the current step was saved.
    Checkpointed(BlobRef),
    /// A person changed the memory window.
    WindowSet(Window),
    /// A person changed the prompt variant.
    PromptSet(String),
    /// A person or a breakpoint gave the seat to another agent.
    Seated(Arc<Seat>),
    /// A person set the hint that requests have in addition to the prompt, or removed it.
    HintSet(Option<Arc<str>>),
    /// The server is reached with these settings of the agent from the next request on, in place of those that it had. They
    /// change how requests are sent, not what they are.
    ConnectionSet(Arc<Options>),
    /// A person has the agent asked again at this step. Its replies so far are kept and do not count.
    AskedAgain,
    /// A person changed the state of the environment at this step, to the one with this text.
    StateSet(Arc<str>, Opening),
    /// A person replaced the frame that the agent is shown at this step by this image. The environment is unchanged.
    FrameSet(Arc<Picture>),
    /// The time limit was reached.
    Expired,
    /// The budget of tokens or money is used up.
    Exhausted,
    /// A person abandoned the episode.
    Abandoned,
}

impl Event {
    /// The event without the bytes of sent images, which are in the journal once it is written.
    #[must_use]
    pub fn without_image_bytes(self) -> Self {
        match self {
            Self::Sent(sent, version) => Self::Sent(Arc::new(sent.without_bytes()), version),
            other => other,
        }
    }

    /// Whether a request that waits for its reply still waits after this event. Any other event proves that the reply
    /// was lost, as by a kill.
    pub(super) fn keeps_request_pending(&self) -> bool {
        matches!(
            self,
            Self::Failed(_)
                | Self::Retried
                | Self::Replied(_)
                | Self::Cancelled(_)
                | Self::WindowSet(_)
                | Self::PromptSet(_)
                | Self::HintSet(_)
        )
    }

    /// The event's name in journals.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Opened(..) => "opened",
            Self::Branched(_) => "head",
            Self::Asked => "asked",
            Self::Sent(..) => "sent",
            Self::Failed(_) => "failed",
            Self::Retried => "retried",
            Self::Replied(_) => "replied",
            Self::PromptSet(_) => "prompted",
            Self::GaveUp => "stood",
            Self::Cancelled(_) => "cut",
            Self::Accepted(..) => "accepted",
            Self::Planned(..) => "planned",
            Self::Refused(..) => "refused",
            Self::Skipped => "passed",
            Self::Edited(_) => "edited",
            Self::Acting(_) => "acting",
            Self::Acted(..) => "acted",
            Self::Interrupted => "interrupted",
            Self::Looked(_) => "looked",
            Self::Checkpointed(_) => "checkpointed",
            Self::WindowSet(_) => "set",
            Self::Seated(_) => "seated",
            Self::HintSet(_) => "hinted",
            Self::ConnectionSet(_) => "connected",
            Self::AskedAgain => "asked_again",
            Self::StateSet(..) => "state_set",
            Self::FrameSet(_) => "frame_set",
            Self::Expired => "expired",
            Self::Exhausted => "exhausted",
            Self::Abandoned => "abandoned",
        }
    }
}

/// Why an episode is over. The first two are ends of the task (terminated); the others are limits or decisions
/// (truncated).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// The goal was reached.
    Won,
    /// The environment declared the level lost.
    Lost,
    /// The Global plan was carried out to its end.
    PlanEnded,
    /// The agent gave up: it declared that it will do nothing more.
    Stood,
    /// The step limit.
    StepLimit,
    /// The time limit.
    TimeLimit,
    /// The budget of tokens or money.
    Budget,
    /// No attempt of a step could be read, and there is no plan to carry out, or the episode's policy ends it.
    Unreadable,
    /// The repetition limit: the agent repeated itself, and the episode's policy ends it.
    Repetition,
    /// A reply was truncated, and the episode's policy ends it.
    ReplyCut,
    /// The model refused, a filter stopped its reply, or it called a tool, and the episode's policy ends it.
    Refusal,
    /// A person abandoned it.
    Abandoned,
}

impl Ending {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Won,
        Self::Lost,
        Self::PlanEnded,
        Self::Stood,
        Self::StepLimit,
        Self::TimeLimit,
        Self::Budget,
        Self::Unreadable,
        Self::Repetition,
        Self::ReplyCut,
        Self::Refusal,
        Self::Abandoned,
    ];

    /// Whether the last reply gave no action and the episode ended at that.
    pub fn is_unreadable(self) -> bool {
        matches!(self, Self::Unreadable | Self::ReplyCut | Self::Refusal)
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Won => "won",
            Self::Lost => "lost",
            Self::PlanEnded => "plan ended",
            Self::Stood => "agent gave up",
            Self::StepLimit => "step limit",
            Self::TimeLimit => "time limit",
            Self::Budget => "budget",
            Self::Unreadable => "unreadable",
            Self::Repetition => "repetition limit",
            Self::ReplyCut => "reply cut",
            Self::Refusal => "refusal",
            Self::Abandoned => "abandoned",
        })
    }
}
