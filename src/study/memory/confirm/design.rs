//! The plan of the looks: how many pairs each has, and what is significant at it.

use mageyard_statistics::{ErrorSpending, Look, sequential_looks};
use serde::{Deserialize, Serialize};

use super::args::ConfirmArgs;

/// What is fixed before the first episode, besides the levels and the windows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Design {
    /// In points, above 0.
    pub(super) margin: f64,
    pub(super) alpha: f64,
    pub(super) looks: u32,
    /// The most pairs of a candidate.
    pub(super) pairs: u32,
    pub(super) spending: ErrorSpending,
}

impl Design {
    /// The design of these arguments, with the margin in points. There are at most as many looks as pairs.
    pub(super) fn new(args: &ConfirmArgs, margin: f64) -> Self {
        let ConfirmArgs { episodes, looks, alpha, spending, .. } = args;
        Self { margin, alpha: *alpha, looks: (*looks).min(*episodes), pairs: *episodes, spending: *spending }
    }

    /// The pairs of a candidate at this look, from 1.
    pub(super) fn pairs_at(&self, look: u32) -> u32 {
        let pairs = u64::from(self.pairs) * u64::from(look);
        u32::try_from(pairs.div_ceil(u64::from(self.looks))).unwrap_or(u32::MAX)
    }

    /// The share of all pairs at this look.
    pub(super) fn share(&self, look: u32) -> f64 {
        f64::from(self.pairs_at(look)) / f64::from(self.pairs)
    }

    /// All looks of each of so many candidates that share the error.
    pub(super) fn boundaries(&self, sharing: usize) -> Vec<Look> {
        let sharing = u32::try_from(sharing.max(1)).map_or(f64::INFINITY, f64::from);
        let shares: Vec<f64> = (1..=self.looks).map(|look| self.share(look)).collect();
        sequential_looks(self.alpha / sharing, self.spending, &shares).unwrap_or_default()
    }
}

/// A design as it is kept beside the episodes, with the windows: a later one that differs was made after looking.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct StoredDesign {
    pub(super) reference: String,
    pub(super) candidates: Vec<String>,
    pub(super) margin: f64,
    pub(super) alpha: f64,
    pub(super) looks: u32,
    pub(super) pairs: u32,
    pub(super) spending: String,
}

impl StoredDesign {
    /// What differs from another one, in words; empty if they are equal.
    pub(super) fn differences(&self, other: &Self) -> Vec<String> {
        let mut found = Vec::new();
        let mut compare = |name: &str, one: String, other: String| {
            if one != other {
                found.push(format!("{name} {other}"));
            }
        };
        compare("reference", self.reference.clone(), other.reference.clone());
        compare("candidates", self.candidates.join("; "), other.candidates.join("; "));
        compare("margin", self.margin.to_string(), other.margin.to_string());
        compare("alpha", self.alpha.to_string(), other.alpha.to_string());
        compare("looks", self.looks.to_string(), other.looks.to_string());
        compare("episodes", self.pairs.to_string(), other.pairs.to_string());
        compare("spending", self.spending.clone(), other.spending.clone());
        found
    }
}
