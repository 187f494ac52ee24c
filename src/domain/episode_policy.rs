//! How an episode treats parse errors, repeated actions, its time limit, and the person who confirms actions.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::ReplyEnding;

/// What happens after a parse error in the last attempt of a step, in the Online setting. In the Global
/// setting a parse error of the plan always ends the episode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnUnreadable {
    /// The step passes without an action, and the episode continues (`MageBench`, agent settings).
    #[default]
    Skip,
    /// The episode ends.
    End,
}

/// What happens when the agent reaches a repetition threshold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnRepeating {
    /// The step is marked, and the episode continues.
    #[default]
    #[serde(rename = "go_on")]
    Continue,
    /// The episode ends.
    End,
    /// The action that would be equal for the last time is not carried out, and the episode ends. Only what does not depend on
    /// the effect of the action counts: [`RepetitionThresholds::same`].
    Refuse,
}

/// How many attempts a step has: the first, and the retries after a parse error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "i64", into = "u32")]
pub struct AttemptLimit(u32);

impl AttemptLimit {
    /// The largest number, which is the usual one: two retries (`MageBench`, agent settings).
    pub const MOST: Self = Self(3);

    /// One attempt.
    pub const ONE: Self = Self(1);

    /// The number, from 1.
    pub const fn count(self) -> u32 {
        self.0
    }
}

impl Default for AttemptLimit {
    fn default() -> Self {
        Self::MOST
    }
}

impl TryFrom<i64> for AttemptLimit {
    type Error = String;

    fn try_from(count: i64) -> Result<Self, String> {
        let most = Self::MOST.0;
        let within = u32::try_from(count).ok().filter(|count| (1..=most).contains(count));
        within.map(Self).ok_or_else(|| format!("{count} is out of range, allowed is 1 to {most}"))
    }
}

impl From<AttemptLimit> for u32 {
    fn from(limit: AttemptLimit) -> Self {
        limit.0
    }
}

/// When the time limit is checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TimeChecked {
    /// At any time: a request or an action that is under way ends at the limit.
    #[default]
    Always,
    /// Only before a request, before its reply is read, and before an action: what has begun ends by itself, and a reply
    /// that came too late is kept and not carried out.
    Between,
}

/// What the time limit counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TimeCounted {
    /// All of the time for which a program has the episode open, also while the environment opens, while the session is
    /// paused, and while a person decides. So it was in all episodes before there was a choice.
    #[default]
    Open,
    /// The time for which the agent is waited for, unless it is a person, and for which the environment acts.
    Play,
}

/// Whether a person confirms actions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Confirm {
    /// No action is confirmed.
    #[default]
    Never,
    /// Each action is shown to a person before it is carried out.
    Each,
}

/// What happens to episodes that ask a person where none is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WithoutPerson {
    /// Those that will ask are refused before anything starts. One that asks unexpectedly is parked.
    #[default]
    Refuse,
    /// The episode is parked at the question, and others go on.
    Park,
}

/// What happens after a reply that was truncated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnCut {
    /// What has come is read, as if it were complete (`MageBench`, released code). A code block may be open at its end.
    Read,
    /// As [`OnReplyFailure::Unreadable`].
    Unreadable,
    /// As [`OnReplyFailure::End`].
    End,
    /// As [`OnReplyFailure::Stop`].
    #[default]
    Stop,
}

impl OnCut {
    /// What happens if the reply counts as failed; `None` if it is read.
    pub fn failure(self) -> Option<OnReplyFailure> {
        match self {
            Self::Read => None,
            Self::Unreadable => Some(OnReplyFailure::Unreadable),
            Self::End => Some(OnReplyFailure::End),
            Self::Stop => Some(OnReplyFailure::Stop),
        }
    }
}

/// What happens after a reply that failed: it was refused, or truncated and is not read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnReplyFailure {
    /// It is an unreadable attempt: the agent is asked again, and after the last attempt the step has no action
    /// (`MageBench`, errors).
    Unreadable,
    /// The episode ends at the first such reply.
    End,
    /// The episode stops with an error and is not finished; when it is resumed, the agent is asked again. So were all
    /// episodes before there was a choice.
    #[default]
    Stop,
}

/// The numbers of repetitions that count as repeating (RA), for actions and for replies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RepetitionThresholds {
    /// Identical and without effect on the state, this many times in a row; at least 2.
    pub unchanged: usize,
    /// Identical, this many times in a row; at least 2.
    pub same: usize,
}

/// How an episode treats the errors of its agent. The defaults apply to journals that do not contain it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EpisodePolicy {
    /// How many attempts a step has.
    #[serde(default, skip_serializing_if = "is_default")]
    pub attempts: AttemptLimit,
    /// After a parse error in the last attempt.
    #[serde(default)]
    pub on_unreadable: OnUnreadable,
    /// At a repetition threshold.
    #[serde(default)]
    pub on_repeating: OnRepeating,
    /// After a reply that was truncated.
    #[serde(default)]
    pub on_cut: OnCut,
    /// After a reply that the model refused, that a filter stopped, that has only reasoning, or that calls a tool.
    #[serde(default)]
    pub on_refusal: OnReplyFailure,
    /// Whether an Online reply with an odd number of code fences is continued: the agent is asked once more, and both
    /// replies are read as one (`MageBench`, released code).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub continue_replies: bool,
    /// Whether the modules of the agent look at the state once more before a won Online episode ends: it is then finished if
    /// one declares that it is done, and won if not (`WebCanvas`, appendix E).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub last_look: bool,
    /// The repetition thresholds.
    #[serde(default)]
    pub thresholds: RepetitionThresholds,
    /// When the time limit is checked.
    #[serde(default, skip_serializing_if = "is_default")]
    pub time_checked: TimeChecked,
    /// What the time limit counts. Episodes without one do not have it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub time_counted: TimeCounted,
    /// Whether a person confirms actions.
    #[serde(default, skip_serializing_if = "is_default")]
    pub confirm: Confirm,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl EpisodePolicy {
    /// What happens after a reply with this ending; `None` if its text is read.
    pub fn on_failed_reply(self, ending: &ReplyEnding) -> Option<OnReplyFailure> {
        match ending {
            ending if ending.is_readable() => None,
            ReplyEnding::Cut { .. } => self.on_cut.failure(),
            _ => Some(self.on_refusal),
        }
    }
}

impl Default for RepetitionThresholds {
    fn default() -> Self {
        Self { unchanged: 5, same: 10 }
    }
}

impl fmt::Display for RepetitionThresholds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { unchanged, same } = self;
        write!(f, "{unchanged} times in a row with the state unchanged, or {same} times in a row")
    }
}
