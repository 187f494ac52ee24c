//! The events of an episode.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use std::sync::Arc;

use super::attempt::{FailedTry, PromptVersion};
use super::edit::Edit;
use super::head::Head;
use super::seat::Seat;
use super::side::SideEvent;
use mageyard_dialog::{ParseError, PersonReply, Spans};
pub use mageyard_domain::Ending;
use mageyard_domain::{
    Action, BlobRef, Judgement, Opening, Options, Outcome, Picture, Question, Reference, Reply, SentRequest,
    Settlement, Window,
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
    /// What happens with a side request.
    Side(SideEvent),
    /// A person answered the question that was open.
    Person(Box<PersonReply>),
    /// The answers to the questions about the last outcome add this to it.
    Settled(Settlement),
    /// The environment needs answers to these questions before it judges.
    Questioned(Vec<Question>),
    /// The environment has judged the episode, which is over.
    Judged(Arc<Judgement>),
    /// A person abandoned the episode.
    Abandoned,
}

impl Event {
    /// The event without the bytes of sent images, which are in the journal once it is written.
    #[must_use]
    pub fn without_image_bytes(self) -> Self {
        match self {
            Self::Sent(sent, version) => Self::Sent(Arc::new(sent.without_bytes()), version),
            Self::Side(SideEvent::Sent(sent, version)) => {
                Self::Side(SideEvent::Sent(Arc::new(sent.without_bytes()), version))
            }
            other => other,
        }
    }

    /// Whether a request that waits for its reply still waits after this event. Any other event proves that the reply
    /// was lost, as by a kill.
    pub(super) fn keeps_request_pending(&self) -> bool {
        if let Self::Side(side) = self {
            return side.keeps_request_pending();
        }
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
            Self::Side(side) => side.name(),
            Self::Person(_) => "person",
            Self::Settled(_) => "settled",
            Self::Questioned(_) => "questioned",
            Self::Judged(_) => "judged",
            Self::Abandoned => "abandoned",
        }
    }
}
