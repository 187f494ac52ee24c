//! Published scores by memory window, below one's own.

use super::published::{
    COMPUTED, Column, FROM_HERE, FROM_THE_PAPER, IDLE, NONE, is_of, score_text, source_notes,
};
use super::{ReportTables, interval_text, name_among, with_error};
use crate::document::{Rows, Section, Table};
use crate::{AM, Condition, ENVIRONMENT, GroupStats, LEVEL_SET, OM, RowDifferences, SETTING};
use mageyard_domain::PublishedFigure;

impl ReportTables<'_> {
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
            let places = own.iter().map(|(condition, _)| *condition);
            let idle = places.filter_map(|condition| self.idle_row(condition));
            let mut idle: Rows = idle.collect();
            idle.dedup();
            rows.extend(own.into_iter().map(|(condition, stats)| own_window(&naming, condition, stats)));
            rows.extend(idle);
            rows.extend(published.into_iter().map(|figure| window_row(spec.name(), figure)));
        }
        let title = "Published scores by memory window (MageBench, supplement, tables 5 and 6)";
        let notes = source_notes(&columns);
        Section::table(title, false, Table { rows, names: 1 }).map(|section| section.with_notes(notes))
    }
}

impl ReportTables<'_> {
    /// The score of doing nothing on the levels of a row; the window does not matter.
    fn idle_row(&self, condition: &Condition) -> Option<Vec<String>> {
        let found = self.idle.find(condition)?;
        let place = [ENVIRONMENT, LEVEL_SET, SETTING].map(|name| condition.shown(name).to_owned());
        let score = [with_error(Some(found.mean), None, 2, ""), interval_text(found.interval, 2)];
        let row = std::iter::once(IDLE.to_owned()).chain(place).chain([NONE, NONE].map(str::to_owned));
        Some(row.chain(score).chain([found.levels.to_string(), COMPUTED.to_owned()]).collect())
    }
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
