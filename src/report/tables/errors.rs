//! Tables of errors: invalid and repeated actions, endings that the agent caused, and extra moves.

use std::collections::BTreeMap;

use super::{ReportTables, Table, percent, retitle};
use crate::{
    Condition, DistanceStats, ENDINGS, ENVIRONMENT, GroupStats, LEVEL_SET, RowAcross, RowsAcross, SETTING,
    StoppedBy,
};
use mageyard_engine::Mark;

/// What the cells of the table of errors are.
pub(super) const ERRORS_TITLE: &str = "IA/RA in % of episodes";

impl ReportTables<'_> {
    /// The table of the paper: a row per agent and a column per environment, level set and setting, with IA/RA in each cell.
    /// Numbered rows of a single column keep their numbers.
    pub(super) fn errors(&self) -> Table {
        let cell = |stats: &GroupStats| {
            [Mark::InvalidAction, Mark::RepeatedAction].map(|mark| percent(stats.marked(mark))).join("/")
        };
        let with_set = self.has_several_sets();
        let columns = self.columns(self.groups.keys(), with_set);
        if self.numbered && columns.len() == 1 {
            return self.table(&[ERRORS_TITLE], |_, stats| Some(vec![cell(stats)]));
        }
        let across = RowsAcross::of(self.groups.keys(), &[ENVIRONMENT, LEVEL_SET, SETTING]);
        let head = std::iter::once(ERRORS_TITLE.to_owned()).chain(across.names.iter().cloned());
        let mut rows = vec![head.chain(columns.iter().cloned()).collect::<Vec<_>>()];
        for RowAcross { labels, cells } in &across.rows {
            let found = |column: &String| {
                let condition = cells.iter().find(|condition| condition.column(with_set) == *column);
                condition.and_then(|condition| self.groups.get(*condition)).map(cell).unwrap_or_default()
            };
            rows.push(labels.iter().cloned().chain(columns.iter().map(found)).collect());
        }
        Table { rows, names: across.names.len() + 1 }
    }

    /// Whether an environment has several level sets, so that columns must name them.
    fn has_several_sets(&self) -> bool {
        let mut sets: BTreeMap<&str, &str> = BTreeMap::new();
        self.groups.keys().any(|condition| {
            let set = condition.shown(LEVEL_SET);
            *sets.entry(condition.shown(ENVIRONMENT)).or_insert(set) != set
        })
    }

    /// The columns of these conditions: environments in the order of the published tables, Global before Online.
    fn columns<'a>(&self, conditions: impl Iterator<Item = &'a Condition>, with_set: bool) -> Vec<String> {
        let place = |condition: &Condition| {
            let environment = condition.shown(ENVIRONMENT).to_owned();
            let order = self.published_of(&environment).map_or(u8::MAX, |published| published.order);
            let set = condition.shown(LEVEL_SET).to_owned();
            (order, environment, set, condition.shown(SETTING).to_owned())
        };
        let mut all: Vec<_> =
            conditions.map(|condition| (place(condition), condition.column(with_set))).collect();
        all.sort();
        let mut columns: Vec<String> = all.into_iter().map(|(_, column)| column).collect();
        columns.dedup();
        columns
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

    /// How episodes were judged, and whether the agent ended them itself, for the groups with verdicts.
    pub(super) fn verdicts(&self) -> Table {
        let titles = ["judged", "success %", "not judged", "active finish %", "false finish %"];
        self.table(&titles, |_, stats| {
            let verdicts = stats.verdicts;
            let share = |count: usize| percent(stats.share(count));
            (!verdicts.is_empty()).then(|| {
                vec![
                    verdicts.judged.to_string(),
                    share(verdicts.successes),
                    verdicts.not_judged.to_string(),
                    share(verdicts.active_finishes),
                    share(verdicts.false_finishes),
                ]
            })
        })
    }

    /// Extra moves and dead states, for the groups with distances.
    pub(super) fn distances(&self) -> Table {
        self.table(&DistanceStats::TITLES, |_, stats| {
            (!stats.distances.is_empty()).then(|| stats.distances.cells().to_vec())
        })
    }
}
