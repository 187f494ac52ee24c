//! Scores that others are compared with: of agents that do not think, and of what was recorded elsewhere, such as people.

use super::{BASELINES, ReportTables, interval_text, with_error};
use crate::document::{Rows, Section, Table};
use crate::{AGENT, Baseline, Condition, LEVEL_SET, SETTING};

/// The most missing levels that are named.
const MOST_NAMED: usize = 5;

impl ReportTables<'_> {
    /// The scores of agents that others are compared with, on the levels of this condition, by name; without agents that
    /// are shown anyway.
    pub(super) fn baselines(&self, of: &Condition, shown: &[&str]) -> Vec<(String, f64)> {
        let alike = |condition: &Condition| condition.has_same_levels(of);
        let is_line = |agent: &str| BASELINES.contains(&agent) && !shown.contains(&agent);
        let own = self.groups.iter().filter(|(condition, _)| is_line(condition.agent()) && alike(condition));
        let own = own.filter_map(|(condition, stats)| Some((self.name_of(condition), stats.score()?)));
        own.chain(self.recorded_scores(of)).collect()
    }

    /// The scores that were recorded elsewhere on the levels of this condition, by name.
    pub(super) fn recorded_scores(&self, of: &Condition) -> Vec<(String, f64)> {
        let recorded = self.recorded.iter().filter(|(condition, _)| condition.has_same_levels(of));
        let scores =
            recorded.filter_map(|(condition, found)| Some((name(condition, found), found.stats.score()?)));
        scores.collect()
    }

    /// What was recorded elsewhere: a row per condition, with the levels that are missing.
    pub(super) fn recorded(&self) -> Option<Section> {
        let titles = ["recorded baseline", LEVEL_SET, SETTING, "n", "levels", "score ± SE", "95 % interval"];
        let titles = titles.into_iter().chain(["success ± SE", "levels without an episode"]);
        let mut rows: Rows = vec![titles.map(str::to_owned).collect()];
        rows.extend(self.recorded.iter().map(|(condition, found)| row(condition, found)));
        let note = "only finished episodes on levels of this report count, by what the levels contain; a mean over fewer levels is not that of all";
        Section::table("Recorded baselines", true, Table { rows, names: 1 })
            .map(|section| section.with_notes(vec![note.to_owned()]))
    }
}

/// `human Online`, with the levels if some are missing.
fn name(condition: &Condition, found: &Baseline) -> String {
    let name = format!("{} {}", condition.shown(AGENT), condition.shown(SETTING));
    if found.missing.is_empty() { name } else { format!("{name} ({})", levels(found)) }
}

/// `8 of 20 levels`.
pub(super) fn levels(found: &Baseline) -> String {
    format!("{} of {} levels", found.stats.levels(), found.of)
}

fn row(condition: &Condition, found: &Baseline) -> Vec<String> {
    let stats = &found.stats;
    let names = [AGENT, LEVEL_SET, SETTING].map(|name| condition.shown(name).to_owned());
    let cells = [
        stats.episodes.to_string(),
        format!("{} of {}", stats.levels(), found.of),
        with_error(stats.score(), stats.score_error(), 2, ""),
        interval_text(stats.results.score, 2),
        with_error(stats.success_rate(), stats.success_error(), 1, " %"),
        missing(found),
    ];
    names.into_iter().chain(cells).collect()
}

/// The first of the missing levels, and how many others there are.
fn missing(found: &Baseline) -> String {
    let named: Vec<&str> = found.missing.iter().take(MOST_NAMED).map(String::as_str).collect();
    match found.missing.len().saturating_sub(MOST_NAMED) {
        0 if named.is_empty() => "none".to_owned(),
        0 => named.join(", "),
        others => format!("{} and {others} more", named.join(", ")),
    }
}
