//! The tables of a report.

mod errors;
mod requests;
mod scores;

use std::collections::BTreeSet;

use crate::cli::table::column_widths;
use crate::domain::EnvironmentSpec;
use crate::lab::report::AGENT;
use crate::lab::report::Comparison;
use crate::lab::report::Condition;
use crate::lab::report::ENVIRONMENT;
use crate::lab::report::GroupStats;
use crate::lab::report::Groups;

type Rows = Vec<Vec<String>>;

/// The widest names of rows; wider ones are replaced by numbers.
const MAX_NAME_WIDTH: usize = 44;

/// A table with the number of its first columns that name the row.
pub(super) struct Table {
    pub(super) rows: Rows,
    pub(super) names: usize,
}

/// The rows of a report with their names.
pub(super) struct ReportTables<'a> {
    groups: &'a Groups,
    known: &'a [&'static dyn EnvironmentSpec],
    comparison: Comparison,
    /// The properties that name a row: the agent and what differs.
    names: Vec<String>,
    /// Whether rows have numbers, because their names are wide.
    numbered: bool,
}

impl<'a> ReportTables<'a> {
    pub(super) fn new(groups: &'a Groups, known: &'a [&'static dyn EnvironmentSpec]) -> Self {
        let comparison = Comparison::of(groups.keys());
        let differing = comparison.differing.iter().filter(|name| *name != AGENT).cloned();
        let names: Vec<String> = [AGENT.to_owned()].into_iter().chain(differing).collect();
        let mut report = Self { groups, known, comparison, names, numbered: false };
        let only_names = report.table(&[], |_, _| Some(Vec::new()));
        let width: usize = column_widths(&only_names.rows).iter().map(|width| width + 2).sum();
        report.numbered = width > MAX_NAME_WIDTH;
        report
    }

    /// The tables in their order; one without rows has only its titles.
    pub(super) fn tables(&self) -> Vec<Table> {
        let mut tables = vec![self.scores(), self.scores_by_step(), self.losses()];
        tables.extend([self.errors(), self.endings(), self.reply_endings()]);
        tables.extend([self.distances(), self.costs(), self.caching(), self.published()]);
        if self.numbered {
            tables.insert(0, self.legend());
        }
        tables
    }

    /// What all rows have in common, in one line.
    pub(super) fn common(&self) -> String {
        let levels: BTreeSet<usize> = self.groups.values().map(GroupStats::levels).collect();
        let levels = levels.first().filter(|_| levels.len() == 1).map(|count| format!("levels {count}"));
        let common = self.comparison.common.iter().map(|(name, value)| format!("{name} {value}"));
        let place = if self.groups.len() == 1 { "All episodes" } else { "In every row" };
        format!("{place}: {}", common.chain(levels).collect::<Vec<_>>().join(" · "))
    }

    /// A table: the names of the row, then these cells; a group without cells has no row.
    fn table(
        &self,
        titles: &[&str],
        cells: impl Fn(&Condition, &GroupStats) -> Option<Vec<String>>,
    ) -> Table {
        let row_names =
            if self.numbered { vec!["row".to_owned(), AGENT.to_owned()] } else { self.names.clone() };
        let names = row_names.len();
        let head = row_names.into_iter().chain(titles.iter().map(|title| (*title).to_owned()));
        let mut rows = vec![head.collect::<Vec<_>>()];
        for (number, (condition, stats)) in (1..).zip(self.groups) {
            let name = |name: &String| self.comparison.cell(condition, name);
            let names = if self.numbered {
                vec![number.to_string(), self.comparison.cell(condition, AGENT)]
            } else {
                self.names.iter().map(name).collect()
            };
            if let Some(cells) = cells(condition, stats) {
                rows.push(names.into_iter().chain(cells).collect());
            }
        }
        Table { rows, names }
    }

    /// The properties that differ, by the number of the row.
    fn legend(&self) -> Table {
        let titles: Vec<&str> = self.names.iter().skip(1).map(String::as_str).collect();
        let cells = |condition: &Condition| {
            self.names.iter().skip(1).map(|name| self.comparison.cell(condition, name)).collect()
        };
        self.table(&titles, |condition, _| Some(cells(condition)))
    }

    /// The environments in the report, each once.
    fn environments(&self) -> Vec<&'static dyn EnvironmentSpec> {
        let names: BTreeSet<&str> =
            self.groups.keys().map(|condition| condition.shown(ENVIRONMENT)).collect();
        self.known.iter().copied().filter(|spec| names.contains(spec.name())).collect()
    }
}

/// Sets the title of the column that names the agent.
fn retitle(table: &mut Table, title: &str) {
    if let Some(cell) = table.rows.first_mut().and_then(|head| head.iter_mut().find(|cell| *cell == AGENT)) {
        title.clone_into(cell);
    }
}

fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "–".to_owned(), |share| format!("{share:.1}"))
}
