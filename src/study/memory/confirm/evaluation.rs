//! What the pairs say at each look. It follows from the episodes that are there alone, so a stopped study goes on where it was.
//!
//! Candidates share the error by Holm's procedure: each has the same part of the error of those that are not confirmed yet, so
//! what one does not need any more goes to the others (Maurer and Bretz 2013, "Multiple testing in group sequential trials
//! using graphical approaches"). It assumes nothing of the order of windows: a larger one may be worse.

use std::collections::BTreeMap;

use mageyard_statistics::{
    Interval, LevelSample, MarginTest, Repeat, further_pairs, predictive_power, upper_tail,
};

use super::design::Design;
use super::played::{ConfirmSpent, Played};
use super::sheet::PlannedPair;

/// A candidate whose probability to be confirmed is below this is not played on.
pub(super) const LEAST_PROBABLE: f64 = 0.1;

/// How probably the further episodes that are proposed decide.
pub(super) const POWER: f64 = 0.8;

/// What is known of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConfirmVerdict {
    /// It is not worse by more than the margin.
    NotWorse,
    /// It is worse by more than the margin.
    Worse,
    /// It was stopped, because it would hardly be confirmed.
    Futile,
    /// It was stopped, because a smaller window is confirmed.
    NotNeeded,
    /// Undecided, and more pairs than these are needed, if the episodes go on as they began; `None` if no number is foreseen.
    Undecided(Option<u32>),
    /// Undecided, and as few levels differ as so far, this many levels are needed.
    NeedsLevels(Option<u32>),
}

/// A candidate at the last look at which it was played.
#[derive(Clone, Debug, PartialEq)]
pub struct ConfirmedWindow {
    /// What is known.
    pub verdict: ConfirmVerdict,
    /// The look, from 1; 0 before the first one.
    pub look: u32,
    /// The pairs with scores.
    pub pairs: usize,
    /// Their levels.
    pub levels: usize,
    /// The mean difference from the reference in points.
    pub difference: Option<f64>,
    /// Its repeated confidence interval; `None` if there is none at the look.
    pub interval: Option<Interval>,
    /// What the episodes of the pairs took, of the candidate and of the reference.
    pub spent: (ConfirmSpent, ConfirmSpent),
}

/// Everything that is known now.
pub(super) struct Evaluation {
    pub(super) candidates: Vec<ConfirmedWindow>,
    /// The cells of the next look, played or not; empty if there is no further one.
    pub(super) next: Vec<usize>,
}

/// The pairs, their cells by window (the reference first) and pair, and how they are evaluated.
pub(super) struct Evaluator<'a> {
    pub(super) design: &'a Design,
    /// The width of the range of scores.
    pub(super) width: Option<f64>,
    pub(super) pairs: &'a [PlannedPair],
    pub(super) cells: &'a [Vec<usize>],
    pub(super) played: &'a Played,
}

impl Evaluator<'_> {
    /// Goes through the looks whose episodes are there.
    pub(super) fn evaluate(&self) -> Evaluation {
        let count = self.cells.len().saturating_sub(1);
        let mut state =
            Looks { of: self, candidates: vec![open_window(); count], boundaries: BTreeMap::new() };
        for look in 1..=self.design.looks {
            let open = state.open();
            if open.is_empty() {
                return Evaluation { candidates: state.candidates, next: Vec::new() };
            }
            let next = self.cells_at(look, &open);
            if next.iter().any(|cell| !self.played.contains_key(cell)) {
                return Evaluation { candidates: state.candidates, next };
            }
            state.look(look);
        }
        Evaluation { candidates: state.candidates, next: Vec::new() }
    }

    fn count_at(&self, look: u32) -> usize {
        usize::try_from(self.design.pairs_at(look)).unwrap_or(usize::MAX).min(self.pairs.len())
    }

    /// The cells of these candidates and of the reference at a look.
    fn cells_at(&self, look: u32, open: &[usize]) -> Vec<usize> {
        let windows = std::iter::once(0).chain(open.iter().map(|candidate| candidate + 1));
        let count = self.count_at(look);
        windows.flat_map(|window| self.cells[window].iter().take(count).copied()).collect()
    }

    /// The differences of a candidate from the reference, of the pairs with two scores.
    fn differences(&self, candidate: usize, count: usize) -> Vec<LevelSample> {
        let score = |window: usize, pair: usize| self.played.get(&self.cells[window][pair])?.score;
        let difference = |(pair, planned): (usize, &PlannedPair)| {
            Some(LevelSample {
                level: planned.level.clone(),
                repeat: Repeat { number: planned.repeat, seed: planned.seed },
                value: score(candidate + 1, pair)? - score(0, pair)?,
            })
        };
        self.pairs.iter().enumerate().take(count).filter_map(difference).collect()
    }

    fn spent(&self, window: usize, count: usize) -> ConfirmSpent {
        let cells = self.cells[window].iter().take(count);
        ConfirmSpent::of(cells.filter_map(|cell| self.played.get(cell)))
    }
}

fn open_window() -> ConfirmedWindow {
    ConfirmedWindow {
        verdict: ConfirmVerdict::Undecided(None),
        look: 0,
        pairs: 0,
        levels: 0,
        difference: None,
        interval: None,
        spent: Default::default(),
    }
}

/// The candidates from look to look.
struct Looks<'a> {
    of: &'a Evaluator<'a>,
    candidates: Vec<ConfirmedWindow>,
    /// The nominal levels and the statistics of each look, by how many candidates share the error.
    boundaries: BTreeMap<usize, Vec<(f64, f64)>>,
}

impl Looks<'_> {
    fn open(&self) -> Vec<usize> {
        let is_open =
            |verdict| matches!(verdict, ConfirmVerdict::Undecided(_) | ConfirmVerdict::NeedsLevels(_));
        (0..self.candidates.len()).filter(|index| is_open(self.candidates[*index].verdict)).collect()
    }

    fn confirmed(&self) -> impl Iterator<Item = &ConfirmedWindow> {
        self.candidates.iter().filter(|candidate| candidate.verdict == ConfirmVerdict::NotWorse)
    }

    /// The nominal level of a look, and the statistic of the last one, for each candidate that is not confirmed.
    fn boundary(&mut self, look: u32) -> (f64, f64) {
        let sharing = self.candidates.len() - self.confirmed().count();
        let design = self.of.design;
        let looks = self.boundaries.entry(sharing).or_insert_with(|| {
            let looks = design.boundaries(sharing);
            looks.iter().map(|look| (look.nominal, look.z)).collect()
        });
        let at = usize::try_from(look).unwrap_or(usize::MAX).saturating_sub(1);
        let nominal = looks.get(at).map_or(0.0, |(nominal, _)| *nominal);
        (nominal, looks.last().map_or(f64::INFINITY, |(_, z)| *z))
    }

    /// Evaluates all open candidates at a look.
    fn look(&mut self, look: u32) {
        let count = self.of.count_at(look);
        let mut tests = BTreeMap::new();
        for candidate in self.open() {
            let differences = self.of.differences(candidate, count);
            let test = MarginTest::of(&differences, self.of.design.margin, self.of.width);
            let known = &mut self.candidates[candidate];
            known.look = look;
            known.pairs = differences.len();
            known.spent = (self.of.spent(candidate + 1, count), self.of.spent(0, count));
            known.difference = test.as_ref().map(|test| test.mean);
            known.levels = test.as_ref().map_or(0, |test| test.levels);
            tests.extend(test.map(|test| (candidate, test)));
        }
        while self.confirm(look, &tests) {}
        let last = look == self.of.design.looks;
        let (nominal, critical) = self.boundary(look);
        for candidate in self.open() {
            let verdict =
                tests.get(&candidate).and_then(|test| self.stopped(test, look, (nominal, critical)));
            let open = || still_open(tests.get(&candidate), last, critical);
            let verdict = verdict.unwrap_or_else(open);
            self.candidates[candidate].verdict = verdict;
        }
        self.drop_larger();
    }

    /// Confirms what is significant at this look; whether there is any, so that the others have a larger part of the error.
    fn confirm(&mut self, look: u32, tests: &BTreeMap<usize, MarginTest>) -> bool {
        let (nominal, _) = self.boundary(look);
        let mut confirmed = Vec::new();
        for candidate in self.open() {
            let bounds = tests.get(&candidate).and_then(|test| test.bounds(nominal));
            self.candidates[candidate].interval = bounds.map(|bounds| bounds.interval);
            if bounds.is_some_and(|bounds| bounds.is_not_worse) {
                confirmed.push(candidate);
            }
        }
        for candidate in &confirmed {
            self.candidates[*candidate].verdict = ConfirmVerdict::NotWorse;
        }
        !confirmed.is_empty()
    }

    /// Why a candidate is not played on.
    fn stopped(
        &self,
        test: &MarginTest,
        look: u32,
        (nominal, critical): (f64, f64),
    ) -> Option<ConfirmVerdict> {
        if test.bounds(nominal).is_some_and(|bounds| bounds.is_worse) {
            return Some(ConfirmVerdict::Worse);
        }
        let share = self.of.design.share(look);
        let is_futile = |z: &f64| share < 1.0 && predictive_power(*z, share, critical) < LEAST_PROBABLE;
        test.z.as_ref().filter(|z| is_futile(z)).map(|_| ConfirmVerdict::Futile)
    }

    /// Stops the candidates that take as many tokens as a confirmed one, or more.
    fn drop_larger(&mut self) {
        let tokens = |candidate: &ConfirmedWindow| candidate.spent.0.tokens_each();
        let smallest = self.confirmed().map(tokens).fold(f64::INFINITY, f64::min);
        for candidate in self.open() {
            if tokens(&self.candidates[candidate]) >= smallest {
                self.candidates[candidate].verdict = ConfirmVerdict::NotNeeded;
            }
        }
    }
}

/// What an open candidate needs; before the last look only that it is open.
fn still_open(test: Option<&MarginTest>, last: bool, critical: f64) -> ConfirmVerdict {
    let Some(test) = test.filter(|_| last) else { return ConfirmVerdict::Undecided(None) };
    let Some(z) = test.z else {
        return ConfirmVerdict::NeedsLevels(test.levels_if_few_differ(upper_tail(critical)));
    };
    let pairs = u32::try_from(test.pairs).unwrap_or(u32::MAX);
    ConfirmVerdict::Undecided(further_pairs(z, pairs, critical, POWER))
}

/// The confirmed candidate with the fewest tokens.
pub(super) fn smallest_confirmed(candidates: &[ConfirmedWindow]) -> Option<usize> {
    let confirmed = candidates.iter().enumerate().filter(|(_, one)| one.verdict == ConfirmVerdict::NotWorse);
    let tokens = |one: &ConfirmedWindow| one.spent.0.tokens_each();
    confirmed.min_by(|(_, one), (_, other)| tokens(one).total_cmp(&tokens(other))).map(|(index, _)| index)
}
