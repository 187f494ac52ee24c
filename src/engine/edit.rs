//! Edits: a person's replacement for the pending reply or action.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::step::Step;
use mageyard_domain::{Action, ActionError, Reply, Setting};

/// A replacement for what is pending.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Edit {
    /// Replaces the newest complete reply, which is read again by the same rules. It stays the same attempt, and later
    /// requests carry this text.
    Reply(String),
    /// Replaces the action: one action in the Online setting, the rest of the plan in the Global one. The agent's
    /// reply stays unchanged.
    Actions(Vec<Action>),
    /// Gives the step a reply that was made elsewhere, such as one of an ask. It is an attempt of its own, and replies before
    /// it that were not refused no longer count.
    Picked(Box<PickedReply>),
}

/// A reply that a person picked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PickedReply {
    /// The reply.
    pub reply: Reply,
    /// Where it comes from, such as `ask 88f18db35a6c9a08, variant 2, sample 1`.
    pub from: String,
}

/// What an edit was made for, so that it is never applied to anything else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EditTarget {
    /// The current step, from 1.
    pub step: u32,
    /// How many replies the step had, cancelled ones included.
    pub replies: usize,
}

/// Why an edit was refused; nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EditError {
    /// The episode has moved on.
    #[error(
        "the edit was made for reply {} of step {}, but the episode is at reply {} of step {}: nothing was changed",
        meant.replies, meant.step, now.replies, now.step
    )]
    Stale {
        /// What it was made for.
        meant: EditTarget,
        /// What is current now.
        now: EditTarget,
    },
    /// No reply is pending.
    #[error("no reply is pending at step {step}: {why}")]
    NoReply {
        /// The current step.
        step: u32,
        /// Why not, and what can be done.
        why: &'static str,
    },
    /// No action is pending.
    #[error("no action is pending: ask the agent first")]
    NoAction,
    /// It is equal to what is pending.
    #[error("the edit changes nothing")]
    Unchanged,
    /// An action that is not allowed now.
    #[error(transparent)]
    NotAllowed(#[from] ActionError),
    /// The wrong number of actions for the setting.
    #[error("{setting} takes {wanted}, not {found}")]
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
    /// The target of an edit made at this step.
    pub fn of(step: &Step) -> Self {
        Self { step: step.number, replies: step.attempts.len() }
    }
}

impl Edit {
    /// What it replaces: `reply` or `action`.
    pub fn subject(&self) -> &'static str {
        match self {
            Self::Reply(_) => "reply",
            Self::Actions(_) => "action",
            Self::Picked(_) => "picked reply",
        }
    }
}
