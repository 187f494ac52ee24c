//! What a person asks.

use super::changes::Aid;
use mageyard_dialog::{Keep, PartSort, Prompt};
use mageyard_lab::ModelAt;

/// What a person asks.
#[derive(Clone, Debug, Default)]
pub struct AskRequest {
    /// The step, from 1.
    pub step: u32,
    /// The prompt variants; empty for that of the step.
    pub prompts: Vec<String>,
    /// Prompts that are not saved, used instead of the saved ones of their names.
    pub drafts: Vec<Prompt>,
    /// Whether a reply of another ask is taken for a request that is the same and was sent to the same model with the same
    /// settings, so that it is not paid twice.
    pub takes_replies: bool,
    /// Values of AM; empty for that of the step.
    pub am: Vec<u16>,
    /// Values of OM; empty for that of the step.
    pub om: Vec<u16>,
    /// The models; empty for that of the step, or else of the settings.
    pub models: Vec<ModelAt>,
    /// The sorts of parts of which each is left out in turn; empty for complete requests only.
    pub leave_out: Vec<PartSort>,
    /// The views in which states are shown; empty for that of the step.
    pub views: Vec<String>,
    /// The keep rules of the memory window; empty for those of the step.
    pub keep: Vec<Keep>,
    /// Help that is added to the request: each a variant beside the one without.
    pub aids: Vec<Aid>,
    /// The kinds of questions that are asked about the state, each question a variant of its own.
    pub questions: Vec<String>,
    /// Whether only questions are asked, and no action.
    pub only_questions: bool,
    /// Whether sorts of which the request has no part are passed over, as long as it has a part of another one.
    pub leaves_out_what_is_there: bool,
    /// The calls of each variant.
    pub samples: u32,
    /// The seed of the order and of the calls.
    pub seed: u64,
    /// The question, if it is fixed.
    pub target: Option<String>,
    /// The text that each answer begins with; the models go on from there.
    pub from_text: Option<String>,
    /// The names of the settings that are taken from the configuration; all others are those of the step.
    pub given: Vec<String>,
}
