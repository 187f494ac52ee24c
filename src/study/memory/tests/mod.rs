//! Whether the study of a memory finds the window that a model needs.

mod simulated;

use self::simulated::{Design, Model, Needs, right_window, simulated_study};
use super::{MemoryAnswers, MemoryPart, MemoryReach, Remembered, distance_values};

const DESIGN: Design = Design { am: 4, om: 4, calls: 700, samples: 4, pairs: false };

const MODEL: Model = Model { needs: Needs::Nothing, favourite: 0.4, affected: 1.0 };

/// How many of these studies, by seed, find the right window.
fn right(needs: Needs, design: Design, studies: u64) -> usize {
    let model = Model { needs, ..MODEL };
    let found = |seed| MemoryReach::of(&simulated_study(model, design, seed)).window();
    (0..studies).filter(|seed| found(*seed) == right_window(needs)).count()
}

/// A short form of the benchmark `memory_study`, which finds the right window in 95 of 100 studies or more.
#[test]
fn the_window_that_a_model_needs_is_found() {
    for back in [0, 2] {
        let found = right(Needs::UpTo(back), DESIGN, 10);
        assert!(found >= 8, "{back} back: {found} of 10");
    }
}

#[test]
fn nothing_is_found_where_nothing_matters() {
    for (pairs, studies) in [(false, 80), (true, 40)] {
        let found = studies - right(Needs::Nothing, Design { pairs, ..DESIGN }, studies as u64);
        // 2 and 1 are expected at most.
        assert!(found <= 7, "pairs {pairs}: something in {found} of {studies}");
    }
}

#[test]
fn a_pair_decides_where_neither_of_the_two_does_alone() {
    let model = Model { needs: Needs::EitherOf(1), ..MODEL };
    let design = Design { am: 3, om: 3, calls: 1200, ..DESIGN };
    let answers = |pairs| simulated_study(model, Design { pairs, ..design }, 3);
    // Each of the two is enough, so neither is found alone, and the nearer one is enough for the window.
    assert_eq!(MemoryReach::of(&answers(false)).window(), Some((0, 1)));
    let answers = answers(true);
    assert_eq!(MemoryReach::of(&answers).window(), Some((2, 2)));
    let matters: Vec<MemoryPart> =
        distance_values(&answers).iter().filter(|value| value.matters()).map(|value| value.part).collect();
    let part = |what, back| MemoryPart { what, back };
    let frames: Vec<MemoryPart> =
        matters.into_iter().filter(|part| part.what.single() == Remembered::Frame).collect();
    let expected = [(Remembered::Frame, 0), (Remembered::FramePair, 0), (Remembered::FramePair, 1)];
    assert_eq!(frames, expected.map(|(what, back)| part(what, back)));
}

#[test]
fn a_frame_behind_a_gap_is_in_the_window() {
    let counts = |back| if back == 2 { vec![0, 4] } else { vec![4, 0] };
    let frames = (0..=3).map(|back| (MemoryPart { what: Remembered::Frame, back }, counts(back)));
    let state = MemoryAnswers { complete: vec![4, 0], without: frames.collect(), ..MemoryAnswers::default() };
    let reach = MemoryReach::of(&vec![state; 8]);
    assert_eq!((reach.frames.furthest(), reach.rows.furthest()), (Some(2), None));
    assert_eq!(reach.window(), Some((3, 3)));
    assert!(reach.frames.p(3).is_some_and(|p| p > 0.9) && reach.rows.tests.is_empty(), "{reach:?}");
}
