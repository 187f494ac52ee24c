//! What produced the rows: versions, models as the server returned them, prompts by digest, seeds.

use std::collections::BTreeSet;

use time::OffsetDateTime;

use super::ReportTables;
use mageyard_domain::sanitize;
use mageyard_engine::ServedChange;
use mageyard_report::Provenance;
use mageyard_report::document::Section;

/// The episodes whose change of model is a note of its own.
const NOTED: usize = 5;

/// The digits of a digest that are shown.
const DIGEST_DIGITS: usize = 12;

impl ReportTables<'_> {
    /// The table of what produced each row, with what people ordered while sweeps ran.
    pub(super) fn produced_by(&self, orders: &[String]) -> Option<Section> {
        let titles = [
            "program",
            "model as returned",
            "fingerprints",
            "servers",
            "prompt and digest",
            "seeds",
            "repeats",
            "started (UTC)",
        ];
        let table = self.table(&titles, |_, stats| {
            let provenance = &stats.provenance;
            provenance.started.map(|started| {
                vec![
                    or_dash(&provenance.programs.iter().cloned().collect::<Vec<_>>()),
                    or_dash(&provenance.served_models.iter().cloned().collect::<Vec<_>>()),
                    or_dash(&provenance.fingerprints.iter().cloned().collect::<Vec<_>>()),
                    or_dash(&provenance.servers.iter().cloned().collect::<Vec<_>>()),
                    or_dash(&prompts(provenance)),
                    numbers(&provenance.seeds),
                    numbers(&provenance.repeats.iter().copied().map(u64::from).collect()),
                    days(started),
                ]
            })
        });
        let notes = self.notes().into_iter().chain(orders.iter().cloned()).collect();
        Section::table("Produced by", false, table).map(|section| section.with_notes(notes))
    }

    /// The live surfaces that were acted on, and changes of models.
    fn notes(&self) -> Vec<String> {
        let surfaces: BTreeSet<&String> =
            self.groups.values().flat_map(|stats| &stats.provenance.surfaces).collect();
        let note = |surface: &String| format!("acted on: {}", sanitize(surface));
        surfaces.into_iter().map(note).chain(self.changed_models()).collect()
    }

    /// A note for each episode during which the model changed, up to a number of them.
    fn changed_models(&self) -> Vec<String> {
        let rows = self.groups.values();
        let episodes: Vec<_> = rows.flat_map(|stats| &stats.provenance.served_changes).collect();
        let note = |(episode, changes): &&(String, Vec<ServedChange>)| {
            let words: Vec<String> = changes.iter().map(ToString::to_string).collect();
            format!("{episode}: {}", words.join("; "))
        };
        let mut notes: Vec<String> = episodes.iter().take(NOTED).map(note).collect();
        if episodes.len() > NOTED {
            notes.push(format!("The model also changed during {} other episodes.", episodes.len() - NOTED));
        }
        notes
    }
}

fn or_dash(texts: &[String]) -> String {
    if texts.is_empty() { "–".to_owned() } else { texts.join(", ") }
}

fn prompts(provenance: &Provenance) -> Vec<String> {
    let digests =
        provenance.prompts.iter().flat_map(|(name, digests)| digests.iter().map(move |it| (name, it)));
    let text = |digest: String| digest.get(..DIGEST_DIGITS).unwrap_or(&digest).to_owned();
    digests.map(|(name, digest)| format!("{name} {}", text(digest.to_string()))).collect()
}

/// Numbers with ranges: `0..4, 9`.
fn numbers(values: &BTreeSet<u64>) -> String {
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for value in values {
        match ranges.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(*value) => *last = *value,
            _ => ranges.push((*value, *value)),
        }
    }
    let text = |(first, last): &(u64, u64)| {
        if first == last { first.to_string() } else { format!("{first}..{last}") }
    };
    or_dash(&ranges.iter().map(text).collect::<Vec<_>>())
}

/// The day, or the first and the last one.
fn days((first, last): (u64, u64)) -> String {
    let day = |seconds: u64| {
        let time = i64::try_from(seconds).ok().and_then(|at| OffsetDateTime::from_unix_timestamp(at).ok());
        time.map_or_else(|| "unknown".to_owned(), |time| time.date().to_string())
    };
    let first = day(first);
    let last = day(last);
    if first == last { first } else { format!("{first} to {last}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_shown_as_ranges() {
        assert_eq!(numbers(&[0, 1, 2, 7, 9, 10].into()), "0..2, 7, 9..10");
        assert_eq!(numbers(&[].into()), "–");
    }
}
