//! What happens in a sweep now, as plain data: running episodes, failures and retries, and the limits of spending.

use std::path::PathBuf;

use crate::small_frame::SmallFrame;
use mageyard_terminal::StyleRole;

/// An episode that is being played.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunningEpisode {
    /// The index of its cell in the sweep.
    pub cell: usize,
    /// Its journal.
    pub journal: PathBuf,
    /// Its level.
    pub level: String,
    /// The number of the repeat.
    pub repeat: String,
    /// The number of the newest finished step, from 1.
    pub step: u32,
    /// The step limit.
    pub max_steps: u32,
    /// The score by now, or the sum of rewards, in words.
    pub score: String,
    /// The newest action, or why the step had none.
    pub action: String,
    /// What the agent was shown at that step.
    pub frame: SmallFrame,
}

/// What kind of an incident it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum IncidentKind {
    /// A cell failed.
    Failed,
    /// A cell is parked.
    Parked,
    /// An episode is tried again later.
    Retried,
}

impl IncidentKind {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Failed => "failed",
            Self::Parked => "parked",
            Self::Retried => "retried",
        }
    }

    pub(super) fn sign(self) -> &'static str {
        match self {
            Self::Failed => "!",
            Self::Parked => "●",
            Self::Retried => "↻",
        }
    }

    pub(super) fn role(self) -> StyleRole {
        match self {
            Self::Failed => StyleRole::StateError,
            Self::Parked => StyleRole::StatePaused,
            Self::Retried => StyleRole::Warn,
        }
    }
}

/// Failures of one class, or retries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incident {
    /// What happened.
    pub kind: IncidentKind,
    /// The class of the failure; empty of retries.
    pub class: String,
    /// The number of cells, or of retries.
    pub count: usize,
    /// The reason of the newest one.
    pub newest: String,
}

impl Incident {
    /// Counts one more in a list: with those of the same kind and class, or as a new one.
    pub fn count_in(list: &mut Vec<Self>, kind: IncidentKind, class: &str, newest: &str) {
        if let Some(known) = list.iter_mut().find(|known| known.kind == kind && known.class == class) {
            known.count += 1;
            newest.clone_into(&mut known.newest);
        } else {
            let class = class.to_owned();
            let newest = newest.to_owned();
            list.push(Self { kind, class, count: 1, newest });
        }
    }
}

/// How much of a limit of all episodes together is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LimitUse {
    /// What is limited, such as `cost`.
    pub name: String,
    /// What is used and the limit, in words: `3.20 of 10 USD`.
    pub text: String,
    /// The used share in thousandths, at most 1000.
    pub share: u16,
}
