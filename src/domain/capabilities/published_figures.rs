//! What was published about an environment: results, for tables beside one's own, and prompts.

use crate::{PromptImport, PublishedErrors, PublishedFigure};

/// What was published about an environment.
#[derive(Clone, Copy, Debug)]
pub struct PublishedFigures {
    /// Mean scores.
    pub scores: &'static [PublishedFigure],
    /// Shares of episodes with errors.
    pub errors: &'static [PublishedErrors],
    /// The prompts of the program that made them, read from the user's own copy of it.
    pub prompts: Option<&'static PromptImport>,
}

impl PublishedFigures {
    /// Nothing was published.
    pub const NONE: Self = Self { scores: &[], errors: &[], prompts: None };
}
