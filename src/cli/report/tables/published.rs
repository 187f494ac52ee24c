//! Published scores and errors beside one's own, always marked as such and never without their level set.

use super::baselines::levels;
use super::errors::ERRORS_TITLE;
use super::{ReportTables, interval_text, name_among, with_error};
use crate::report::document::{Rows, Section, Table};
use crate::report::published::{DEVIATION_NOTE, IFE, IFE_NOTE, PUBLISHED_SETS, PublishedSet, set_name};
use mageyard_domain::{
    EnvironmentSpec, PublishedErrors, PublishedFigure, PublishedFigures, PublishedResult, Setting,
    table_label,
};
use mageyard_report::{
    AM, Condition, ENVIRONMENT, GroupStats, LEVEL_SET, OM, RowAcross, RowDifferences, RowsAcross, SETTING,
};

/// What marks a row that was not measured here.
const FROM_THE_PAPER: &str = "from the paper";

/// What marks a row that was.
const FROM_HERE: &str = "this report";

/// A cell without a value.
const NONE: &str = "–";

/// The environment and the setting of a column.
type Column = (&'static dyn EnvironmentSpec, Setting);

impl ReportTables<'_> {
    /// The published scores for the environments in the report, a table for each published set; one's own rows and
    /// recorded baselines are above those of the paper.
    pub(super) fn published_scores(&self) -> Vec<Section> {
        PUBLISHED_SETS.iter().filter_map(|set| self.published_set(set)).collect()
    }

    fn published_set(&self, set: &PublishedSet) -> Option<Section> {
        let columns = self.published_columns(|published| {
            let figures = published.scores.iter().filter(|figure| set.has(figure));
            figures.map(|figure| figure.setting).collect()
        });
        let (names, own) = self.own_rows(set, &columns);
        let titles = std::iter::once("agent".to_owned()).chain(names.iter().cloned());
        let titles = titles.chain([LEVEL_SET.to_owned()]).chain(columns.iter().map(title));
        let mut rows: Rows = vec![titles.chain(["source".to_owned()]).collect()];
        rows.extend(own);
        let agents = agents(&columns, |spec| {
            let figures = spec.capabilities().published.scores.iter().filter(|figure| set.has(figure));
            figures.map(|figure| figure.agent).collect()
        });
        for agent in agents {
            let cell = |(spec, setting): &Column| {
                let figures = spec.capabilities().published.scores.iter();
                let mut figures = figures.filter(|figure| set.has(figure) && figure.setting == *setting);
                let found = figures.find(|figure| figure.agent == agent);
                found.map_or_else(|| NONE.to_owned(), score_text)
            };
            let mut row = vec![agent.to_owned()];
            row.extend(names.iter().map(|_| NONE.to_owned()));
            row.push(set.level_set.to_owned());
            row.extend(columns.iter().map(cell));
            row.push(FROM_THE_PAPER.to_owned());
            rows.push(row);
        }
        let table = Table { rows, names: names.len() + 2 };
        let title = format!("Published scores, {} sets ({})", set.level_set, set.source);
        let mut notes = self.source_notes(&columns);
        notes.push(IFE_NOTE.to_owned());
        notes.extend(set.has_deviations.then(|| DEVIATION_NOTE.to_owned()));
        (!columns.is_empty()).then(|| Section::table(&title, false, table))?.map(|it| it.with_notes(notes))
    }

    /// The names that tell one's own rows apart, and these rows: those on levels of the set, and in the first table those on
    /// levels of no published set too.
    fn own_rows(&self, set: &PublishedSet, columns: &[Column]) -> (Vec<String>, Rows) {
        let is_column = |condition: &Condition| {
            columns.iter().any(|(spec, setting)| is_of(condition, spec.name(), *setting))
        };
        let recorded = self.recorded.keys().filter(|condition| !self.groups.contains_key(*condition));
        let conditions = self.groups.keys().chain(recorded);
        let conditions =
            conditions.filter(|condition| is_column(condition) && set.takes(set_name(condition)));
        let mut sets: Vec<(&str, Vec<&Condition>)> = Vec::new();
        for condition in conditions {
            let name = set_name(condition);
            match sets.iter_mut().find(|(known, _)| *known == name) {
                Some((_, own)) => own.push(condition),
                None => sets.push((name, vec![condition])),
            }
        }
        // Names are found over all sets, so that every row has the same cells.
        let place = [ENVIRONMENT, LEVEL_SET, SETTING];
        let all = RowsAcross::of(sets.iter().flat_map(|(_, own)| own.iter().copied()), &place);
        let mut rows = Rows::new();
        for RowAcross { labels, cells } in &all.rows {
            for (name, _) in &sets {
                let own: Vec<&Condition> =
                    cells.iter().copied().filter(|condition| set_name(condition) == *name).collect();
                if !own.is_empty() {
                    rows.push(self.own_row(labels, name, &own, columns));
                }
            }
        }
        (all.names, rows)
    }

    fn own_row(&self, labels: &[String], set: &str, own: &[&Condition], columns: &[Column]) -> Vec<String> {
        let cell = |(spec, setting): &Column| {
            let found = own.iter().find(|condition| is_of(condition, spec.name(), *setting));
            found.and_then(|condition| self.own_cell(condition)).unwrap_or_else(|| NONE.to_owned())
        };
        let labels = labels.iter().cloned().chain([table_label(set)]);
        labels.chain(columns.iter().map(cell)).chain([FROM_HERE.to_owned()]).collect()
    }

    /// The score of a row of the report, or of a recorded baseline with its levels if some are missing.
    fn own_cell(&self, condition: &Condition) -> Option<String> {
        if let Some(stats) = self.groups.get(condition) {
            return Some(own_score(stats));
        }
        let found = self.recorded.get(condition)?;
        let score = own_score(&found.stats);
        Some(if found.missing.is_empty() { score } else { format!("{score} ({})", levels(found)) })
    }

    /// The published scores by memory window, below one's own of the same environments and setting.
    pub(super) fn published_windows(&self) -> Option<Section> {
        let titles = ["agent", ENVIRONMENT, LEVEL_SET, SETTING, "AM", "OM", "score ± SE", "95 % interval"];
        let titles = titles.into_iter().chain(["n", "source"]);
        let mut rows: Rows = vec![titles.map(str::to_owned).collect()];
        let mut columns: Vec<Column> = Vec::new();
        for spec in self.environments() {
            let published = spec.capabilities().published.scores.iter();
            let published: Vec<_> = published.filter(|figure| figure.window.is_some()).collect();
            let Some(first) = published.first() else { continue };
            columns.push((spec, first.setting));
            let own = self.groups.iter();
            let own: Vec<_> =
                own.filter(|(condition, _)| is_of(condition, spec.name(), first.setting)).collect();
            let naming = RowDifferences::of(own.iter().map(|(condition, _)| *condition));
            rows.extend(own.into_iter().map(|(condition, stats)| own_window(&naming, condition, stats)));
            rows.extend(published.into_iter().map(|figure| window_row(spec.name(), figure)));
        }
        let title = "Published scores by memory window (MageBench, supplement, tables 5 and 6)";
        let notes = self.source_notes(&columns);
        Section::table(title, false, Table { rows, names: 1 }).map(|section| section.with_notes(notes))
    }

    /// The published IA and RA of the environments in the report, in the form of one's own table.
    pub(super) fn published_errors(&self) -> Option<Section> {
        let columns = self
            .published_columns(|published| published.errors.iter().map(|errors| errors.setting).collect());
        let errors = |spec: &'static dyn EnvironmentSpec| spec.capabilities().published.errors;
        let titles = [ERRORS_TITLE.to_owned(), LEVEL_SET.to_owned()].into_iter();
        let mut rows: Rows = vec![titles.chain(columns.iter().map(title)).collect()];
        for agent in agents(&columns, |spec| errors(spec).iter().map(|errors| errors.agent).collect()) {
            let cell = |(spec, setting): &Column| {
                let mut found = errors(*spec).iter().filter(|errors| errors.setting == *setting);
                let found = found.find(|errors| errors.agent == agent);
                found.map_or_else(|| NONE.to_owned(), errors_text)
            };
            let names = [agent.to_owned(), "mini".to_owned()].into_iter();
            rows.push(names.chain(columns.iter().map(cell)).collect());
        }
        let title = "Published invalid and repeated actions (MageBench, supplement, table 7)";
        let notes = self.source_notes(&columns);
        Section::table(title, false, Table { rows, names: 2 }).map(|section| section.with_notes(notes))
    }

    /// The columns of the environments in the report with something published, in the order of the published tables.
    fn published_columns(&self, settings: impl Fn(&PublishedFigures) -> Vec<Setting>) -> Vec<Column> {
        let mut specs = self.environments();
        specs.sort_by_key(|spec| spec.capabilities().published.order);
        let columns = specs.into_iter().flat_map(|spec| {
            let known = settings(&spec.capabilities().published);
            let both = [Setting::Global, Setting::Online].into_iter();
            both.filter(move |setting| known.contains(setting)).map(move |setting| (spec, setting))
        });
        columns.collect()
    }

    /// Where the figures are from, and in one line what differs here.
    fn source_notes(&self, columns: &[Column]) -> Vec<String> {
        let mut deviations: Vec<&str> =
            columns.iter().map(|(spec, _)| spec.capabilities().published.deviations).collect();
        deviations.dedup();
        let source = format!("{FROM_THE_PAPER}: MageBench (arXiv 2412.04531), measured on its own levels");
        vec![source, deviation_note(&deviations.join("; "))]
    }

    /// What was published about an environment.
    pub(super) fn published_of(&self, environment: &str) -> Option<&'static PublishedFigures> {
        let spec = self.known.iter().find(|spec| spec.name() == environment)?;
        Some(&spec.capabilities().published)
    }

    /// The published figures without a window for the level set and setting of a condition.
    pub(super) fn figures_for(&self, of: &Condition) -> impl Iterator<Item = &'static PublishedFigure> {
        let figures = self.published_of(of.shown(ENVIRONMENT)).map(|published| published.scores);
        let set = set_name(of).to_owned();
        let setting = of.shown(SETTING).to_owned();
        let fits = move |figure: &&PublishedFigure| {
            set == figure.level_set && figure.setting.to_string() == setting && figure.window.is_none()
        };
        figures.unwrap_or_default().iter().filter(fits)
    }
}

/// What differs here, in one line.
pub(super) fn deviation_note(deviations: &str) -> String {
    format!("here: {deviations}; our own prompts")
}

fn is_of(condition: &Condition, environment: &str, setting: Setting) -> bool {
    condition.shown(ENVIRONMENT) == environment && condition.shown(SETTING) == setting.to_string()
}

/// The environment and the first letter of the setting.
fn title((spec, setting): &Column) -> String {
    format!("{}-{:.1}", spec.name(), setting.to_string())
}

/// The agents of these columns, each once, in the order of the first column that has them.
fn agents(
    columns: &[Column],
    of: impl Fn(&'static dyn EnvironmentSpec) -> Vec<&'static str>,
) -> Vec<&'static str> {
    let mut found: Vec<&str> = Vec::new();
    for agent in columns.iter().flat_map(|(spec, _)| of(*spec)) {
        if !found.contains(&agent) {
            found.push(agent);
        }
    }
    found
}

/// `46.09 [41.20, 52.10] n 60`.
fn own_score(stats: &GroupStats) -> String {
    let score = with_error(stats.score(), None, 2, "");
    let interval = stats.results.score.map(|interval| format!(" {}", interval_text(Some(interval), 2)));
    format!("{score}{} n {}", interval.unwrap_or_default(), stats.scores.len())
}

/// `47.46 ± 0.5`, or `IFE`.
fn score_text(figure: &PublishedFigure) -> String {
    match (figure.result, figure.deviation) {
        (PublishedResult::InstructionError, _) => IFE.to_owned(),
        (PublishedResult::Score(score), None) => published_score(score),
        (PublishedResult::Score(score), Some(deviation)) => {
            format!("{} ± {deviation:.1}", published_score(score))
        }
    }
}

/// `0.0/43.0 (passes only)`.
fn errors_text(errors: &PublishedErrors) -> String {
    let remark = errors.remark.map_or_else(String::new, |remark| format!(" ({remark})"));
    format!("{:.1}/{:.1}{remark}", errors.invalid, errors.repeated)
}

fn own_window(naming: &RowDifferences, condition: &Condition, stats: &GroupStats) -> Vec<String> {
    let place = [ENVIRONMENT, LEVEL_SET, SETTING, AM, OM];
    let mut row = vec![name_among(naming, condition, &place)];
    row.extend(place.map(|name| naming.cell(condition, name)));
    row.push(with_error(stats.score(), stats.score_error(), 2, ""));
    row.push(interval_text(stats.results.score, 2));
    row.extend([stats.scores.len().to_string(), FROM_HERE.to_owned()]);
    row
}

fn window_row(environment: &str, figure: &PublishedFigure) -> Vec<String> {
    let (am, om) = figure.window.unwrap_or_default();
    let names = [figure.agent, environment, figure.level_set].map(str::to_owned).into_iter();
    let place = [figure.setting.to_string(), am.to_string(), om.to_string()];
    let score = [score_text(figure), NONE.to_owned(), NONE.to_owned(), FROM_THE_PAPER.to_owned()];
    names.chain(place).chain(score).collect()
}

/// A score with all the digits that were published: two or three after the point.
fn published_score(score: f64) -> String {
    let text = format!("{score:.3}");
    text.strip_suffix('0').unwrap_or(&text).to_owned()
}
