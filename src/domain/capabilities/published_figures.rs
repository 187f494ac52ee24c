//! What was published about an environment: results, for tables beside one's own, and prompts.

use crate::{PromptImport, PublishedErrors, PublishedFigure, PublishedTable};

/// What was published about an environment.
#[derive(Clone, Copy, Debug)]
pub struct PublishedFigures {
    /// The place of its columns in the published tables, from 1.
    pub order: u8,
    /// Mean scores, each set in the order of its published table.
    pub scores: &'static [PublishedFigure],
    /// Shares of episodes with errors, in the order of the published table.
    pub errors: &'static [PublishedErrors],
    /// Tables of measures of sets of levels, in the order of the publication.
    pub tables: &'static [PublishedTable],
    /// The prompts of the program that made them, read from the user's own copy of it.
    pub prompts: Option<&'static PromptImport>,
    /// How what is shipped here differs from what was published, in a few words: levels and simulator. It stands below tables
    /// with published figures.
    pub deviations: &'static str,
}

impl PublishedFigures {
    /// Nothing was published.
    pub const NONE: Self =
        Self { order: u8::MAX, scores: &[], errors: &[], tables: &[], deviations: "", prompts: None };
}
