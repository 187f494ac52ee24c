//! What the ledger of a request depends on, and why something is left out.

use serde::{Deserialize, Serialize};

use super::keep::{Keep, KeepRule};
use mageyard_domain::{Observation, Window};

/// Whether an output or a part of an observation is in the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inclusion {
    /// In the request.
    Included,
    /// In the request by a keep rule, although it is outside OM.
    Kept(KeepRule),
    /// Left out: older than the last AM outputs.
    OutsideAm,
    /// Left out: older than the last OM observations. A placeholder replaces the observation.
    OutsideOm,
    /// Left out: the prompt sends no images, so the state as text is sent instead.
    SentAsText,
    /// Left out: data whose media type is no kind of text.
    NotText,
    /// Left out: an image of the state, or its heading, and the prompt sends the images of the task only.
    StateImage,
    /// Left out: a request has at most this many images of the state. A placeholder replaces it.
    OverLimit,
    /// Left out: it belongs to the task, which the first turn of the request has.
    InFirstTurn,
    /// Left out: only the feedback on the newest action is sent.
    OldFeedback,
    /// Left out on purpose, to see what the answer is without it.
    LeftOut,
    /// The output itself is left out: the files that it wrote are in the newest observation.
    AsFiles,
    /// Data that should be in the request and cannot be loaded. Such a request must not be sent.
    Unreadable,
    /// There is none: the agent has not replied yet, the step has no reply, or the text is empty.
    Absent,
}

impl Inclusion {
    /// Whether it is in the request.
    pub fn is_included(self) -> bool {
        matches!(self, Self::Included | Self::Kept(_))
    }
}

/// What past outputs of the agent are in a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum History {
    /// The last AM outputs, as turns, each followed by a turn with its result.
    #[default]
    Turns,
    /// The last AM outputs, each with the texts of its result in the same turn. Pictures are turns of the user, and so is
    /// the newest observation if it has none (`AgentStudio`, released code).
    Code,
    /// None: the newest observation has what they wrote. The window is fixed.
    State,
}

impl History {
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    pub(crate) fn is_turns(&self) -> bool {
        *self == Self::Turns
    }

    /// Whether an output and the texts of its result are one turn.
    pub fn is_code(self) -> bool {
        self == Self::Code
    }
}

/// Which feedback on actions that were refused or failed is in a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FeedbackMemory {
    /// That on the newest action.
    Newest,
    /// That on each action whose output is remembered.
    #[default]
    Keep,
}

impl FeedbackMemory {
    /// Whether all of it is.
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    pub fn is_keep(&self) -> bool {
        *self == Self::Keep
    }
}

/// Which images a prompt sends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PromptImages {
    /// All.
    #[default]
    All,
    /// Those of the task, which every observation begins with, and not those of the state.
    Task,
    /// None: the state is sent as text.
    None,
}

/// What a ledger depends on besides the steps.
#[derive(Clone, Copy, Debug)]
pub struct LedgerRules {
    /// The memory window.
    pub window: Window,
    /// Which images the prompt sends.
    pub images: PromptImages,
    /// What past outputs are in the request.
    pub history: History,
    /// The maximum number of images of an observation; 0 for no limit.
    pub images_most: u16,
    /// Which feedback is in the request.
    pub feedback: FeedbackMemory,
    /// Whether the parts of an observation that belong to the task are only in the first turn.
    pub task_once: bool,
    /// Which older observations stay.
    pub keep: Keep,
}

/// A step as the ledger needs it.
#[derive(Clone, Copy, Debug)]
pub struct LedgerStep<'a> {
    /// The step, from 1.
    pub number: u32,
    /// What the agent is shown.
    pub observation: &'a Observation,
    /// Whether it has an output.
    pub has_output: bool,
    /// Whether the action before it was refused or failed, so that its turn begins with feedback.
    pub has_feedback: bool,
    /// Whether a module said something of its state.
    pub has_reflection: bool,
    /// Whether the action that led to it had a reward above 0.
    pub rewarded: bool,
}
