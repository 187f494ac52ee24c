//! The score of one sub-page.

use serde::{Deserialize, Serialize};

use super::super::snapshot::Snapshot;
use super::matching::{Partner, partners};
use super::pair::Comparison;
use super::remark::Remark;
use super::rules::{PaperRule, Rules};
use super::table::Meanings;
use super::target::{Selection, Target, is_scored};
use super::view::Page;

/// How a sub-page was scored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PageStatus {
    /// Its elements were compared.
    Scored,
    /// No element of the target is annotated and shown, or none of them is scored.
    Empty,
    /// All targets are unchanged since the sub-page before, and only changed ones are scored.
    Unchanged,
    /// The interaction failed on the generated page: the score is 0, the weight that of the target against itself.
    Act,
    /// The page was not rendered: the total score is 0.
    Ren,
    /// The reply had no code: the total score is 0.
    Par,
    /// The annotations of the target are wrong: there is no score.
    TaskError,
}

/// A matched pair; serialized as `[target, generated, score, weight]`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "(usize, usize, f64, f64)", into = "(usize, usize, f64, f64)")]
pub struct Pair {
    /// The index of the target in its snapshot.
    pub target: usize,
    /// The index of the generated element in its snapshot.
    pub generated: usize,
    /// How alike they are, from 0 to 1.
    pub score: f64,
    /// The weight of the target.
    pub weight: f64,
}

impl From<(usize, usize, f64, f64)> for Pair {
    fn from((target, generated, score, weight): (usize, usize, f64, f64)) -> Self {
        Self { target, generated, score, weight }
    }
}

impl From<Pair> for (usize, usize, f64, f64) {
    fn from(pair: Pair) -> Self {
        (pair.target, pair.generated, pair.score, pair.weight)
    }
}

/// The weight that a sub-page loses, by reason; with the score it sums to its weight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LostWeight {
    /// The interaction failed.
    pub act: f64,
    /// Targets without a match count 0.
    pub unmatched: f64,
    /// The positions of matched pairs differ.
    pub position: f64,
    /// Their attributes differ.
    pub attributes: f64,
}

/// The score of one sub-page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PageScore {
    /// The interaction that led to the page; the caller sets it.
    pub name: String,
    /// How it was scored.
    pub status: PageStatus,
    /// `score` through `weight`, 0 without any weight.
    pub aes: f64,
    /// The sum over the pairs of score times weight.
    pub score: f64,
    /// The weight of all targets that count.
    pub weight: f64,
    /// How many annotated elements the target shows: the sum of `matched`, `zero` and `dropped`.
    pub targets: usize,
    /// How many elements the generated page shows.
    pub shown: usize,
    /// How many targets have a match.
    pub matched: usize,
    /// How many targets count 0.
    pub zero: usize,
    /// How many targets do not count.
    pub dropped: usize,
    /// The matched pairs, in the order of the targets.
    pub pairs: Vec<Pair>,
    /// The targets that count 0, as indices in the snapshot.
    pub zero_targets: Vec<usize>,
    /// The targets that do not count, as indices in the snapshot.
    pub dropped_targets: Vec<usize>,
    /// Where the weight goes.
    pub lost: LostWeight,
    /// What is wrong with the annotations of the target.
    pub remarks: Vec<Remark>,
}

impl PageScore {
    /// A page without a score.
    pub fn without_score(status: PageStatus) -> Self {
        Self {
            name: String::new(),
            status,
            aes: 0.0,
            score: 0.0,
            weight: 0.0,
            targets: 0,
            shown: 0,
            matched: 0,
            zero: 0,
            dropped: 0,
            pairs: Vec::new(),
            zero_targets: Vec::new(),
            dropped_targets: Vec::new(),
            lost: LostWeight::default(),
            remarks: Vec::new(),
        }
    }

    /// The same with a name.
    #[must_use]
    pub fn named(self, name: impl Into<String>) -> Self {
        Self { name: name.into(), ..self }
    }

    pub(super) fn new(
        target: &Snapshot,
        previous: Option<&Snapshot>,
        generated: &Snapshot,
        rules: Rules,
    ) -> Self {
        let page = Page::new(target);
        let generated = Page::new(generated);
        let meanings = Meanings::new(&target.elements, rules);
        let selection = Selection::new(target, previous, &meanings, rules);
        let mut score = Self::of_selection(&selection);
        if score.status == PageStatus::TaskError {
            return score;
        }
        let shown: Vec<usize> = scored_elements(generated.snapshot).collect();
        score.shown = shown.len();
        let partners = partners(&page, &selection.targets, &generated, &shown, rules);
        for (target, partner) in selection.targets.iter().zip(partners) {
            let Partner::Matched(other) = partner else {
                score.add_unmatched(*target, partner, rules);
                continue;
            };
            if let Some((wanted, written)) = page.view(target.index).zip(generated.view(other)) {
                score.add_pair(*target, other, &Comparison::new(wanted, written, &meanings, rules));
            }
        }
        score.finish();
        score
    }

    fn of_selection(selection: &Selection) -> Self {
        let status = match selection.targets.len() {
            _ if selection.remarks.iter().any(Remark::is_task_error) => PageStatus::TaskError,
            0 if selection.unchanged > 0 => PageStatus::Unchanged,
            0 => PageStatus::Empty,
            _ => PageStatus::Scored,
        };
        let mut score = Self::without_score(status);
        score.targets = selection.targets.len() + selection.dropped.len();
        score.dropped_targets.clone_from(&selection.dropped);
        score.remarks.clone_from(&selection.remarks);
        score
    }

    fn add_unmatched(&mut self, target: Target, partner: Partner, rules: Rules) {
        if partner == Partner::TooFar && !rules.has(PaperRule::UnmatchedCount) {
            self.dropped_targets.push(target.index);
            return;
        }
        self.zero_targets.push(target.index);
        self.weight += target.weight;
        self.lost.unmatched += target.weight;
    }

    fn add_pair(&mut self, target: Target, generated: usize, comparison: &Comparison<'_>) {
        let Comparison { score, .. } = *comparison;
        let Target { index, weight, .. } = target;
        self.pairs.push(Pair { target: index, generated, score, weight });
        self.score += score * weight;
        self.weight += weight;
        let position = comparison.lost_by_position();
        self.lost.position += position * weight;
        self.lost.attributes += (1.0 - score - position) * weight;
    }

    fn finish(&mut self) {
        self.matched = self.pairs.len();
        self.zero = self.zero_targets.len();
        self.dropped_targets.sort_unstable();
        self.dropped = self.dropped_targets.len();
        self.aes = if self.weight > 0.0 { self.score / self.weight } else { 0.0 };
    }

    /// The same weight with a failed interaction.
    pub(super) fn failed(self) -> Self {
        if self.status != PageStatus::Scored {
            return self;
        }
        let zero_targets: Vec<usize> =
            self.pairs.iter().map(|pair| pair.target).chain(self.zero_targets).collect();
        Self {
            status: PageStatus::Act,
            aes: 0.0,
            score: 0.0,
            shown: 0,
            matched: 0,
            zero: zero_targets.len(),
            zero_targets,
            pairs: Vec::new(),
            lost: LostWeight { act: self.weight, ..LostWeight::default() },
            ..self
        }
    }
}

fn scored_elements(snapshot: &Snapshot) -> impl Iterator<Item = usize> {
    let elements = snapshot.elements.iter().enumerate();
    elements.filter(|(_, element)| is_scored(element)).map(|(index, _)| index)
}
