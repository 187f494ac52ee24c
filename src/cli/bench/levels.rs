//! The levels that `bench` measures.

use mageyard_domain::{Level, Sample};

/// The levels to measure.
pub(super) struct BenchLevels {
    pub(super) references: Vec<String>,
    pub(super) levels: Vec<Level>,
    /// The levels that are stepped.
    pub(super) samples: Vec<Sample>,
}
