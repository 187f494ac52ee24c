//! Whether the study of a memory finds the window that a model needs.

mod simulated;

use self::simulated::{Design, Model, Needs, right_window, simulated_study};
use super::{MemoryAnswers, MemoryPart, MemoryReach, Remembered, distance_values};

const DESIGN: Design = Design { am: 5, om: 5, calls: 1000, samples: 4, pairs: false };

fn model(needs: Needs) -> Model {
    Model { needs, favourite: 0.4, affected: 1.0 }
}

/// How many of so many studies find the right window.
fn right(model: Model, design: Design, studies: u64) -> usize {
    let is_right = |seed: &u64| {
        MemoryReach::of(&simulated_study(model, design, *seed)).window() == right_window(model.needs)
    };
    (0..studies).filter(is_right).count()
}

/// The benchmark `memory_study` measures 97 of 100 or more.
#[test]
fn the_window_that_a_model_needs_is_found() {
    for back in [0, 1, 3] {
        let found = right(model(Needs::UpTo(back)), DESIGN, 12);
        assert!(found >= 10, "{back} back: {found} of 12");
    }
}

#[test]
fn nothing_is_found_where_nothing_matters() {
    for pairs in [false, true] {
        let found = right(model(Needs::Nothing), Design { pairs, ..DESIGN }, 60);
        // 58.5 are expected.
        assert!(found >= 55, "pairs {pairs}: {found} of 60");
    }
}
