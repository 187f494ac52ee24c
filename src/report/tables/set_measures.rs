//! The measures of sets of episodes, and the published tables of them beside one's own rows.

use super::{ReportTables, interval_text};
use crate::document::{Rows, Section, Table};
use crate::{Condition, ENVIRONMENT, GroupStats, MeasuredValue};
use mageyard_domain::{EnvironmentSpec, PublishedTable, SetMeasure};

const NONE: &str = "–";
/// The value of a quotient without a denominator.
const UNDEFINED: &str = "undefined";
const NOTE: &str = "quotients of sums over the episodes, with their 95 % intervals, for which levels are resampled first; undefined: nothing to divide by";

impl ReportTables<'_> {
    /// A column for each measure that a row has; nothing if there is none.
    pub(super) fn set_measures(&self) -> Option<Section> {
        let mut measures: Vec<(&str, &str)> = Vec::new();
        for value in self.groups.values().flat_map(|stats| &stats.results.set_measures) {
            let measure = (value.measure.name, value.measure.title);
            if !measures.contains(&measure) {
                measures.push(measure);
            }
        }
        let titles: Vec<&str> = measures.iter().map(|(_, title)| *title).collect();
        let table = self.table(&titles, |_, stats| {
            let own = &stats.results.set_measures;
            let cell =
                |name: &str| own.iter().find(|value| value.measure.name == name).map_or(NONE.into(), cell);
            (!own.is_empty()).then(|| measures.iter().map(|(name, _)| cell(name)).collect())
        });
        Section::table("Measures of the set", true, table)
            .filter(|_| !measures.is_empty())
            .map(|section| section.with_notes(vec![NOTE.to_owned()]))
    }

    /// The published tables of the environments in the report, with one's own rows below.
    pub(super) fn published_tables(&self) -> Vec<Section> {
        let tables = self.environments().into_iter().flat_map(|spec| {
            let published = spec.capabilities().published;
            published.tables.iter().map(move |table| (spec, table, published.deviations))
        });
        let section = |(spec, table, deviations): (&'static dyn EnvironmentSpec, &PublishedTable, &str)| {
            let rows = Table { rows: self.published_rows(spec, table), names: 2 };
            let notes = vec![format!("here: {deviations}; our own prompts")];
            Section::table(table.title, false, rows).map(|section| section.with_notes(notes))
        };
        tables.filter_map(section).collect()
    }

    fn published_rows(&self, spec: &'static dyn EnvironmentSpec, table: &PublishedTable) -> Rows {
        let titles = table.columns.iter().map(|column| column.title);
        let mut rows: Rows = vec![["agent", "source"].into_iter().chain(titles).map(str::to_owned).collect()];
        let measures = spec.capabilities().scoring.set_measures();
        let measure = measures.iter().find(|measure| measure.name == table.measure);
        let digits = measure.map_or(1, SetMeasure::decimals);
        for (agent, values) in table.rows {
            let cells = values.iter().map(|value| format!("{value:.digits$}"));
            rows.push([(*agent).to_owned(), "paper".to_owned()].into_iter().chain(cells).collect());
        }
        let is_own = |condition: &Condition| {
            let option = |(name, value): (&str, &str)| {
                let name = format!("{}.{name}", spec.name());
                !condition.has(&name) || condition.shown(&name) == value
            };
            condition.shown(ENVIRONMENT) == spec.name() && table.option.is_none_or(option)
        };
        for (condition, stats) in self.groups.iter().filter(|(condition, _)| is_own(condition)) {
            let cells: Vec<String> = own_cells(stats, table);
            if cells.iter().any(|cell| cell != NONE) {
                rows.push([self.name_of(condition), "here".to_owned()].into_iter().chain(cells).collect());
            }
        }
        rows
    }
}

/// The values of a group in the columns of a published table.
fn own_cells(stats: &GroupStats, table: &PublishedTable) -> Vec<String> {
    let columns = table.columns.iter().map(|column| {
        let levels: Vec<(&str, &str)> = column.levels.iter().copied().chain(table.levels).collect();
        let found = stats.measured.value(table.measure, &levels);
        found.map_or(NONE.to_owned(), |found| {
            let digits = found.measure.decimals();
            found.ratio.map_or(UNDEFINED.to_owned(), |ratio| format!("{:.digits$}", ratio.value))
        })
    });
    columns.collect()
}

/// `66.7 [52.1, 80.3]`.
fn cell(found: &MeasuredValue) -> String {
    let digits = found.measure.decimals();
    found.ratio.map_or(UNDEFINED.to_owned(), |ratio| {
        format!("{:.digits$} {}", ratio.value, interval_text(ratio.interval, digits))
    })
}
