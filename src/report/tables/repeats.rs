//! What the repeats of levels have in common: how many levels flip, how much scores vary within and between levels, and how
//! probable it is that several repeats are all solved.

use super::{ReportTables, best_of::curves};
use crate::GroupStats;
use crate::document::{Block, Curve, CurvePoint, Curves, Section};
use mageyard_statistics::{PassHat, SplitLevel, VarianceComponents};

/// The most levels that a cell names.
const MOST_NAMED: usize = 4;

/// The mark of an estimate that is negative.
const NEGATIVE: char = '▽';

const NOTES: [&str; 3] = [
    "levels with two repeats or more: solved always, never, or split, with the solved repeats of the most uncertain ones",
    "variance of scores, in points², by one-way random effects (analysis of variance): within the repeats of a level, and between levels; then the share between levels",
    "▽: the estimate between levels is negative and counts as 0, so levels differ by no more than their repeats explain",
];

impl ReportTables<'_> {
    /// The table of repeated levels; nothing if no level was repeated.
    pub(super) fn repeats(&self) -> Option<Section> {
        let titles = ["repeated levels", "always", "never", "split", "played once", "variance within"];
        let titles: Vec<&str> =
            titles.into_iter().chain(["variance between", "share between", "split levels"]).collect();
        let table = self.table(&titles, |_, stats| {
            let found = &stats.results.repeated;
            let counts = [found.repeated(), found.always, found.never, found.split.len(), found.once];
            let counts = counts.map(|count| count.to_string()).into_iter();
            let cells = counts.chain(variances(stats.results.variance)).chain([split_text(&found.split)]);
            (found.repeated() > 0).then(|| cells.collect())
        });
        let notes = NOTES.map(str::to_owned).to_vec();
        Section::table("Repeats of levels", false, table).map(|section| section.with_notes(notes))
    }

    /// A picture of pass^k for each level set with repeats.
    pub(super) fn pass_hat(&self) -> Vec<Section> {
        let sets = self.sets(|stats| !stats.results.pass_hat.is_empty());
        let section = |(set, groups): (&str, _)| {
            let lines = curves(&groups, |name, stats: &GroupStats| Curve {
                name,
                points: stats.results.pass_hat.iter().map(point).collect(),
            });
            let block = Block::Curves(Curves { x: "pass^k, %", first: 1, lines, levels: Vec::new() });
            let note = "the probability that k repeats of a level are all solved, in percent: C(solved, k)/C(repeats, k), unbiased over the choice of the k, averaged over levels up to the fewest repeats of any level; in brackets its 95 % interval";
            Section::new(format!("Pass^k: {set}"), block).with_notes(vec![note.to_owned()])
        };
        sets.into_iter().map(section).collect()
    }
}

fn variances(found: Option<VarianceComponents>) -> [String; 3] {
    let Some(found) = found else { return ["–", "–", "–"].map(str::to_owned) };
    let mark = if found.is_negative() { format!(" {NEGATIVE}") } else { String::new() };
    let share = found.share_between().map_or_else(|| "–".to_owned(), |share| format!("{share:.2}"));
    [format!("{:.2}", found.within), format!("{:.2}{mark}", found.between()), share]
}

/// `mini/3 2/5, mini/7 4/5, …`.
fn split_text(split: &[SplitLevel]) -> String {
    let named = |level: &SplitLevel| format!("{} {}/{}", level.level, level.solved, level.of);
    let mut texts: Vec<String> = split.iter().take(MOST_NAMED).map(named).collect();
    texts.extend((split.len() > MOST_NAMED).then(|| "…".to_owned()));
    if texts.is_empty() { "–".to_owned() } else { texts.join(", ") }
}

fn point(found: &PassHat) -> CurvePoint {
    let band = found.band.map(|band| (100.0 * band.low, 100.0 * band.high));
    CurvePoint { y: 100.0 * found.mean, band }
}
