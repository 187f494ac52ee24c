//! Parts of a request that are left out one at a time, to see which of them decides the answer.

use std::fmt;

use serde::{Deserialize, Serialize};

use mageyard_domain::Segment;

/// A part of a request that is left out. Nothing older takes its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LeftOut {
    /// What is remembered of this past step: its output, its state and the turn that they are in.
    Row(u32),
    /// The state of this step. What stands for a state outside OM stands for it.
    Frame(u32),
    /// All texts of a segment of the prompt.
    Segment(Segment),
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Row(step) => write!(f, "row {step}"),
            Self::Frame(step) => write!(f, "frame {step}"),
            Self::Segment(segment) => write!(f, "segment {segment}"),
        }
    }
}
