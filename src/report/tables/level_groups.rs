//! Scores by group of levels, such as their size.

use super::{ReportTables, interval_text, with_error};
use crate::document::{Section, Table};

impl ReportTables<'_> {
    /// A row per group of settings and group of levels; nothing if no level set has several groups.
    pub(super) fn level_groups(&self) -> Option<Section> {
        let titles = ["level group", "levels", "n", "score ± SE", "95 % interval"];
        let mut all: Option<Table> = None;
        let most = self.groups.values().map(|stats| stats.results.level_groups.len()).max().unwrap_or(0);
        for index in 0..most {
            let table = self.table(&titles, |_, stats| {
                let group = stats.results.level_groups.get(index).filter(|_| most > 1)?;
                let score = with_error(Some(group.mean), group.error, 2, "");
                let interval = interval_text(group.interval, 2);
                let counts = [group.levels, group.episodes].map(|count| count.to_string());
                Some([vec![group.name.clone()], counts.to_vec(), vec![score, interval]].concat())
            });
            match &mut all {
                Some(all) => all.rows.extend(table.rows.into_iter().skip(1)),
                None => all = Some(table),
            }
        }
        let note = "with one level the interval is about its repeats only";
        Section::table("Scores by level group", false, all?)
            .map(|section| section.with_notes(vec![note.to_owned()]))
    }
}
