//! Synthetic cells with and without an effect: how often a difference is found. `benches/statistics.rs` does the same with
//! more seeds and more shapes of data.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use crate::*;

/// A value with mean 0 and variance 1: a sum of twelve uniform ones.
fn noise(random: &mut Xoshiro256PlusPlus) -> f64 {
    (0..12).map(|_| f64::from(random.next_u32()) / f64::from(u32::MAX)).sum::<f64>() - 6.0
}

/// Two cells on levels of different difficulty; the second one is better by `effect`, with a level-specific part.
fn cells(seed: u64, levels: usize, repeats: u32, effect: f64) -> [Vec<LevelSample>; 2] {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut cells = [Vec::new(), Vec::new()];
    for level in 0..levels {
        let difficulty = 20.0 * noise(&mut random);
        let own = 4.0 * noise(&mut random);
        for (cell, shift) in cells.iter_mut().zip([0.0, effect + own]) {
            cell.extend((1..=repeats).map(|number| LevelSample {
                level: format!("{level:03}"),
                repeat: Repeat { number, seed: 0 },
                value: 50.0 + difficulty + shift + 6.0 * noise(&mut random),
            }));
        }
    }
    cells
}

fn found(seeds: u64, levels: usize, repeats: u32, effect: f64) -> usize {
    let differs = |seed: &u64| {
        let [reference, cell] = cells(*seed, levels, repeats, effect);
        paired_difference(&cell, &reference, None).test.verdict() == Verdict::Different
    };
    (0..seeds).filter(differs).count()
}

/// With 500 trials at the level 0.05, 25 are expected, with a standard deviation of 4.9.
#[test]
fn equal_cells_are_inside_noise_as_often_as_the_level_says() {
    let errors = found(500, 8, 3, 0.0);
    assert!((12..=38).contains(&errors), "{errors} of 500 equal cells differ");
}

/// With 50 trials, 2.5 are expected, with a standard deviation of 1.5.
#[test]
fn resampled_intervals_err_as_often_as_the_level_says() {
    let errors = found(50, 12, 2, 0.0);
    assert!((0..=7).contains(&errors), "{errors} of 50 equal cells differ");
}

/// An effect for which the repeats are proposed is found about as often as the power says: 160 of 200, with a standard
/// deviation of 5.7. An effect twice as large is always found.
#[test]
fn a_known_effect_is_found_with_the_proposed_repeats() {
    let variation = Variation { between: 16.0, within: 72.0, assumed: false };
    let RepeatsNeeded::Repeats(repeats) = repeats_needed(6.6, 8, variation) else { panic!("needs levels") };
    assert_eq!(repeats, 5);
    let times = found(200, 8, repeats, 6.6);
    assert!((143..=190).contains(&times), "found {times} times of 200");
    assert!(found(100, 8, repeats, 13.2) >= 98);
}
