//! Published scores and errors beside one's own, always marked as such.

use super::{ReportTables, interval_text, with_error};
use crate::report::document::{Rows, Section, Table};
use mageyard_domain::PublishedFigure;
use mageyard_report::{Condition, ENVIRONMENT, LEVEL_SET, SETTING};

/// What marks a row that was not measured here.
const FROM_THE_PAPER: &str = "from the paper";

impl ReportTables<'_> {
    /// The published scores of the environments in the report, below one's own of the same level set and setting.
    pub(super) fn published_figures(&self) -> Option<Section> {
        let titles =
            ["agent", ENVIRONMENT, LEVEL_SET, SETTING, "AM", "OM", "score ± SE", "95 % interval", "source"];
        let mut rows: Rows = vec![titles.map(str::to_owned).to_vec()];
        for spec in self.environments() {
            let own = self.groups.iter().filter(|(condition, _)| condition.shown(ENVIRONMENT) == spec.name());
            let published = spec.capabilities().published.scores;
            rows.extend(own.filter(|_| !published.is_empty()).map(|(condition, stats)| {
                let place = ["agent", ENVIRONMENT, LEVEL_SET, SETTING, "AM", "OM"];
                let mut row: Vec<String> = place.map(|name| condition.shown(name).to_owned()).to_vec();
                row[0] = self.name_without(condition, &place[1..]);
                row.push(with_error(stats.score(), stats.score_error(), 2, ""));
                row.extend([interval_text(stats.results.score, 2), "this report".to_owned()]);
                row
            }));
            rows.extend(published.iter().map(|figure| paper_row(spec.name(), figure)));
        }
        let table = Table { rows, names: 1 };
        let notes = vec![format!(
            "{FROM_THE_PAPER}: MageBench (arXiv 2412.04531), measured on its own levels, which are others than those shipped here"
        )];
        Section::table("Published scores", false, table).map(|section| section.with_notes(notes))
    }

    /// The published IA and RA of the environments in the report.
    pub(super) fn published_errors(&self) -> Option<Section> {
        let mut rows: Rows =
            vec![["IA/RA in %", ENVIRONMENT, SETTING, "IA", "RA", "source"].map(str::to_owned).to_vec()];
        for spec in self.environments() {
            rows.extend(spec.capabilities().published.errors.iter().map(|errors| {
                let shares = [errors.invalid, errors.repeated].map(|share| format!("{share:.1}"));
                let names = [errors.agent.to_owned(), spec.name().to_owned(), errors.setting.to_string()];
                names.into_iter().chain(shares).chain([FROM_THE_PAPER.to_owned()]).collect()
            }));
        }
        Section::table("Published invalid and repeated actions (mini sets)", false, Table { rows, names: 1 })
    }

    /// The published figures without a window for the level set and setting of a condition.
    pub(super) fn figures_for(&self, of: &Condition) -> impl Iterator<Item = &'static PublishedFigure> {
        let spec = self.known.iter().find(|spec| spec.name() == of.shown(ENVIRONMENT));
        let figures = spec.map(|spec| spec.capabilities().published.scores).unwrap_or_default();
        let set = of.shown(LEVEL_SET).to_owned();
        let setting = of.shown(SETTING).to_owned();
        let fits = move |figure: &&PublishedFigure| {
            set.rsplit_once('/').is_some_and(|(_, name)| name == figure.level_set)
                && figure.setting.to_string() == setting
                && figure.window.is_none()
        };
        figures.iter().filter(fits)
    }
}

fn paper_row(environment: &str, figure: &PublishedFigure) -> Vec<String> {
    let window = figure
        .window
        .map_or(["–".to_owned(), "–".to_owned()], |(am, om)| [am.to_string(), om.to_string()]);
    let set = format!("{environment}/{}", figure.level_set);
    let names = [figure.agent.to_owned(), environment.to_owned(), set, figure.setting.to_string()];
    let score = [published_score(figure.score), "–".to_owned(), FROM_THE_PAPER.to_owned()];
    names.into_iter().chain(window).chain(score).collect()
}

/// A score with all the digits that were published: two or three after the point.
fn published_score(score: f64) -> String {
    let text = format!("{score:.3}");
    text.strip_suffix('0').unwrap_or(&text).to_owned()
}
