//! What is played on from a step.

use mageyard_lab::ModelAt;

/// What is played on from a step.
#[derive(Clone, Debug, Default)]
pub struct ContinuationRequest {
    /// The step that the branches begin with, from 1.
    pub step: u32,
    /// The prompt variants; empty for that of the step.
    pub prompts: Vec<String>,
    /// Values of AM; empty for that of the step.
    pub am: Vec<u16>,
    /// Values of OM; empty for that of the step.
    pub om: Vec<u16>,
    /// The models; empty for that of the step.
    pub models: Vec<ModelAt>,
    /// The branches of each variant.
    pub samples: u32,
    /// The seed of the order and of the agents' random choices.
    pub seed: u64,
    /// The names of the settings that are taken from the configuration; all others are those of the step.
    pub given: Vec<String>,
    /// Whether a live surface may be opened again, although its state cannot be proven.
    pub allow_unsafe: bool,
}
