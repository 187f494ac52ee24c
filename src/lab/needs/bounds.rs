//! Lowest and highest counts.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use schemars::JsonSchema;
use serde::Serialize;

/// The lowest and the highest number that is possible. Sums stop at the largest number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "range")]
pub struct Bounds {
    /// The lowest.
    pub lowest: u64,
    /// The highest.
    pub highest: u64,
}

impl Bounds {
    /// A number that is known.
    pub const fn exactly(count: u64) -> Self {
        Self { lowest: count, highest: count }
    }

    /// The sum.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            lowest: self.lowest.saturating_add(other.lowest),
            highest: self.highest.saturating_add(other.highest),
        }
    }

    /// So many times this.
    #[must_use]
    pub fn times(self, count: u64) -> Self {
        Self { lowest: self.lowest.saturating_mul(count), highest: self.highest.saturating_mul(count) }
    }
}
