//! What a person may put in the place of what is pending, and what may not be put there.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use serde::Deserialize;
use serde::Serialize;
use thiserror::Error;

use super::step::Step;
use crate::domain::Action;
use crate::domain::Setting;

/// What a person puts in the place of what is pending.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Edit {
    /// The newest whole reply says this instead and is read again by the same rules. It stays the same
    /// attempt, and later requests carry this text.
    Reply(String),
    /// This is done instead: one action in the Online setting, the due action and the rest of the plan in the
    /// Global one. The agent's words stay as they are.
    Actions(Vec<Action>),
}

/// Where an episode stood when an edit was made, so that it never lands on anything else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EditTarget {
    /// The step under way, from 1.
    pub step: u32,
    /// How many replies it had, those that were cut short included.
    pub replies: usize,
}

/// Why an edit was refused; nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EditError {
    /// The episode has gone on.
    #[error(
        "the edit was made for reply {} of step {}, and the episode stands at reply {} of step {}: nothing was changed",
        meant.replies, meant.step, now.replies, now.step
    )]
    Stale {
        /// What it was made for.
        meant: EditTarget,
        /// Where the episode stands.
        now: EditTarget,
    },
    /// There is no reply that waits.
    #[error("no reply is pending at step {step}: {why}")]
    NoReply {
        /// The step under way.
        step: u32,
        /// Why not, and what can be done.
        why: &'static str,
    },
    /// There is no action that waits.
    #[error("no action is pending: the agent is to be asked first")]
    NoAction,
    /// It is what stands there already.
    #[error("the edit changes nothing")]
    Unchanged,
    /// An action that is not allowed now.
    #[error("{action:?} is no action here; the actions are {space}")]
    NotAllowed {
        /// The action.
        action: String,
        /// The names that are allowed.
        space: String,
    },
    /// Not as many actions as the setting takes.
    #[error("{setting} takes {wanted}, and these are {found}")]
    Count {
        /// The setting.
        setting: Setting,
        /// What it takes.
        wanted: &'static str,
        /// How many there were.
        found: usize,
    },
}

impl EditTarget {
    /// Where an episode stands whose last step is this one.
    pub fn of(step: &Step) -> Self {
        Self { step: step.number, replies: step.attempts.len() }
    }
}

impl Edit {
    /// The name of what it replaces.
    pub fn subject(&self) -> &'static str {
        match self {
            Self::Reply(_) => "reply",
            Self::Actions(_) => "action",
        }
    }
}
