//! What can happen to an episode.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use std::fmt;
use std::sync::Arc;

use serde::Deserialize;
use serde::Serialize;

use super::edit::Edit;
use super::step::PromptVersion;
use crate::dialog::ParseError;
use crate::dialog::Spans;
use crate::domain::Action;
use crate::domain::Opening;
use crate::domain::Outcome;
use crate::domain::Reference;
use crate::domain::Reply;
use crate::domain::SentRequest;
use crate::domain::Window;

/// One thing that happened. An episode changes by these and by nothing else.
#[derive(Clone, Debug)]
pub enum Event {
    /// The environment showed its first observation; the best that can be reached, where it is known.
    Opened(Opening, Option<Reference>),
    /// The agent was asked.
    Asked,
    /// The request went out to a model, exactly so, by this prompt variant.
    Sent(Arc<SentRequest>, PromptVersion),
    /// The agent replied.
    Replied(Reply),
    /// The agent declared that it will do nothing more.
    GaveUp,
    /// The request was cancelled; what had come so far is kept. The attempt does not count.
    Cancelled(Reply),
    /// The reply was read as one action.
    Accepted(Action, Spans),
    /// The reply was read as a list of actions.
    Planned(Vec<Action>, Spans),
    /// The reply could not be read.
    Refused(ParseError, Spans),
    /// The attempts are used up: the step ends without an action.
    Skipped,
    /// A person put something else in the place of what was pending.
    Edited(Edit),
    /// The environment carried out the action.
    Acted(Action, Outcome),
    /// A person changed the memory window.
    WindowSet(Window),
    /// A person changed the prompt variant.
    PromptSet(String),
    /// The time limit was reached.
    Expired,
    /// The budget of tokens or money is used up.
    Exhausted,
    /// A person gave the episode up.
    Abandoned,
}

impl Event {
    /// The event's name, as journals spell it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Opened(..) => "opened",
            Self::Asked => "asked",
            Self::Sent(..) => "sent",
            Self::Replied(_) => "replied",
            Self::PromptSet(_) => "prompted",
            Self::GaveUp => "stood",
            Self::Cancelled(_) => "cut",
            Self::Accepted(..) => "accepted",
            Self::Planned(..) => "planned",
            Self::Refused(..) => "refused",
            Self::Skipped => "passed",
            Self::Edited(_) => "edited",
            Self::Acted(..) => "acted",
            Self::WindowSet(_) => "set",
            Self::Expired => "expired",
            Self::Exhausted => "exhausted",
            Self::Abandoned => "abandoned",
        }
    }
}

/// Why an episode is over. The first two are the task's end (terminated), the rest our patience
/// or somebody's decision (truncated).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// The goal was reached.
    Won,
    /// The environment declared the goal out of reach.
    Lost,
    /// The Global plan was carried out to its end.
    PlanEnded,
    /// The agent declared that it will do nothing more.
    Stood,
    /// The step limit.
    StepLimit,
    /// The time limit.
    TimeLimit,
    /// The budget of tokens or money.
    Budget,
    /// A step's replies could not be read in any attempt: there is nothing to carry out, or it ends here by
    /// the episode's own rule.
    Unreadable,
    /// The repetition limit: the agent repeated itself, and the episode ends there by its own rule.
    Repetition,
    /// A person gave it up.
    Abandoned,
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Won => "won",
            Self::Lost => "lost",
            Self::PlanEnded => "plan ended",
            Self::Stood => "agent stood",
            Self::StepLimit => "step limit",
            Self::TimeLimit => "time limit",
            Self::Budget => "budget",
            Self::Unreadable => "unreadable",
            Self::Repetition => "repetition limit",
            Self::Abandoned => "abandoned",
        })
    }
}
