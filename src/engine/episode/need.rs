//! What an episode needs next, and which events satisfy that.

use std::sync::Arc;

use thiserror::Error;

use crate::event::{Ending, Event};
use crate::side::{Inquiry, Purpose};
use mageyard_dialog::PersonQuestion;
use mageyard_domain::Action;

/// What an episode needs next.
#[derive(Clone, Debug, PartialEq)]
pub enum Need {
    /// The environment must be opened.
    Open,
    /// The agent must be asked, for this step and attempt, both from 1.
    Decide {
        /// The step.
        step: u32,
        /// The attempt within it.
        attempt: u32,
    },
    /// This reply must be read.
    Read(Arc<str>),
    /// The attempts are used up: the step must end without an action.
    Skip,
    /// This action must be carried out.
    Act(Action),
    /// This action has begun: its outcome must be recorded, or that it was interrupted.
    Finish(Action),
    /// This question must be asked.
    Ask(Inquiry),
    /// A person must answer this question.
    Person(PersonQuestion),
    /// The questions about the last outcome are answered: the environment must settle it.
    Settle,
    /// An action was interrupted: the environment must be looked at.
    Look,
    /// The episode has ended: the environment must judge it.
    Judge(Ending),
    /// Nothing: the episode is over.
    Nothing(Ending),
}

/// An event that cannot happen now; the episode is unchanged.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the event {event:?} cannot happen now: {needed}")]
pub struct OutOfTurn {
    event: &'static str,
    needed: String,
}

impl Need {
    /// Whether it belongs to the half of a step that has begun: an outcome is settled and an episode is judged before anything
    /// else happens.
    pub(crate) fn ends_half(&self) -> bool {
        match self {
            Self::Ask(inquiry) => inquiry.purpose != Purpose::Decision,
            need => matches!(need, Self::Settle | Self::Judge(_)),
        }
    }

    /// Whether this event can happen now. Edits are checked by the episode itself.
    pub(super) fn accepts(&self, event: &Event) -> bool {
        match (self, event) {
            (Self::Open, Event::Opened(..)) | (Self::Skip, Event::Skipped) => true,
            (Self::Decide { .. }, Event::Asked | Event::Sent(..)) => true,
            (Self::Decide { .. }, Event::Replied(_) | Event::Cancelled(_) | Event::GaveUp) => true,
            (Self::Read(_), Event::Accepted(..) | Event::Planned(..) | Event::Refused(..)) => true,
            (Self::Act(due), Event::Acting(action)) => due == action,
            (Self::Act(due) | Self::Finish(due), Event::Acted(action, _)) => due == action,
            (Self::Finish(_), Event::Interrupted) => true,
            (Self::Judge(_), event) => {
                matches!(event, Event::Judged(_) | Event::Questioned(_) | Event::Abandoned)
            }
            (Self::Ask(Inquiry { purpose: Purpose::Verdict(_), .. }), event) => {
                matches!(event, Event::Judged(_) | Event::Abandoned | Event::ConnectionSet(_))
            }
            (Self::Settle, Event::Settled(_)) => true,
            (
                Self::Open | Self::Finish(_) | Self::Nothing(_) | Self::Person(PersonQuestion::Allow(_)),
                Event::Looked(_) | Event::Checkpointed(_),
            ) => false,
            (_, Event::Looked(_) | Event::Checkpointed(_)) => true,
            // It does not concern the environment.
            (need, Event::ConnectionSet(_)) => !matches!(need, Self::Nothing(_)),
            (need, event) => need.can_be_interrupted(event),
        }
    }

    /// A person or a limit can interrupt at any time before the end, but not between the begin of an action and its
    /// outcome.
    fn can_be_interrupted(&self, event: &Event) -> bool {
        let interrupts = matches!(
            event,
            Event::WindowSet(_)
                | Event::PromptSet(_)
                | Event::HintSet(_)
                | Event::Expired
                | Event::Exhausted
                | Event::Abandoned
        );
        interrupts && !matches!(self, Self::Nothing(_) | Self::Finish(_))
    }
}

impl OutOfTurn {
    pub(super) fn new(event: &Event, need: &Need) -> Self {
        Self { event: event.name(), needed: format!("the episode needs {need:?}") }
    }
}
