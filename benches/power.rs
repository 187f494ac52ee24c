//! How often a difference of the planned size is found with the repeats that a plan proposes, for models that solve more
//! or fewer levels: `cargo bench -p mageyard-statistics --bench power`, or with a number of experiments of each cell,
//! `cargo bench -p mageyard-statistics --bench power -- 1000`. `docs/sweeps.md` has the table.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    clippy::print_stdout,
    missing_docs,
    reason = "a benchmark may panic and print"
)]

use std::time::Instant;

use mageyard_statistics::{
    Interval, LevelSample, Repeat, RepeatsNeeded, Variation, Verdict, paired_difference, repeats_needed,
};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

const LEVELS: u32 = 20;
/// The shares of episodes that the first model solves.
const SOLVED: [f64; 5] = [0.0, 0.3, 0.5, 0.65, 0.8];
/// The difference that is planned for, in points of score.
const DIFFERENCE: f64 = 5.0;
/// How much the true difference varies between levels, in points: not at all, or as is assumed.
const VARIES: [f64; 2] = [0.0, 5.0];
/// The points of a level that is not solved, below those of a solved one.
const GAP: f64 = 55.0;
const SCORES: Option<Interval> = Some(Interval { low: 0.0, high: 100.0 });

fn main() {
    let given = std::env::args().skip(1).find_map(|argument| argument.parse().ok());
    let experiments: u64 = given.unwrap_or(500);
    let start = Instant::now();
    let needed = repeats_needed(DIFFERENCE, usize::try_from(LEVELS).unwrap(), Variation::ASSUMED);
    let RepeatsNeeded::Repeats(needed) = needed else { panic!("needs {needed:?}") };
    println!("{experiments} experiments of each cell, seeds 0 to {}; {LEVELS} levels", experiments - 1);
    println!("found in percent: solved {SOLVED:?}");
    for varies in VARIES {
        for repeats in [7, needed] {
            let row = SOLVED.map(|solved| format!("{:.0}", found((solved, varies), repeats, experiments)));
            println!("| {repeats}, varies by {varies} | {} |", row.join(" | "));
        }
    }
    println!("{:.0} s", start.elapsed().as_secs_f64());
}

/// How often the difference is found, in percent.
fn found(truth: (f64, f64), repeats: u32, experiments: u64) -> f64 {
    let is_found = |seed: &u64| {
        let [cell, reference] = cells(&mut Random(Xoshiro256PlusPlus::seed_from_u64(*seed)), truth, repeats);
        paired_difference(&cell, &reference, SCORES).test.verdict() == Verdict::Different
    };
    let count = u32::try_from((0..experiments).filter(is_found).count()).unwrap();
    100.0 * f64::from(count) / f64::from(u32::try_from(experiments).unwrap())
}

/// A cell and its reference. The share of solved repeats of a level is a beta value with a correlation of 1/3; that of the cell
/// is so much higher that its scores are by the difference, which varies between levels. A model that solves nothing is better
/// by as much in each episode.
fn cells(random: &mut Random, (solved, varies): (f64, f64), repeats: u32) -> [Vec<LevelSample>; 2] {
    let mut cells = [Vec::new(), Vec::new()];
    for level in 0..LEVELS {
        let own = if solved > 0.0 { random.beta(2.0 * solved, 2.0 * (1.0 - solved)) } else { 0.0 };
        // In proportion to what is not solved yet, so that the share stays below 1.
        let gained = DIFFERENCE + varies * random.normal();
        let more = gained / GAP / (1.0 - solved) * (1.0 - own);
        let (higher, base) = if solved > 0.0 { (own + more, 0.0) } else { (0.0, gained) };
        for (cell, (share, base)) in cells.iter_mut().zip([(higher, base), (own, 0.0)]) {
            cell.extend((1..=repeats).map(|number| {
                let is_solved = random.uniform() < share;
                let unsolved = (100.0 - GAP + base + 7.0 * random.normal()).clamp(0.0, 99.0);
                let value = if is_solved { 100.0 } else { unsolved };
                LevelSample { level: format!("{level:03}"), repeat: Repeat { number, seed: 0 }, value }
            }));
        }
    }
    cells
}

/// Random values.
struct Random(Xoshiro256PlusPlus);

impl Random {
    /// Between 0 and 1.
    fn uniform(&mut self) -> f64 {
        (f64::from(self.0.next_u32()) + 0.5) / (f64::from(u32::MAX) + 1.0)
    }

    /// Standard normal (Box and Muller).
    fn normal(&mut self) -> f64 {
        (-2.0 * self.uniform().ln()).sqrt() * (std::f64::consts::TAU * self.uniform()).cos()
    }

    /// A beta value (Jöhnk 1964).
    fn beta(&mut self, a: f64, b: f64) -> f64 {
        loop {
            let x = self.uniform().powf(1.0 / a);
            let y = self.uniform().powf(1.0 / b);
            if x + y > 0.0 && x + y <= 1.0 {
                return x / (x + y);
            }
        }
    }
}
