//! The table of paired differences from the reference.

use super::{ReportTables, interval_text};
use crate::document::Section;
use crate::{Difference, NoReference, Report};
use mageyard_statistics::{Correction, PairedDifference, RepeatsNeeded, Verdict, probability};

/// What p values are.
const HOLM_NOTE: &str = "p: the signs of whole levels are flipped; p (Holm): corrected for all comparisons of this table that six levels or more differ in, and the verdict follows it";
const NONE_NOTE: &str = "p: the signs of whole levels are flipped; it is not corrected for the number of comparisons, and the verdict follows it";

/// The most unpaired levels that are named in a cell.
const MOST_NAMED: usize = 3;

impl ReportTables<'_> {
    /// The differences, with the verdict in words; nothing if there are none.
    pub(super) fn differences(&self, report: &Report) -> Option<Section> {
        let found = || self.groups.values().filter_map(|stats| stats.results.difference.as_ref());
        let needed = found().any(|difference| difference.needed.is_some());
        let unpaired = found().any(|difference| !difference.paired.unpaired.is_empty());
        let mut titles = vec!["compared with", "difference ± SE", "95 % interval"];
        titles.extend(p_titles(self.correction).iter().copied());
        titles.extend(["verdict", "pairs", "levels"]);
        titles.extend(needed.then_some("repeats needed"));
        titles.extend(unpaired.then_some("levels without all pairs"));
        let table = self.table(&titles, |_, stats| {
            let difference = stats.results.difference.as_ref()?;
            let mut cells = self.difference_cells(difference);
            cells.extend(needed.then(|| needed_text(difference)));
            cells.extend(unpaired.then(|| unpaired_text(difference)));
            Some(cells)
        });
        let notes = notes(report, found().count());
        Section::table("Paired differences of scores", false, table).map(|section| section.with_notes(notes))
    }

    fn difference_cells(&self, difference: &Difference) -> Vec<String> {
        let paired = &difference.paired;
        let reference = std::iter::once(self.short_name(difference));
        let counts = [paired.pairs.len(), paired.levels()].map(|count| count.to_string());
        reference.chain(paired_cells(paired, self.correction)).chain(counts).collect()
    }

    /// The reference by the properties that differ within the report.
    fn short_name(&self, difference: &Difference) -> String {
        let number = (1..).zip(self.groups.keys()).find(|(_, condition)| **condition == difference.reference);
        match number {
            Some((number, _)) if self.numbered => format!("row {number}"),
            _ => self.name_of(&difference.reference),
        }
    }
}

/// The titles of p values: as they are, and corrected.
pub(super) fn p_titles(correction: Correction) -> &'static [&'static str] {
    match correction {
        Correction::Holm => &["p", "p (Holm)"],
        Correction::None => &["p"],
    }
}

/// The difference, its interval, the p values and the verdict.
pub(super) fn paired_cells(paired: &PairedDifference, correction: Correction) -> Vec<String> {
    let signed = paired.mean.map_or_else(|| "–".to_owned(), |mean| format!("{mean:+.2}"));
    let error = paired.error.map_or_else(String::new, |error| format!(" ± {error:.2}"));
    let test = &paired.test;
    let mut cells = vec![format!("{signed}{error}"), interval_text(paired.interval, 2), probability(test.p)];
    cells.extend((correction == Correction::Holm).then(|| probability(test.corrected)));
    cells.push(test.words(|visible| format!("{visible:.2}"), Verdict::TooFew.text()));
    cells
}

fn needed_text(difference: &Difference) -> String {
    let Some((needed, variation)) = difference.needed else { return "–".to_owned() };
    let assumed = if variation.assumed { " (assumed variation)" } else { "" };
    match needed {
        RepeatsNeeded::Repeats(repeats) => format!("{repeats}{assumed}"),
        RepeatsNeeded::Levels(levels) => format!("{levels} levels{assumed}"),
        RepeatsNeeded::OutOfReach => format!("out of reach{assumed}"),
    }
}

/// `3: a, b, c`.
fn unpaired_text(difference: &Difference) -> String {
    let unpaired = &difference.paired.unpaired;
    let named: Vec<&str> = unpaired.iter().take(MOST_NAMED).map(String::as_str).collect();
    let more = if unpaired.len() > named.len() { ", …" } else { "" };
    if unpaired.is_empty() {
        "0".to_owned()
    } else {
        format!("{}: {}{more}", unpaired.len(), named.join(", "))
    }
}

fn notes(report: &Report, count: usize) -> Vec<String> {
    let [noise, few] = [Verdict::InsideNoise, Verdict::TooFew].map(Verdict::text);
    let mut notes = vec![
        format!(
            "\"{noise}\": cells that are equal differ as much; \"visible from\": a true difference of this size is found in 80 % of experiments"
        ),
        format!("\"{few}\": fewer than six levels differ, so nothing could be called different"),
    ];
    let note = if report.correction == Correction::Holm { HOLM_NOTE } else { NONE_NOTE };
    notes.extend((count > 1).then(|| note.to_owned()));
    notes.extend(report.no_reference.iter().filter_map(|reason| match reason {
        NoReference::NotFound => {
            Some("some rows have no reference: no row of their levels fits it".to_owned())
        }
        NoReference::Ambiguous(rows) => {
            Some(format!("some rows have no reference: {rows} rows fit the reference equally well"))
        }
        NoReference::NotNamed => None,
    }));
    notes
}
