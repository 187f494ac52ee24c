//! Parts of a request that are left out one or two at a time, to see which of them decides the answer.

use std::fmt;
use std::ops::RangeInclusive;

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
    /// What is remembered of this past step and of the next one, which is past too.
    #[serde(rename = "row_pair")]
    RowPair(u32),
    /// The states of this step and of the next one.
    #[serde(rename = "frame_pair")]
    FramePair(u32),
    /// All texts of a segment of the prompt.
    Segment(Segment),
}

impl LeftOut {
    /// The past steps of which nothing is remembered without this part.
    pub fn rows(self) -> Option<RangeInclusive<u32>> {
        match self {
            Self::Row(step) => Some(step..=step),
            Self::RowPair(step) => Some(pair(step)),
            Self::Frame(_) | Self::FramePair(_) | Self::Segment(_) => None,
        }
    }

    /// The steps of which only the state is missing without this part.
    pub fn frames(self) -> Option<RangeInclusive<u32>> {
        match self {
            Self::Frame(step) => Some(step..=step),
            Self::FramePair(step) => Some(pair(step)),
            Self::Row(_) | Self::RowPair(_) | Self::Segment(_) => None,
        }
    }

    /// Whether nothing of this past step is remembered without this part.
    pub(crate) fn has_row(self, step: u32) -> bool {
        self.rows().is_some_and(|steps| steps.contains(&step))
    }
}

fn pair(step: u32) -> RangeInclusive<u32> {
    step..=step.saturating_add(1)
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Row(step) => write!(f, "row {step}"),
            Self::Frame(step) => write!(f, "frame {step}"),
            Self::RowPair(step) => write!(f, "rows {step} and {}", step.saturating_add(1)),
            Self::FramePair(step) => write!(f, "frames {step} and {}", step.saturating_add(1)),
            Self::Segment(segment) => write!(f, "segment {segment}"),
        }
    }
}
