//! Curves of the best of n repeats, and of the score after each step.

use std::collections::BTreeMap;

use super::published::deviation_note;
use super::{BASELINES, ReportTables, name_among};
use crate::document::{Block, Curve, CurvePoint, Curves, Section};
use crate::{Condition, ENVIRONMENT, GroupStats, RowDifferences, SAME_LEVELS, StepScore};
use mageyard_domain::PublishedFigure;
use mageyard_statistics::BestOf;

/// Rows of the same levels.
pub(super) type Rows<'a> = Vec<(&'a Condition, &'a GroupStats)>;

impl ReportTables<'_> {
    /// A picture for each level set with repeats; with `paper` it has the published baselines too.
    pub(super) fn best_of(&self, paper: bool) -> Vec<Section> {
        let sets = self.sets(|stats| !stats.results.best_of.is_empty());
        sets.into_iter().filter_map(|(set, groups)| self.best_of_set(set, &groups, paper)).collect()
    }

    fn best_of_set(&self, set: &str, groups: &Rows<'_>, paper: bool) -> Option<Section> {
        let (first, _) = groups.first()?;
        let shown: Vec<&str> = groups.iter().map(|(condition, _)| condition.agent()).collect();
        let mut levels = self.baselines(first, &shown);
        let published = if paper { self.published_baselines(first) } else { Vec::new() };
        let deviations = self.published_of(first.shown(ENVIRONMENT)).filter(|_| !published.is_empty());
        levels.extend(published);
        let lines = curves(groups, |name, stats| Curve {
            name,
            points: stats.results.best_of.iter().map(best_of_point).collect(),
        });
        let block = Block::Curves(Curves { x: "best of n repeats", first: 1, lines, levels });
        let mut notes = vec![
            "expected best score of n repeats of a level, unbiased over the choice of the n, averaged over levels; in brackets its 95 % interval"
                .to_owned(),
        ];
        notes.extend(deviations.map(|published| deviation_note(published.deviations)));
        Some(Section::new(format!("Best of n: {set}"), block).with_notes(notes))
    }

    /// The score after each step, a picture for each level set whose environment has one.
    pub(super) fn scores_by_step(&self) -> Vec<Section> {
        let sets = self.sets(|stats| !stats.results.by_step.is_empty());
        sets.into_iter().map(|(set, groups)| by_step(set, &groups)).collect()
    }

    /// The rows with something to show, by their levels.
    pub(super) fn sets(&self, has: impl Fn(&GroupStats) -> bool) -> Vec<(&str, Rows<'_>)> {
        let mut sets: BTreeMap<[&str; 3], Rows<'_>> = BTreeMap::new();
        for (condition, stats) in self.groups.iter().filter(|(_, stats)| has(stats)) {
            let place = SAME_LEVELS.map(|name| condition.shown(name));
            sets.entry(place).or_default().push((condition, stats));
        }
        sets.into_iter().map(|([_, _, set], groups)| (set, groups)).collect()
    }

    /// The published scores of baselines for the level set and the setting of this condition.
    pub(super) fn published_baselines(&self, of: &Condition) -> Vec<(String, f64)> {
        let baseline = self.figures_for(of).filter(|figure| BASELINES.contains(&figure.agent));
        let named = |figure: &PublishedFigure| {
            let name = format!("{} (from the paper, {})", figure.agent, figure.level_set);
            Some((name, figure.result.score()?))
        };
        baseline.filter_map(named).collect()
    }
}

/// A curve for each row, with its name among them.
pub(super) fn curves(groups: &Rows<'_>, curve: impl Fn(String, &GroupStats) -> Curve) -> Vec<Curve> {
    let naming = RowDifferences::of(groups.iter().map(|(condition, _)| *condition));
    groups.iter().map(|(condition, stats)| curve(name_among(&naming, condition, &[]), stats)).collect()
}

fn by_step(set: &str, groups: &Rows<'_>) -> Section {
    let lines = curves(groups, |name, stats| {
        let steps = &stats.results.by_step;
        let points = steps.iter().map(step_point).collect();
        Curve { name: format!("{name} (n {})", counts(steps)), points }
    });
    let block = Block::Curves(Curves { x: "score after step", first: 0, lines, levels: Vec::new() });
    let notes = vec![
        "mean over the n episodes that made the step; several numbers if some ended before others; in brackets its 95 % interval"
            .to_owned(),
    ];
    Section::new(format!("Scores by step: {set}"), block).with_notes(notes)
}

/// The number of episodes: of all steps, or of each if they differ.
fn counts(steps: &[StepScore]) -> String {
    let mut counts: Vec<String> = steps.iter().map(|step| step.episodes.to_string()).collect();
    if counts.windows(2).all(|pair| pair[0] == pair[1]) {
        counts.truncate(1);
    }
    counts.join(", ")
}

fn best_of_point(point: &BestOf) -> CurvePoint {
    CurvePoint { y: point.mean, band: point.band.map(|band| (band.low, band.high)) }
}

fn step_point(step: &StepScore) -> CurvePoint {
    CurvePoint { y: step.mean, band: step.interval.map(|interval| (interval.low, interval.high)) }
}
