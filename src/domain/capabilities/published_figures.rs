//! Published results of an environment, for tables beside one's own.

use crate::{PublishedErrors, PublishedFigure};

/// What was published about an environment.
#[derive(Clone, Copy, Debug)]
pub struct PublishedFigures {
    /// Mean scores.
    pub scores: &'static [PublishedFigure],
    /// Shares of episodes with errors.
    pub errors: &'static [PublishedErrors],
}

impl PublishedFigures {
    /// Nothing was published.
    pub const NONE: Self = Self { scores: &[], errors: &[] };
}
