//! Tables of scores: by group, by step, what was lost, and relative to published optima.

use std::collections::{BTreeMap, BTreeSet};

use super::{ReportTables, Table, interval_text, name_among, percent, retitle, with_error};
use crate::document::{Intervals, MeanInterval, Section};
use crate::{Condition, ENDINGS, GroupStats, LEVEL_SET, RowDifferences, SAME_LEVELS, StoppedBy};
use mageyard_domain::Loss;
use mageyard_domain::count_noun;
use mageyard_engine::{Ending, Mark};

/// The title of the column of dropped members, which is shown where there are any.
const DROPPED: &str = "dropped members";

impl ReportTables<'_> {
    /// The scores as a table, with a picture of each level set on which several groups have scores.
    pub(super) fn score_section(&self, paper: bool) -> Option<Section> {
        let mut sets: BTreeMap<[&str; 3], Vec<(&Condition, &GroupStats)>> = BTreeMap::new();
        for (condition, stats) in self.groups {
            sets.entry(SAME_LEVELS.map(|name| condition.shown(name))).or_default().push((condition, stats));
        }
        let pictures = sets.into_iter().filter(|(_, groups)| groups.len() > 1);
        let pictures =
            pictures.map(|([_, _, set], groups)| self.score_picture(set, &groups, paper)).collect();
        let notes = self.what_is_counted();
        Section::table("Scores", true, self.scores()).map(|section| Section { pictures, notes, ..section })
    }

    /// What was left out, and which names of levels stand for several.
    pub fn what_is_counted(&self) -> Vec<String> {
        let left_out: usize = self.groups.values().map(|stats| stats.left_out).sum();
        let left_out = (left_out > 0).then(|| {
            let count = count_noun(left_out, "episode is", "episodes are");
            format!("{count} left out: one with the same level, repeat, seed and settings is counted")
        });
        left_out.into_iter().chain(self.left_out_records()).chain(self.ambiguous_levels()).collect()
    }

    /// The records of level files that could not be played, a sentence for each file.
    fn left_out_records(&self) -> Vec<String> {
        let mut files: BTreeMap<&str, usize> = BTreeMap::new();
        for (condition, stats) in self.groups.iter().filter(|(_, stats)| stats.left_out_records > 0) {
            let count = files.entry(condition.shown(LEVEL_SET)).or_default();
            *count = stats.left_out_records.max(*count);
        }
        let sentence = |(file, count): (&str, usize)| {
            format!(
                "{} of {file} could not be played and were left out",
                count_noun(count, "record", "records")
            )
        };
        files.into_iter().map(sentence).collect()
    }

    fn score_picture(&self, set: &str, groups: &[(&Condition, &GroupStats)], paper: bool) -> Intervals {
        let naming = RowDifferences::of(groups.iter().map(|(condition, _)| *condition));
        let row = |(condition, stats): &(&Condition, &GroupStats)| {
            let interval = stats.results.score.map(|interval| (interval.low, interval.high));
            Some(MeanInterval { name: name_among(&naming, condition, &[]), mean: stats.score()?, interval })
        };
        let first = groups.first().map(|(condition, _)| *condition);
        let recorded = first.map(|condition| self.recorded_scores(condition)).unwrap_or_default();
        let published = first.filter(|_| paper).map(|condition| self.published_baselines(condition));
        Intervals {
            title: format!("Mean scores with 95 % intervals: {set}"),
            rows: groups.iter().filter_map(row).collect(),
            levels: recorded.into_iter().chain(published.unwrap_or_default()).collect(),
        }
    }

    /// Scores, success rates, parse errors and endings.
    pub(super) fn scores(&self) -> Table {
        let counts: BTreeSet<usize> = self.groups.values().map(GroupStats::levels).collect();
        let levels = counts.len() > 1;
        let titles = [
            "n",
            "levels",
            "score ± SE",
            "95 % interval",
            "success ± SE",
            "95 % interval",
            "parse errors",
            DROPPED,
            "ineffective",
            "dead",
            "other endings",
        ];
        let dropped = self.groups.values().any(|stats| stats.dropped > 0);
        let is_shown = |title: &&str| match *title {
            "levels" => levels,
            DROPPED => dropped,
            _ => true,
        };
        let titles: Vec<&str> = titles.into_iter().filter(is_shown).collect();
        self.table(&titles, |_, stats| {
            let aside =
                [(stats.mixed, "mixed"), (stats.unfinished, "unfinished"), (stats.left_out, "left out")];
            let aside = aside.iter().filter(|(count, _)| *count > 0);
            let aside = aside.map(|(count, name)| format!(" (+{count} {name})")).collect::<Vec<_>>().concat();
            let mut cells = vec![format!("{}{aside}", stats.episodes)];
            cells.extend(levels.then(|| stats.levels().to_string()));
            cells.extend([
                with_error(stats.score(), stats.score_error(), 2, ""),
                interval_text(stats.results.score, 2),
                with_error(stats.success_rate(), stats.success_error(), 1, " %"),
                interval_text(stats.results.success, 1),
                format!(
                    "{} in {} %",
                    count_noun(stats.parse_errors, "reply", "replies"),
                    percent(stats.marked(Mark::ParseError))
                ),
            ]);
            cells.extend(
                dropped.then(|| format!("{} in {} %", stats.dropped, percent(stats.marked(Mark::Dropped)))),
            );
            cells.extend([
                format!("{} of {} steps", stats.ineffective, stats.steps),
                format!("{} %", percent(stats.marked(Mark::Dead))),
                other_endings(stats),
            ]);
            Some(cells)
        })
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

    /// The mean of what each term of the reward earned, for the groups whose environment names the terms.
    pub(super) fn reward_terms(&self) -> Table {
        let mut names: Vec<&'static str> = Vec::new();
        for environment in self.environments() {
            names.extend(environment.capabilities().scoring.reward_terms());
        }
        let mut table = self.table(&names, |_, stats| {
            let terms = stats.reward_terms();
            let cell =
                |name: &&str| terms.get(*name).map_or_else(|| "–".to_owned(), |mean| format!("{mean:.2}"));
            (!terms.is_empty()).then(|| names.iter().map(cell).collect())
        });
        retitle(&mut table, "mean of");
        table
    }

    /// The kinds of losses of the environments in the report, each once.
    fn kinds_of_loss(&self) -> Vec<Loss> {
        let mut kinds: Vec<Loss> = Vec::new();
        for environment in self.environments() {
            kinds.extend(environment.capabilities().scoring.losses());
        }
        kinds.dedup();
        kinds
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

/// The endings that the agent did not cause, without won episodes, which the success rate has.
fn other_endings(sum: &GroupStats) -> String {
    let is_other = |row: &&(Ending, &str, StoppedBy)| row.2 == StoppedBy::Other && row.0 != Ending::Won;
    let others = ENDINGS.iter().filter(is_other).filter(|row| sum.ended(row.1) > 0);
    others.map(|row| format!("{} {}", sum.ended(row.1), row.1)).collect::<Vec<_>>().join(", ")
}
