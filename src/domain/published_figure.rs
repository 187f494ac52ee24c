//! Figures of an environment for reports: the parts of a score that can be lost, and published scores.

use super::Setting;

/// A part of a score that can be lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loss {
    /// Its name among the facts of a state.
    pub name: &'static str,
    /// Its name in tables.
    pub label: &'static str,
}

/// A published result: a mean score, or why there is none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PublishedResult {
    /// The mean score.
    Score(f64),
    /// The model does not follow the instructions (IFE): a class of result without a number.
    InstructionError,
}

impl PublishedResult {
    /// The mean score, if there is one.
    pub const fn score(self) -> Option<f64> {
        match self {
            Self::Score(score) => Some(score),
            Self::InstructionError => None,
        }
    }
}

/// A published mean score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PublishedFigure {
    /// The model, or who else played.
    pub agent: &'static str,
    /// The level set of the publication: `mini` or `full`.
    pub level_set: &'static str,
    /// Global or Online.
    pub setting: Setting,
    /// AM and OM, where the publication compares memory windows.
    pub window: Option<(u16, u16)>,
    /// The mean score, or why there is none.
    pub result: PublishedResult,
    /// The deviation that the publication states for this column, if it states one.
    pub deviation: Option<f64>,
}

/// A published table of one measure of sets of levels.
#[derive(Clone, Copy, Debug)]
pub struct PublishedTable {
    /// The title, with where it was published.
    pub title: &'static str,
    /// The measure, by its name in [`Scoring::set_measures`](crate::Scoring::set_measures).
    pub measure: &'static str,
    /// The property that all its levels have, with its value.
    pub levels: Option<(&'static str, &'static str)>,
    /// The option that its episodes have, with its value.
    pub option: Option<(&'static str, &'static str)>,
    /// The columns.
    pub columns: &'static [PublishedColumn],
    /// The models with their values, in the order of the columns.
    pub rows: &'static [(&'static str, &'static [f64])],
}

/// A column of a published table: the levels that it is about.
#[derive(Clone, Copy, Debug)]
pub struct PublishedColumn {
    /// The title.
    pub title: &'static str,
    /// The properties that its levels have, with their values; empty for all levels.
    pub levels: &'static [(&'static str, &'static str)],
}

/// Published shares of episodes with errors, on the mini set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PublishedErrors {
    /// The model.
    pub agent: &'static str,
    /// Global or Online.
    pub setting: Setting,
    /// Percentage of episodes with an invalid action (IA).
    pub invalid: f64,
    /// Percentage of episodes with repeated actions (RA).
    pub repeated: f64,
    /// What the publication adds to the figures, if anything.
    pub remark: Option<&'static str>,
}
