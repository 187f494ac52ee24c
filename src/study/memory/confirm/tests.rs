//! Verdicts of made-up scores.

use mageyard_statistics::ErrorSpending;

use super::design::Design;
use super::evaluation::{ConfirmVerdict, Evaluation, Evaluator, smallest_confirmed};
use super::played::{Played, PlayedEpisode};
use super::sheet::{PlannedPair, draw_pairs};

/// Episodes of several windows on levels of their own: scores by pair, and tokens. The reference is first.
struct Scores {
    design: Design,
    pairs: Vec<PlannedPair>,
    cells: Vec<Vec<usize>>,
    played: Played,
}

fn design(pairs: u32, looks: u32) -> Design {
    Design { margin: 10.0, alpha: 0.025, looks, pairs, spending: ErrorSpending::Pocock }
}

impl Scores {
    fn new(design: Design, windows: &[(u64, &dyn Fn(usize) -> f64)]) -> Self {
        let count = usize::try_from(design.pairs).unwrap();
        let levels: Vec<String> = (0..count).map(|level| format!("level{level:03}")).collect();
        let pairs = draw_pairs(&levels, 0, design.pairs);
        let cells: Vec<Vec<usize>> =
            (0..windows.len()).map(|window| (0..count).map(|pair| window * count + pair).collect()).collect();
        let episode = |tokens, score| PlayedEpisode { score: Some(score), tokens, requests: 1, cost: None };
        let played = windows.iter().enumerate().flat_map(|(window, (tokens, score))| {
            (0..count).map(move |pair| (window * count + pair, episode(*tokens, score(pair))))
        });
        Self { design, pairs, cells, played: played.collect() }
    }

    fn evaluate(&self) -> Evaluation {
        let Self { design, pairs, cells, played } = self;
        Evaluator { design, width: Some(100.0), pairs, cells, played }.evaluate()
    }

    fn verdicts(&self) -> Vec<(ConfirmVerdict, u32)> {
        self.evaluate().candidates.iter().map(|one| (one.verdict, one.look)).collect()
    }
}

/// A difference around this mean, at most this far from it.
fn around(mean: f64, most: f64) -> impl Fn(usize) -> f64 {
    let steps = [-1.0, 0.6, -0.2, 1.0, 0.2, -0.6];
    move |pair| 50.0 + mean + most * steps[pair % steps.len()]
}

#[test]
fn what_is_decided_is_not_played_on() {
    use ConfirmVerdict::{NotNeeded, NotWorse, Undecided, Worse};
    let (same, small, large, worse) =
        (around(0.0, 0.0), around(0.0, 8.0), around(-4.0, 30.0), around(-40.0, 9.0));
    let scores = Scores::new(design(60, 5), &[(900, &same), (300, &small), (500, &large), (100, &worse)]);
    assert_eq!(scores.verdicts(), [(NotWorse, 1), (NotNeeded, 1), (Worse, 1)]);
    let known = scores.evaluate();
    assert!(known.next.is_empty());
    assert_eq!(smallest_confirmed(&known.candidates), Some(0));

    // A smaller window that is still open goes on, and only its episodes and those of the reference are played.
    let scores = Scores::new(design(60, 5), &[(900, &same), (300, &small), (100, &large)]);
    let mut started = Scores { played: scores.played.clone(), ..scores };
    started.played.retain(|cell, _| *cell % 60 < 12);
    assert_eq!(started.verdicts(), [(NotWorse, 1), (Undecided(None), 1)]);
    let next = started.evaluate().next;
    assert_eq!(next, (0..24).chain(120..144).collect::<Vec<_>>());
}

#[test]
fn before_the_first_look_everything_is_open() {
    let same = around(0.0, 0.0);
    let mut scores = Scores::new(design(10, 2), &[(9, &same), (3, &same)]);
    scores.played.clear();
    assert_eq!(scores.verdicts(), [(ConfirmVerdict::Undecided(None), 0)]);
    assert_eq!(scores.evaluate().next, [0, 1, 2, 3, 4, 10, 11, 12, 13, 14]);
}

#[test]
fn the_error_of_a_confirmed_window_goes_to_the_others() {
    // One look: the difference -2 with this spread has a p between 0.0125 and 0.025.
    let (same, sure, close) = (around(0.0, 0.0), around(0.0, 3.0), around(-2.0, 34.0));
    let alone = Scores::new(design(40, 1), &[(9, &same), (1, &close)]);
    assert_eq!(alone.verdicts(), [(ConfirmVerdict::NotWorse, 1)]);
    let with_sure = Scores::new(design(40, 1), &[(9, &same), (1, &close), (2, &sure)]);
    assert_eq!(with_sure.verdicts(), [(ConfirmVerdict::NotWorse, 1); 2]);
    let twice = Scores::new(design(40, 1), &[(9, &same), (1, &close), (2, &close)]);
    assert!(
        twice.verdicts().iter().all(|(verdict, _)| matches!(verdict, ConfirmVerdict::Undecided(Some(_))))
    );
}

#[test]
fn a_hopeless_window_is_stopped_and_equal_episodes_need_levels() {
    let (same, hopeless) = (around(0.0, 0.0), around(-12.0, 20.0));
    let scores = Scores::new(design(60, 3), &[(9, &same), (1, &hopeless)]);
    assert_eq!(scores.verdicts(), [(ConfirmVerdict::Futile, 1)]);
    let equal = Scores::new(design(20, 1), &[(9, &same), (1, &same)]);
    assert_eq!(equal.verdicts(), [(ConfirmVerdict::NeedsLevels(Some(42)), 1)]);
    let enough = Scores::new(design(42, 1), &[(9, &same), (1, &same)]);
    assert_eq!(enough.verdicts(), [(ConfirmVerdict::NotWorse, 1)]);
}

#[test]
fn pairs_without_a_score_are_left_out() {
    let (same, small) = (around(0.0, 0.0), around(0.0, 8.0));
    let mut scores = Scores::new(design(30, 1), &[(9, &same), (1, &small)]);
    for cell in [3, 35] {
        scores.played.get_mut(&cell).unwrap().score = None;
    }
    assert_eq!(scores.evaluate().candidates[0].pairs, 28);
}
