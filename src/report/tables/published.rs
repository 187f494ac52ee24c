//! Published scores beside one's own, always marked as such and never without their level set.

use super::baselines::levels;
use super::published_sets::{DEVIATION_NOTE, IFE, IFE_NOTE, PUBLISHED_SETS, PublishedSet, set_name};
use super::{ReportTables, interval_text, with_error};
use crate::document::{Rows, Section, Table};
use crate::{Condition, ENVIRONMENT, GroupStats, IdleScore, LEVEL_SET, RowAcross, RowsAcross, SETTING};
use mageyard_domain::{
    EnvironmentSpec, PublishedFigure, PublishedFigures, PublishedResult, Setting, table_label,
};

/// What marks a row that was not measured here.
pub(super) const FROM_THE_PAPER: &str = "from the paper";

/// What marks a row that was.
pub(super) const FROM_HERE: &str = "this report";

/// The row of doing nothing, and where it is from.
pub(super) const IDLE: &str = "doing nothing";
pub(super) const COMPUTED: &str = "computed on these levels";

/// A cell without a value.
pub(super) const NONE: &str = "–";

/// The environment and the setting of a column.
pub(super) type Column = (&'static dyn EnvironmentSpec, Setting);

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
        rows.extend(self.idle_rows(set, &columns, names.len()));
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
        let mut notes = source_notes(&columns);
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

    /// The scores of doing nothing on the levels of one's own rows, a row for each of their level sets.
    fn idle_rows(&self, set: &PublishedSet, columns: &[Column], names: usize) -> Rows {
        let mut sets: Vec<&str> = self.groups.keys().map(set_name).filter(|name| set.takes(name)).collect();
        sets.sort_unstable();
        sets.dedup();
        let row = |name: &&str| {
            let cell = |(spec, setting): &Column| {
                let own = self.groups.keys().filter(|condition| set_name(condition) == *name);
                let mut own = own.filter(|condition| is_of(condition, spec.name(), *setting));
                own.find_map(|condition| self.idle.find(condition)).map(idle_text)
            };
            let cells: Vec<Option<String>> = columns.iter().map(cell).collect();
            let is_known = cells.iter().any(Option::is_some);
            let cells = cells.into_iter().map(|cell| cell.unwrap_or_else(|| NONE.to_owned()));
            let head = std::iter::once(IDLE.to_owned()).chain(std::iter::repeat_n(NONE.to_owned(), names));
            let row = head.chain([table_label(name)]).chain(cells).chain([COMPUTED.to_owned()]);
            is_known.then(|| row.collect())
        };
        sets.iter().filter_map(row).collect()
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

    /// The columns of the environments in the report with something published, in the order of the published tables.
    pub(super) fn published_columns(
        &self,
        settings: impl Fn(&PublishedFigures) -> Vec<Setting>,
    ) -> Vec<Column> {
        let mut specs = self.environments();
        specs.sort_by_key(|spec| spec.capabilities().published.order);
        let columns = specs.into_iter().flat_map(|spec| {
            let known = settings(&spec.capabilities().published);
            let both = [Setting::Global, Setting::Online].into_iter();
            both.filter(move |setting| known.contains(setting)).map(move |setting| (spec, setting))
        });
        columns.collect()
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

/// Where the figures are from, and in one line what differs here.
pub(super) fn source_notes(columns: &[Column]) -> Vec<String> {
    let mut deviations: Vec<&str> =
        columns.iter().map(|(spec, _)| spec.capabilities().published.deviations).collect();
    deviations.dedup();
    let source = format!("{FROM_THE_PAPER}: MageBench (arXiv 2412.04531), measured on its own levels");
    vec![source, deviation_note(&deviations.join("; "))]
}

/// What differs here, in one line.
pub(super) fn deviation_note(deviations: &str) -> String {
    format!("here: {deviations}; our own prompts")
}

pub(super) fn is_of(condition: &Condition, environment: &str, setting: Setting) -> bool {
    condition.shown(ENVIRONMENT) == environment && condition.shown(SETTING) == setting.to_string()
}

/// The environment and the first letter of the setting.
pub(super) fn title((spec, setting): &Column) -> String {
    format!("{}-{:.1}", spec.name(), setting.to_string())
}

/// The agents of these columns, each once, in the order of the first column that has them.
pub(super) fn agents(
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

/// `41.30 [40.15, 42.42] n 20`.
fn idle_text(found: &IdleScore) -> String {
    let interval = found.interval.map(|interval| format!(" {}", interval_text(Some(interval), 2)));
    format!("{:.2}{} n {}", found.mean, interval.unwrap_or_default(), found.levels)
}

/// `46.09 [41.20, 52.10] n 60`.
fn own_score(stats: &GroupStats) -> String {
    let score = with_error(stats.score(), None, 2, "");
    let interval = stats.results.score.map(|interval| format!(" {}", interval_text(Some(interval), 2)));
    format!("{score}{} n {}", interval.unwrap_or_default(), stats.scores.len())
}

/// `47.46 ± 0.5`, or `IFE`.
pub(super) fn score_text(figure: &PublishedFigure) -> String {
    match (figure.result, figure.deviation) {
        (PublishedResult::InstructionError, _) => IFE.to_owned(),
        (PublishedResult::Score(score), None) => published_score(score),
        (PublishedResult::Score(score), Some(deviation)) => {
            format!("{} ± {deviation:.1}", published_score(score))
        }
    }
}

/// A score with all the digits that were published: two or three after the point.
fn published_score(score: f64) -> String {
    let text = format!("{score:.3}");
    text.strip_suffix('0').unwrap_or(&text).to_owned()
}
