//! The published tables of scores, and which rows are in them.

use crate::{Condition, ENVIRONMENT, LEVEL_SET};
use mageyard_domain::PublishedFigure;

/// The class of a result without a number.
pub(super) const IFE: &str = "IFE";

/// What this class means.
pub(super) const IFE_NOTE: &str =
    "IFE: the model does not follow the instructions, a class of result without a number";

/// What stands behind the numbers of the full sets.
pub(super) const DEVIATION_NOTE: &str = "± in rows from the paper: the deviation that it states for models";

/// A published table of scores.
pub struct PublishedSet {
    /// The level set of its columns.
    pub level_set: &'static str,
    /// Where it was published.
    pub source: &'static str,
    /// Whether deviations are stated.
    pub has_deviations: bool,
}

/// The published tables.
pub const PUBLISHED_SETS: [PublishedSet; 2] = [
    PublishedSet { level_set: "mini", source: "MageBench, table 1", has_deviations: false },
    PublishedSet { level_set: "full", source: "MageBench, supplement, table 4", has_deviations: true },
];

impl PublishedSet {
    /// Whether a figure is in this table.
    pub fn has(&self, figure: &PublishedFigure) -> bool {
        figure.level_set == self.level_set && figure.window.is_none()
    }

    /// Whether one's own rows on levels of a set are in this table. Those of no published set are in the first one.
    pub fn takes(&self, set: &str) -> bool {
        let is_published = |set: &str| PUBLISHED_SETS.iter().any(|known| known.level_set == set);
        set == self.level_set || self.level_set == PUBLISHED_SETS[0].level_set && !is_published(set)
    }
}

/// The level set of a condition without its environment, as the published tables name it: `mini`. A file keeps its name.
pub(super) fn set_name(condition: &Condition) -> &str {
    let set = condition.shown(LEVEL_SET);
    let own = set.strip_prefix(condition.shown(ENVIRONMENT)).and_then(|rest| rest.strip_prefix('/'));
    own.unwrap_or(set)
}
