//! The tables of a report.

mod baselines;
mod best_of;
mod differences;
mod effort;
mod errors;
mod examples;
mod findings;
mod level_groups;
mod main_effects;
mod maps;
mod measures;
mod metrics;
mod produced_by;
mod published;
mod published_errors;
mod published_windows;
mod repeats;
mod requests;
mod scores;
mod set_measures;

use std::collections::BTreeSet;

use self::main_effects::main_effects;
pub use self::maps::{map_score, score_range};
pub(super) use self::metrics::Metric;
use super::sweep::SweptCells;
use crate::table::column_widths;
use mageyard_domain::EnvironmentSpec;
use mageyard_report::document::{Document, Section, Table};
use mageyard_report::{
    AGENT, Baselines, Comparison, Condition, ENVIRONMENT, GroupStats, Groups, IdleScores, Report,
    RowDifferences,
};
use mageyard_statistics::{Correction, Interval};

/// The widest names of rows; wider ones are replaced by numbers.
const MAX_NAME_WIDTH: usize = 44;

/// The agents whose scores are lines in pictures: they do not think, or are people.
const BASELINES: [&str; 4] = ["idle", "random", "oracle", "human"];

/// The rows of a report with their names.
pub struct ReportTables<'a> {
    groups: &'a Groups,
    recorded: &'a Baselines,
    idle: &'a IdleScores,
    known: &'a [&'static dyn EnvironmentSpec],
    comparison: RowDifferences,
    /// The names of levels that stand for several contents.
    ambiguous: &'a [(String, usize)],
    /// What the differences say together, for each reference.
    comparisons: &'a [Comparison],
    /// How p values are corrected.
    correction: Correction,
    /// The properties that name a row: the agent and what differs.
    names: Vec<String>,
    /// Whether rows have numbers, because their names are wide.
    numbered: bool,
}

impl<'a> ReportTables<'a> {
    /// The tables of a report; `known` has the published figures of the environments.
    pub fn new(report: &'a Report, known: &'a [&'static dyn EnvironmentSpec]) -> Self {
        let groups = &report.groups;
        let recorded = &report.baselines;
        let comparison = RowDifferences::of(groups.keys());
        let differing = comparison.differing.iter().filter(|name| *name != AGENT).cloned();
        let names: Vec<String> = [AGENT.to_owned()].into_iter().chain(differing).collect();
        let ambiguous = &report.ambiguous_levels;
        let idle = &report.idle;
        let mut tables = Self {
            groups,
            recorded,
            idle,
            known,
            comparison,
            ambiguous,
            comparisons: &report.comparisons,
            correction: report.correction,
            names,
            numbered: false,
        };
        let only_names = tables.table(&[], |_, _| Some(Vec::new()));
        let width: usize = column_widths(&only_names.rows).iter().map(|width| width + 2).sum();
        tables.numbered = width > MAX_NAME_WIDTH;
        tables
    }

    /// The whole report. `paper` adds published figures, `swept` what the plans of sweeps say.
    pub(super) fn document(
        &self,
        report: &Report,
        swept: &SweptCells,
        paper: bool,
        notes: Vec<String>,
    ) -> Document {
        let mut sections = Vec::new();
        sections.extend(self.rows_section());
        sections.extend(self.score_section(paper));
        sections.extend(self.recorded());
        sections.extend(self.maps());
        sections.extend(swept.section());
        sections.extend(self.differences(report));
        sections.extend(self.best());
        sections.extend(self.measure_differences());
        sections.extend(main_effects(report));
        sections.extend(self.best_of(paper));
        sections.extend(self.repeats());
        sections.extend(self.pass_hat());
        sections.extend(self.set_measures());
        sections.extend(self.level_groups());
        sections.extend(self.scores_by_step());
        sections.extend(Section::table("Losses of score", true, self.losses()));
        sections.extend(Section::table("Terms of the reward", true, self.reward_terms()));
        sections.extend(Section::table("Invalid and repeated actions", true, self.errors()));
        sections.extend(self.published_errors().filter(|_| paper));
        sections.extend(self.examples());
        sections.extend(Section::table("Verdicts", true, self.verdicts()));
        sections.extend(Section::table("Endings caused by the agent", true, self.endings()));
        sections.extend(Section::table("Endings of replies", true, self.reply_endings()));
        sections.extend(Section::table("Extra moves and dead states", true, self.distances()));
        sections.extend(self.effort());
        sections.extend(Section::table("Requests and costs", true, self.costs()));
        sections.extend(Section::table("Side requests", true, self.side_requests()));
        sections.extend(Section::table("Caching", true, self.caching()));
        sections.extend(Section::table("Scores by published optima", true, self.published()));
        if paper {
            sections.extend(self.published_scores());
            sections.extend(self.published_windows());
            sections.extend(self.published_tables());
        }
        sections.extend(self.produced_by(&swept.orders));
        let notes = self.finding_notes().into_iter().chain(notes).collect();
        Document { common: self.common(), findings: self.findings(), sections, notes }
    }

    /// In one line, which names of levels stand for several contents.
    pub(super) fn ambiguous_levels(&self) -> Option<String> {
        const MOST_NAMED: usize = 3;
        let named: Vec<&str> =
            self.ambiguous.iter().take(MOST_NAMED).map(|(name, _)| name.as_str()).collect();
        let more = if self.ambiguous.len() > MOST_NAMED { ", …" } else { "" };
        (!named.is_empty()).then(|| {
            let what = "levels with one name and different contents, which are kept apart";
            format!("{what}: {}{more}", named.join(", "))
        })
    }

    /// The table that says what the numbers of rows mean, if rows have numbers.
    pub(super) fn rows_section(&self) -> Option<Section> {
        self.numbered.then(|| Section::table("Rows", true, self.legend())).flatten()
    }

    /// The number of rows.
    pub(super) fn count(&self) -> usize {
        self.groups.len()
    }

    /// The name of a group in legends and titles: the agent and what differs.
    fn name_of(&self, condition: &Condition) -> String {
        name_among(&self.comparison, condition, &[])
    }

    /// What all rows have in common, in one line.
    pub(super) fn common(&self) -> String {
        let levels: BTreeSet<usize> = self.groups.values().map(GroupStats::levels).collect();
        let levels = levels.first().filter(|_| levels.len() == 1).map(|count| format!("levels {count}"));
        let pair = |(name, value): &(String, String)| format!("{name} {value}");
        let common = self.comparison.common.iter().map(pair);
        let place = if self.groups.len() == 1 { "All episodes" } else { "In every row" };
        let partly: Vec<String> = self.comparison.where_present.iter().map(pair).collect();
        let partly = (!partly.is_empty()).then(|| format!("in rows that have it: {}", partly.join(", ")));
        format!("{place}: {}", common.chain(levels).chain(partly).collect::<Vec<_>>().join(" · "))
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
            if let Some(cells) = cells(condition, stats) {
                rows.push(self.row_names(number, condition).into_iter().chain(cells).collect());
            }
        }
        Table { rows, names }
    }

    /// The cells that name a row: its number and agent, or else the agent and what differs.
    fn row_names(&self, number: usize, condition: &Condition) -> Vec<String> {
        if self.numbered {
            return vec![number.to_string(), self.comparison.cell(condition, AGENT)];
        }
        self.names.iter().map(|name| self.comparison.cell(condition, name)).collect()
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
    pub(super) fn environments(&self) -> Vec<&'static dyn EnvironmentSpec> {
        let names: BTreeSet<&str> =
            self.groups.keys().map(|condition| condition.shown(ENVIRONMENT)).collect();
        self.known.iter().copied().filter(|spec| names.contains(spec.name())).collect()
    }
}

/// The name of a condition among some: the agent, and what differs between them, without the properties that are shown beside
/// it.
fn name_among(some: &RowDifferences, condition: &Condition, shown: &[&str]) -> String {
    let is_part = |name: &&String| *name != AGENT && condition.has(name) && !shown.contains(&name.as_str());
    let differing = some.differing.iter().filter(is_part);
    let parts = differing.map(|name| format!("{name} {}", some.cell(condition, name)));
    std::iter::once(some.cell(condition, AGENT)).chain(parts).collect::<Vec<_>>().join(" ")
}

/// Sets the title of the column that names the agent.
fn retitle(table: &mut Table, title: &str) {
    if let Some(cell) = table.rows.first_mut().and_then(|head| head.iter_mut().find(|cell| *cell == AGENT)) {
        title.clone_into(cell);
    }
}

/// `[41.20, 52.10]`, or `–`.
fn interval_text(interval: Option<Interval>, digits: usize) -> String {
    interval
        .map_or_else(|| "–".to_owned(), |Interval { low, high }| format!("[{low:.digits$}, {high:.digits$}]"))
}

/// `87.50 ± 3.21`; without the error where it is unknown.
fn with_error(value: Option<f64>, error: Option<f64>, digits: usize, unit: &str) -> String {
    match (value, error) {
        (None, _) => "unknown".to_owned(),
        (Some(value), None) => format!("{value:.digits$}{unit}"),
        (Some(value), Some(error)) => format!("{value:.digits$} ± {error:.digits$}{unit}"),
    }
}

fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "–".to_owned(), |share| format!("{share:.1}"))
}
