//! How a request is laid out for a model: settings of an experiment that do not change which steps are remembered.

use super::memory::{FeedbackMemory, History, Keep, LedgerRules, PromptImages};
use mageyard_domain::{Setting, Window};

/// What replaces a frame that is no longer in OM.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DroppedFrame {
    /// The placeholder text of the prompt, as in the paper.
    #[default]
    Placeholder,
    /// Nothing, as in the benchmark's released code.
    Omit,
}

/// What stands for an empty reply in the memory window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EmptyReply {
    /// A placeholder, because many servers refuse a turn without text.
    Placeholder,
    /// The empty text, as in the benchmark's released code and in requests of older recordings.
    #[default]
    Keep,
}

/// Whether remembered outputs contain the thoughts that were taken from them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ThoughtMemory {
    /// They do not, as with servers that separate reasoning.
    Drop,
    /// They do, exactly as they came. So were all outputs before thoughts were set apart.
    #[default]
    Keep,
}

impl EmptyReply {
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    fn is_keep(&self) -> bool {
        *self == Self::Keep
    }
}

impl ThoughtMemory {
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    fn is_keep(&self) -> bool {
        *self == Self::Keep
    }
}

/// How a request is laid out for a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct RequestLayout {
    /// Whether the model accepts a system message; if not, the system text opens the first user message.
    pub system_role: bool,
    /// What replaces a frame that is no longer in OM.
    pub dropped_frame: DroppedFrame,
    /// What stands for an empty reply.
    #[serde(default, skip_serializing_if = "EmptyReply::is_keep")]
    pub empty_reply: EmptyReply,
    /// Whether what changes at every step, such as the number of steps that are left, is at the end of the newest state
    /// and not where the prompt has it, so that requests begin alike and servers can cache their beginning.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stable_prefix: bool,
    /// Whether remembered outputs contain their thoughts. Reasoning that the server returned separately is never sent.
    #[serde(default, skip_serializing_if = "ThoughtMemory::is_keep")]
    pub thoughts: ThoughtMemory,
    /// What past outputs are in a request.
    #[serde(default, skip_serializing_if = "History::is_turns")]
    pub history: History,
    /// Which feedback on actions that were refused or failed is in a request.
    #[serde(default, skip_serializing_if = "FeedbackMemory::is_keep")]
    pub feedback: FeedbackMemory,
    /// Whether the parts of an observation that belong to the task are only in the first turn, and not in each. Older heads do
    /// not have it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub task_once: bool,
    /// Which older observations stay beside those of OM.
    #[serde(default, skip_serializing_if = "Keep::is_empty")]
    pub keep: Keep,
    /// The maximum number of images in a request of the Global setting; 0 for no limit.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub plan_images: u16,
    /// Whether a turn says that the step before it had no action, and the last action is counted in the singular. Heads of
    /// earlier versions do not have it: their requests stay as they were sent.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub exact_words: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &u16) -> bool {
    *number == 0
}

impl RequestLayout {
    /// The rules of the ledger of a request with this layout.
    pub fn ledger_rules(self, window: Window, images: PromptImages, setting: Setting) -> LedgerRules {
        let images_most = if setting == Setting::Global { self.plan_images } else { 0 };
        let Self { history, feedback, task_once, keep, .. } = self;
        LedgerRules { window, images, history, images_most, feedback, task_once, keep }
    }
}

impl Default for RequestLayout {
    fn default() -> Self {
        Self {
            exact_words: true,
            system_role: true,
            dropped_frame: DroppedFrame::Placeholder,
            empty_reply: EmptyReply::Placeholder,
            stable_prefix: false,
            thoughts: ThoughtMemory::default(),
            history: History::Turns,
            feedback: FeedbackMemory::Keep,
            task_once: false,
            keep: Keep::default(),
            plan_images: 0,
        }
    }
}
