//! Curves of the best of n repeats.

use std::collections::BTreeMap;

use super::{BASELINES, ReportTables};
use crate::report::document::{Block, Curve, CurvePoint, Curves, Section};
use mageyard_report::{Condition, GroupStats, SAME_LEVELS};

impl ReportTables<'_> {
    /// A picture for each level set with repeats; with `paper` it has the published baselines too.
    pub(super) fn best_of(&self, paper: bool) -> Vec<Section> {
        let mut sets: BTreeMap<[&str; 3], Vec<(&Condition, &GroupStats)>> = BTreeMap::new();
        for (condition, stats) in self.groups.iter().filter(|(_, stats)| !stats.results.best_of.is_empty()) {
            let place = SAME_LEVELS.map(|name| condition.shown(name));
            sets.entry(place).or_default().push((condition, stats));
        }
        sets.into_iter().filter_map(|([_, _, set], groups)| self.curves(set, &groups, paper)).collect()
    }

    fn curves(&self, set: &str, groups: &[(&Condition, &GroupStats)], paper: bool) -> Option<Section> {
        let (first, _) = groups.first()?;
        let shown: Vec<&str> = groups.iter().map(|(condition, _)| condition.agent()).collect();
        let mut levels = self.baselines(first, &shown);
        levels.extend(paper.then(|| self.published_baselines(first)).into_iter().flatten());
        let lines = groups.iter().map(|(condition, stats)| self.curve(condition, stats)).collect();
        let block = Block::Curves(Curves { x: "best of n repeats", lines, levels });
        let notes = vec![
            "expected best score of n repeats of a level, unbiased over the choice of the n, averaged over levels; in brackets its 95 % interval"
                .to_owned(),
        ];
        Some(Section::new(format!("Best of n: {set}"), block).with_notes(notes))
    }

    fn curve(&self, condition: &Condition, stats: &GroupStats) -> Curve {
        let points = stats
            .results
            .best_of
            .iter()
            .map(|point| CurvePoint { y: point.mean, band: point.band.map(|band| (band.low, band.high)) });
        Curve { name: self.name_of(condition), points: points.collect() }
    }

    /// The published scores of baselines for the level set and the setting of this condition.
    pub(super) fn published_baselines(&self, of: &Condition) -> Vec<(String, f64)> {
        let figures = self.figures_for(of);
        let baseline = figures.filter(|figure| BASELINES.iter().any(|name| figure.agent.contains(name)));
        baseline.map(|figure| (format!("{} (from the paper)", figure.agent), figure.score)).collect()
    }
}
