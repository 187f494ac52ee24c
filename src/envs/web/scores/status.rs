//! How a task ended, by the names of the released code and two of our own.

use mageyard_domain::Ending;

/// How a task ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TaskStatus {
    /// Every node was met.
    Finished,
    /// The agent signalled the end, and nodes are missing.
    LlmFinished,
    /// A person ended it, or the agent gave up.
    EarlyStop,
    /// A limit ended it.
    StepLimit,
    /// A page that asks for a person or refuses, such as a captcha, was met, and nodes are missing.
    Blocked,
    /// No reply could be read or used.
    Error,
}

impl TaskStatus {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Finished, Self::LlmFinished, Self::EarlyStop, Self::StepLimit, Self::Blocked, Self::Error];

    /// The name in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Finished => "finished",
            Self::LlmFinished => "llm_finished",
            Self::EarlyStop => "early_stop",
            Self::StepLimit => "step_limit",
            Self::Blocked => "blocked",
            Self::Error => "error",
        }
    }

    /// The status of this name; `limit` is that of older results.
    pub fn named(name: &str) -> Option<Self> {
        let name = if name == "limit" { Self::StepLimit.name() } else { name };
        Self::ALL.into_iter().find(|status| status.name() == name)
    }

    /// The status of an episode that ended so.
    pub fn of(is_complete: bool, blocked: bool, ending: Ending) -> Self {
        match ending {
            _ if is_complete => Self::Finished,
            _ if blocked => Self::Blocked,
            Ending::Won | Ending::Finished => Self::LlmFinished,
            Ending::Stood | Ending::Stopped | Ending::Abandoned => Self::EarlyStop,
            Ending::Unreadable | Ending::ReplyCut | Ending::Refusal => Self::Error,
            Ending::Lost
            | Ending::PlanEnded
            | Ending::StepLimit
            | Ending::TimeLimit
            | Ending::Budget
            | Ending::Repetition => Self::StepLimit,
        }
    }
}
