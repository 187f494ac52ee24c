//! The questions that an environment asks models, beside its verdicts and outcomes.

use crate::{Level, Options, SideRole};

/// An environment that asks questions: see [`Outcome::questions`](crate::Outcome::questions) and
/// [`Verdict::questions`](crate::Verdict::questions).
pub trait Questions: Send + Sync {
    /// Whether episodes of this level with these options may ask.
    fn asks(&self, level: &Level, options: &Options) -> bool;

    /// Its own prompt files in place of the shipped ones, by the role that they are for.
    fn prompts(&self) -> &'static [(SideRole, &'static str)] {
        &[]
    }
}
