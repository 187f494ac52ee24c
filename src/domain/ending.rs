//! Why an episode is over.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Why an episode is over. The first three are ends of the task (terminated); the others are limits or decisions
/// (truncated).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// The goal was reached.
    Won,
    /// The environment declared the level lost.
    Lost,
    /// The agent declared that it is done, by an action that says so.
    Finished,
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
    /// A person who was asked ended it: it is judged as after any other ending.
    Stopped,
    /// A person abandoned it.
    Abandoned,
}

impl Ending {
    /// All of them.
    pub const ALL: [Self; 14] = [
        Self::Won,
        Self::Lost,
        Self::Finished,
        Self::PlanEnded,
        Self::Stood,
        Self::StepLimit,
        Self::TimeLimit,
        Self::Budget,
        Self::Unreadable,
        Self::Repetition,
        Self::ReplyCut,
        Self::Refusal,
        Self::Stopped,
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
            Self::Finished => "finished",
            Self::PlanEnded => "plan ended",
            Self::Stood => "agent gave up",
            Self::StepLimit => "step limit",
            Self::TimeLimit => "time limit",
            Self::Budget => "budget",
            Self::Unreadable => "unreadable",
            Self::Repetition => "repetition limit",
            Self::ReplyCut => "reply cut",
            Self::Refusal => "refusal",
            Self::Stopped => "stopped by a person",
            Self::Abandoned => "abandoned",
        })
    }
}
