//! Tables of errors: invalid and repeated actions, endings that the agent caused, and extra moves.

use std::collections::{BTreeMap, BTreeSet};

use super::{ReportTables, Table, percent, retitle};
use mageyard_engine::Mark;
use mageyard_report::{DistanceStats, ENDINGS, ENVIRONMENT, GroupStats, LEVEL_SET, SETTING, StoppedBy};

impl ReportTables<'_> {
    /// The table of the paper: a column per environment, level set and setting, with IA/RA in each cell. Numbered rows
    /// have a single column.
    pub(super) fn errors(&self) -> Table {
        let title = "IA/RA in % of episodes";
        let cell = |stats: &GroupStats| {
            [Mark::InvalidAction, Mark::RepeatedAction].map(|mark| percent(stats.marked(mark))).join("/")
        };
        if self.numbered {
            return self.table(&[title], |_, stats| Some(vec![cell(stats)]));
        }
        let with_set = self.comparison.differing.iter().any(|name| name == LEVEL_SET);
        let in_columns = [ENVIRONMENT, LEVEL_SET, SETTING];
        let names: Vec<&String> =
            self.names.iter().filter(|name| !in_columns.contains(&name.as_str())).collect();
        let columns: BTreeSet<String> =
            self.groups.keys().map(|condition| condition.column(with_set)).collect();
        let mut cells: Vec<(Vec<String>, BTreeMap<String, String>)> = Vec::new();
        for (condition, stats) in self.groups {
            let row: Vec<String> = names.iter().map(|name| self.comparison.cell(condition, name)).collect();
            let column = condition.column(with_set);
            let cell = cell(stats);
            match cells.iter_mut().find(|(known, _)| *known == row) {
                Some((_, columns)) => drop(columns.insert(column, cell)),
                None => cells.push((row, [(column, cell)].into())),
            }
        }
        let head = std::iter::once(title.to_owned()).chain(names.iter().skip(1).map(|name| (*name).clone()));
        let mut rows = vec![head.chain(columns.iter().cloned()).collect::<Vec<_>>()];
        for (row, cells) in cells {
            let found = columns.iter().map(|column| cells.get(column).cloned().unwrap_or_default());
            rows.push(row.into_iter().chain(found).collect());
        }
        Table { rows, names: names.len() }
    }

    /// The endings that the agent caused, in percent of episodes, and their total.
    pub(super) fn endings(&self) -> Table {
        let own: Vec<&str> =
            ENDINGS.iter().filter(|row| row.2 == StoppedBy::Agent).map(|row| row.1).collect();
        let titles: Vec<&str> = own.iter().copied().chain(["total"]).collect();
        let mut table = self.table(&titles, |_, stats| {
            let all = own.iter().map(|name| stats.ended(name)).sum();
            let shares = own.iter().map(|name| percent(stats.share(stats.ended(name))));
            Some(shares.chain([percent(stats.share(all))]).collect())
        });
        retitle(&mut table, "stopped in % of episodes");
        table
    }

    /// Extra moves and dead states, for the groups with distances.
    pub(super) fn distances(&self) -> Table {
        self.table(&DistanceStats::TITLES, |_, stats| {
            (!stats.distances.is_empty()).then(|| stats.distances.cells().to_vec())
        })
    }
}
