//! Statistics of levels, by which level sets are compared.

use super::{Level, SearchBudget};

/// The statistics of an environment's levels.
pub trait LevelStatistics: Send + Sync {
    /// The figures of a level, in the order of their fields.
    fn figures(&self) -> &'static [Figure];

    /// The groups by which levels are summarized, in order.
    fn groups(&self) -> Vec<&'static str>;

    /// Measures a level, with `plays` random episodes from this seed; `None` for a level that is not valid.
    fn measure(&self, level: &Level, plays: u32, seed: u64, budget: SearchBudget<'_>)
    -> Option<LevelFigures>;
}

/// A figure, and what is shown of it for a group of levels: the mean in any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figure {
    /// The name of its field.
    pub name: &'static str,
    /// The title of its column.
    pub title: &'static str,
    /// Which of the two tables shows it.
    pub table: FigureTable,
    /// The percentiles that the table shows. Only whole numbers have percentiles.
    pub percentiles: &'static [Percentile],
    /// Whether the maximum is shown.
    pub maximum: bool,
    /// Whether the value is a share, which is shown in percent.
    pub share: bool,
}

/// The tables of figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FigureTable {
    /// About solutions, with the number of levels.
    Solutions,
    /// About the level itself and the agents that do not think.
    Others,
}

/// A percentile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Percentile {
    /// A tenth of the levels have less.
    P10,
    /// The median.
    P50,
    /// A tenth of the levels have more.
    P90,
}

/// The figures of one level.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelFigures {
    /// Its group; `None` if it belongs to none.
    pub group: Option<&'static str>,
    /// Whether a solution was found and proven shortest.
    pub solved: bool,
    /// The value of each figure, `None` where it is unknown.
    pub values: Vec<Option<f64>>,
}
