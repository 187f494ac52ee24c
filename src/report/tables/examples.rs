//! Errors by kind, with the address of the first example.

use super::{ReportTables, percent};
use crate::CountedErrors;
use crate::document::{Section, Table};
use mageyard_domain::count_noun;

impl ReportTables<'_> {
    /// A row per group and kind of error; nothing if there are none.
    pub(super) fn examples(&self) -> Option<Section> {
        let titles = ["error", "count", "in % of episodes", "first example"];
        let mut rows = Vec::new();
        for (number, (condition, stats)) in (1..).zip(self.groups) {
            let names = self.row_names(number, condition);
            rows.extend(stats.errors.rows().map(|(title, name, found)| {
                let share = percent(stats.share(found.episodes));
                let cells = [title, counted(name, found.count), share, found.first.clone()];
                names.iter().cloned().chain(cells).collect::<Vec<String>>()
            }));
        }
        let head = self.table(&titles, |_, _| None);
        let table = Table { rows: head.rows.into_iter().chain(rows).collect(), names: head.names };
        let note = "a step has up to three replies; `mageyard view ADDRESS` shows an example";
        Section::table("Errors by kind", false, table)
            .map(|section| section.with_notes(vec![note.to_owned()]))
    }
}

/// `19 steps`, `23 replies`.
fn counted(name: &str, count: usize) -> String {
    match CountedErrors::of(name) {
        CountedErrors::Steps => count_noun(count, "step", "steps"),
        CountedErrors::Replies => count_noun(count, "reply", "replies"),
    }
}
