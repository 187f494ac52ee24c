//! What the paired differences say together, in a sentence for each reference, and which row is probably the best.

use super::ReportTables;
use crate::document::Section;
use crate::{AM, Comparison, Condition, OM};
use mageyard_statistics::{BEST_DRAWS, Correction, LevelsNeeded, Verdict};

/// The most rows that a sentence names.
const MOST_NAMED: usize = 4;

/// What is below the sentences.
const NEEDED_NOTE: &str = "levels that are needed: with the repeats of now and the pairs that vary most, a true difference is found with a probability of 0.8 by a two-sided test at the level 0.05, without a correction";

impl ReportTables<'_> {
    /// The sentences of all references.
    pub(super) fn findings(&self) -> Vec<String> {
        self.comparisons.iter().map(|found| self.finding(found)).collect()
    }

    /// How p values are corrected and how levels are counted; nothing if nothing is compared.
    pub fn finding_notes(&self) -> Vec<String> {
        let Some(found) = self.comparisons.first() else { return Vec::new() };
        vec![format!("\"beyond noise\": {}", corrected_by(found.correction)), NEEDED_NOTE.to_owned()]
    }

    /// The sentences of the references with which these groups are compared.
    pub fn findings_of<'c>(&self, groups: impl Iterator<Item = &'c Condition>) -> Vec<String> {
        let groups: Vec<&Condition> = groups.collect();
        let has = |found: &&Comparison| found.rows.iter().any(|row| groups.contains(&&row.condition));
        self.comparisons.iter().filter(has).map(|found| self.finding(found)).collect()
    }

    /// `no cell differs from AM 5, OM 1 beyond noise; 42 levels are needed to see 5 points`.
    pub fn finding(&self, found: &Comparison) -> String {
        let few = found.count(Verdict::TooFew);
        let few = match (few, found.rows.len()) {
            (0, _) => String::new(),
            (few, all) => format!("; {few} of {all} {} too few pairs", if few == 1 { "has" } else { "have" }),
        };
        format!("{}{few}; {}", self.what_differs(found), needed(found))
    }

    fn what_differs(&self, found: &Comparison) -> String {
        let reference = self.reference_name(found);
        let different: Vec<String> = found
            .rows
            .iter()
            .filter(|row| row.verdict == Verdict::Different)
            .map(|row| {
                let name = changed(&row.condition, &found.reference);
                format!("{name} by {:+.2}", row.mean.unwrap_or_default())
            })
            .collect();
        match different.len() {
            0 => format!("no cell differs from {reference} beyond noise"),
            count => {
                let differ = if count == 1 { "differs" } else { "differ" };
                let more = if count > MOST_NAMED { ", …" } else { "" };
                let named = different.iter().take(MOST_NAMED).cloned().collect::<Vec<_>>().join(", ");
                let all = found.rows.len();
                format!("{count} of {all} {differ} from {reference} beyond noise: {named}{more}")
            }
        }
    }

    /// The window of a reference that differs from all others in it only, if there is one reference; else its name.
    fn reference_name(&self, found: &Comparison) -> String {
        if self.comparisons.len() == 1 && found.differs_only_in(&[AM, OM]) {
            return window(&found.reference);
        }
        self.name_of(&found.reference)
    }

    /// How probable it is for each row that it is the best of those that are compared; nothing if nothing is.
    pub(super) fn best(&self) -> Option<Section> {
        let titles = ["probability of being best", "among", "common levels"];
        let table = self.table(&titles, |_, stats| {
            let best = stats.results.best?;
            Some(vec![best_text(best.share), format!("{} cells", best.cells), best.levels.to_string()])
        });
        let note = format!(
            "the share of {BEST_DRAWS} draws of levels, the same ones for all cells, in which the cell has the highest mean score; cells with equal means share a draw. It is computed with a fixed seed, and repeats are not drawn. With few levels it is too certain"
        );
        Section::table("Probability of being best", false, table)
            .map(|section| section.with_notes(vec![note]))
    }
}

/// `97.1 %`.
pub(super) fn best_text(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// How p values are corrected, in words.
pub(super) fn corrected_by(correction: Correction) -> &'static str {
    match correction {
        Correction::Holm => "p corrected by Holm for all comparisons is below 0.05",
        Correction::None => {
            "p is below 0.05, not corrected: of 20 equal cells one is expected to differ by chance"
        }
    }
}

fn needed(found: &Comparison) -> String {
    let points = found.points;
    match found.levels_needed {
        Some(LevelsNeeded::Levels(levels)) => format!("{levels} levels are needed to see {points} points"),
        Some(LevelsNeeded::OutOfReach) => format!("no number of levels shows {points} points"),
        None => {
            format!("fewer than six levels differ, so the levels needed to see {points} points are unknown")
        }
    }
}

/// `AM 5, OM 1`.
fn window(condition: &Condition) -> String {
    format!("AM {}, OM {}", condition.shown(AM), condition.shown(OM))
}

/// What a row changes in its reference: its window if that is all, else each setting with its value.
fn changed(condition: &Condition, reference: &Condition) -> String {
    let names: Vec<&str> = condition.differences(reference).collect();
    if names.iter().all(|name| [AM, OM].contains(name)) {
        return window(condition);
    }
    let part = |name: &&str| format!("{name} {}", mageyard_domain::table_label(condition.shown(name)));
    names.iter().map(part).collect::<Vec<_>>().join(" ")
}
