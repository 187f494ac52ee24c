//! The definitions below a report.

use std::collections::BTreeSet;

use mageyard_domain::RepetitionThresholds;
use mageyard_engine::Mark;
use mageyard_report::Groups;

/// The definitions of the errors with the thresholds that applied.
pub(super) fn definitions(groups: &Groups) -> Vec<String> {
    let held: BTreeSet<RepetitionThresholds> =
        groups.values().flat_map(|sum| sum.thresholds.iter().copied()).collect();
    let searched = groups.values().any(|sum| !sum.distances.is_empty());
    let line = |mark: Mark| {
        let held = if mark == Mark::RepeatedAction {
            held.iter().copied().collect()
        } else {
            vec![RepetitionThresholds::default()]
        };
        let words: Vec<String> = held.into_iter().map(|thresholds| mark.definition(thresholds)).collect();
        let differs = if words.len() > 1 { " (the episodes have different thresholds)" } else { "" };
        let rules = if mark == Mark::Dead && !searched {
            ", according to the rules alone (--distance also searches)"
        } else {
            ""
        };
        format!("{}: {}{rules}{differs}", mark.title(), words.join("; or "))
    };
    // Edits by a person are not counted here.
    let told = |mark: &Mark| match mark {
        Mark::Edited => false,
        Mark::OffPath => searched,
        Mark::RepeatedAction => !held.is_empty(),
        mark if *mark == Mark::Dropped || Mark::OF_ENVIRONMENT.contains(mark) => {
            groups.values().any(|sum| sum.marked(*mark).is_some_and(|share| share > 0.0))
        }
        _ => true,
    };
    Mark::ALL.into_iter().filter(told).map(line).collect()
}
