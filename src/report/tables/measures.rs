//! The table of paired differences by other measures than the score.

use super::{ReportTables, interval_text};
use crate::document::Section;
use crate::{MEASURES, Measure, MeasureDifference};
use mageyard_statistics::{Correction, Verdict, probability};

/// What the signs are.
const SIGNS: &str = "▲ higher, ▼ lower, ≈ inside noise, ? too few levels differ";

impl ReportTables<'_> {
    /// The differences by success, errors and cost; nothing if no row is compared.
    pub(super) fn measure_differences(&self) -> Option<Section> {
        let found = || self.groups.values().filter_map(|stats| stats.results.difference.as_ref());
        let is_there = |measure: &Measure| {
            found().any(|difference| difference.measures.iter().any(|other| other.measure == *measure))
        };
        let measures: Vec<Measure> = MEASURES.into_iter().filter(is_there).collect();
        let titles: Vec<&str> = measures.iter().map(|measure| measure.title()).collect();
        let table = self.table(&titles, |_, stats| {
            let difference = stats.results.difference.as_ref()?;
            let cell = |measure: &Measure| {
                let own = difference.measures.iter().find(|other| other.measure == *measure);
                own.map_or_else(|| "–".to_owned(), cell)
            };
            Some(measures.iter().map(cell).collect())
        });
        let section = Section::table("Paired differences of success, errors and cost", false, table)?;
        (!measures.is_empty()).then(|| section.with_notes(vec![note(self.correction)]))
    }
}

/// What the cells are.
fn note(correction: Correction) -> String {
    let p = match correction {
        Correction::Holm => "p corrected by Holm for the comparisons of its column",
        Correction::None => "p, which is not corrected for the number of comparisons",
    };
    format!("difference, its 95 % interval, and {p}; {SIGNS}")
}

/// `+12.5 % [3.1, 21.9], p 0.012 ▲`.
fn cell(found: &MeasureDifference) -> String {
    let digits = if found.measure == Measure::Cost { 4 } else { 1 };
    let mean = found.paired.mean.unwrap_or_default();
    let interval = interval_text(found.paired.interval, digits);
    let sign = match found.paired.test.verdict() {
        Verdict::Different if mean > 0.0 => '▲',
        Verdict::Different => '▼',
        Verdict::InsideNoise => '≈',
        Verdict::TooFew => '?',
    };
    let unit = if found.unit == "%" { "points" } else { &found.unit };
    format!("{mean:+.digits$} {unit} {interval}, p {} {sign}", probability(found.paired.test.corrected))
}
