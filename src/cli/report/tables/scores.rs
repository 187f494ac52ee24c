//! Tables of scores: by group, by step, what was lost, and the published scores.

use std::collections::BTreeSet;

use super::ReportTables;
use super::Table;
use super::percent;
use super::retitle;
use crate::domain::Loss;
use crate::engine::Mark;
use crate::lab::report::ENDINGS;
use crate::lab::report::ENVIRONMENT;
use crate::lab::report::GroupStats;
use crate::lab::report::LEVEL_SET;
use crate::lab::report::SETTING;
use crate::lab::report::StoppedBy;

impl ReportTables<'_> {
    /// Scores, success rates, parse errors and endings.
    pub(super) fn scores(&self) -> Table {
        let counts: BTreeSet<usize> = self.groups.values().map(GroupStats::levels).collect();
        let levels = counts.len() > 1;
        let titles = [
            "n",
            "levels",
            "score ± SE",
            "success ± SE",
            "parse errors",
            "ineffective",
            "dead",
            "other endings",
        ];
        let titles: Vec<&str> = titles.into_iter().filter(|title| levels || *title != "levels").collect();
        self.table(&titles, |_, stats| {
            let aside = [(stats.mixed, "mixed"), (stats.unfinished, "unfinished")];
            let aside = aside.iter().filter(|(count, _)| *count > 0);
            let aside = aside.map(|(count, name)| format!(" (+{count} {name})")).collect::<Vec<_>>().concat();
            let mut cells = vec![format!("{}{aside}", stats.episodes)];
            cells.extend(levels.then(|| stats.levels().to_string()));
            cells.extend([
                with_error(stats.score(), stats.score_error(), 2, ""),
                with_error(stats.success_rate(), stats.success_error(), 1, " %"),
                format!("{} in {} %", stats.parse_errors, percent(stats.marked(Mark::ParseError))),
                format!("{} of {} steps", stats.ineffective, stats.steps),
                format!("{} %", percent(stats.marked(Mark::Dead))),
                other_endings(stats),
            ]);
            Some(cells)
        })
    }

    /// The score after each step, for the groups whose environment has one.
    pub(super) fn scores_by_step(&self) -> Table {
        let most = self.groups.values().map(|stats| stats.scores_by_step().len()).max().unwrap_or(0);
        let titles: Vec<String> = (1..=most).map(|step| format!("step {step}")).collect();
        let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
        let cell = |(score, count): (f64, usize)| format!("{score:.2} (n {count})");
        let mut table = self.table(&titles, |_, stats| {
            let cells: Vec<String> = stats.scores_by_step().into_iter().map(cell).collect();
            let missing = most - cells.len();
            let none = std::iter::repeat_n("–".to_owned(), missing);
            (missing < most).then(|| cells.into_iter().chain(none).collect())
        });
        retitle(&mut table, "score after");
        table
    }

    /// What part of the score was lost to what, for the groups whose environment says so (the table of the paper).
    pub(super) fn losses(&self) -> Table {
        let kinds = self.kinds_of_loss();
        let titles: Vec<&str> = kinds.iter().map(|loss| loss.label).collect();
        let mut table = self.table(&titles, |_, stats| {
            let losses = stats.losses();
            let cell = |loss: &Loss| percent(losses.get(loss.name).copied());
            (!losses.is_empty()).then(|| kinds.iter().map(cell).collect())
        });
        retitle(&mut table, "score lost in %");
        table
    }

    /// The kinds of losses of the environments in the report, each once.
    fn kinds_of_loss(&self) -> Vec<Loss> {
        let mut kinds: Vec<Loss> = Vec::new();
        for environment in self.environments() {
            kinds.extend(environment.losses());
        }
        kinds.dedup();
        kinds
    }

    /// The published scores of the level sets and settings in the report.
    pub(in crate::cli::report) fn published_figures(&self) -> Table {
        let head = ["published", ENVIRONMENT, LEVEL_SET, SETTING, "score"].map(str::to_owned);
        let mut rows = vec![head.to_vec()];
        for spec in self.environments() {
            rows.extend(spec.published_figures().iter().map(|figure| {
                let set = format!("{}/{}", spec.name(), figure.level_set);
                let score = format!("{:.2}", figure.score);
                vec![figure.agent.to_owned(), spec.name().to_owned(), set, figure.setting.to_string(), score]
            }));
        }
        Table { rows, names: 1 }
    }

    /// The score and the score relative to the published optimum, for the groups with such levels.
    pub(super) fn published(&self) -> Table {
        let number =
            |mean: Option<f64>| mean.map_or_else(|| "unknown".to_owned(), |mean| format!("{mean:.2}"));
        self.table(&["score", "published score"], |_, stats| {
            let published =
                format!("{} over {} of {}", number(stats.published()), stats.published.len(), stats.episodes);
            (!stats.published.is_empty()).then(|| vec![number(stats.score()), published])
        })
    }
}

/// `87.50 ± 3.21`; without the error where it is unknown.
fn with_error(value: Option<f64>, error: Option<f64>, digits: usize, unit: &str) -> String {
    match (value, error) {
        (None, _) => "unknown".to_owned(),
        (Some(value), None) => format!("{value:.digits$}{unit}"),
        (Some(value), Some(error)) => format!("{value:.digits$} ± {error:.digits$}{unit}"),
    }
}

/// The endings that the agent did not cause.
fn other_endings(sum: &GroupStats) -> String {
    let others = ENDINGS.iter().filter(|row| row.2 == StoppedBy::Other && sum.ended(row.1) > 0);
    others.map(|row| format!("{} {}", sum.ended(row.1), row.1)).collect::<Vec<_>>().join(", ")
}
