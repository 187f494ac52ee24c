//! AES, atomic element similarity: how alike a generated page is to a target, element by element (MageBench, section
//! 3.1 and supplement C.4).
//!
//! A pure function of two snapshots: no browser, no clock, no chance. [`Rules`] chooses between the released code and
//! the paper where the two differ; `docs/webui.md` has the table.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod assignment;
mod bounds;
mod explanation;
mod matching;
mod page;
mod pair;
mod python;
mod remark;
mod result;
mod rules;
mod table;
mod target;
#[cfg(test)]
mod tests;
mod total;
mod value;
mod view;

use super::snapshot::Snapshot;

pub use explanation::{AttributePart, Explanation, PositionPart, explain};
pub use page::{LostWeight, PageScore, PageStatus, Pair};
pub use remark::Remark;
pub use result::{AesResult, Rendering};
pub use rules::{PaperRule, Rules};
pub use total::{Losses, Score, total};

/// The score of one sub-page: the annotated elements of the target against all elements of the generated page.
///
/// Annotations of the generated page are not read. The name is empty, see [`PageScore::named`].
pub fn compare(target: &Snapshot, generated: &Snapshot, rules: Rules) -> PageScore {
    compare_after(None, target, generated, rules)
}

/// The same for a sub-page after an interaction. `previous` is the target before it, which matters only for
/// [`PaperRule::SkipUnchanged`].
pub fn compare_after(
    previous: Option<&Snapshot>,
    target: &Snapshot,
    generated: &Snapshot,
    rules: Rules,
) -> PageScore {
    PageScore::new(target, previous, generated, rules)
}

/// The score of a sub-page whose interaction failed on the generated page: 0, with the weight of the target against
/// itself.
pub fn failed_interaction(previous: Option<&Snapshot>, target: &Snapshot, rules: Rules) -> PageScore {
    PageScore::new(target, previous, target, rules).failed()
}
