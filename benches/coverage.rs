//! How often the 95 % interval of a mean score contains the true mean, and how often equal cells differ, where scores
//! are 0 or 100 and the share of solved episodes is near its ends or not:
//! `cargo bench -p mageyard-statistics --bench coverage`, or with a number of experiments of each cell,
//! `cargo bench -p mageyard-statistics --bench coverage -- 1000`. `docs/report.md` has the table.
//!
//! It belongs to the crate of the statistics, which has few dependencies, so that it is built in seconds.

#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs, reason = "a benchmark may panic and print")]

use std::time::Instant;

use mageyard_statistics::{Interval, LevelSample, Repeat, Verdict, mean_interval, paired_difference};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

const SHARES: [f64; 7] = [0.02, 0.05, 0.1, 0.5, 0.9, 0.95, 0.98];
const LEVELS: [u32; 4] = [5, 10, 20, 182];
const REPEATS: [u32; 3] = [1, 3, 10];

/// The range of scores.
const SCORES: Option<Interval> = Some(Interval { low: 0.0, high: 100.0 });

/// How levels differ: all have the same share, or theirs are beta values with a correlation of 1/3 between the repeats
/// of a level.
#[derive(Clone, Copy)]
enum Levels {
    Alike,
    Varied,
}

/// What was counted in the experiments of a cell, in percent of them.
struct Counted {
    /// The interval contains the true mean.
    covers: f64,
    /// The two equal cells are "different".
    differ: f64,
}

fn main() {
    let given = std::env::args().skip(1).find_map(|argument| argument.parse().ok());
    let experiments: u64 = given.unwrap_or(1000);
    let start = Instant::now();
    println!("{experiments} experiments of each cell, seeds 0 to {}", experiments - 1);
    let mut lowest = f64::INFINITY;
    let mut highest = 0.0_f64;
    for (name, kind) in [("alike", Levels::Alike), ("varied", Levels::Varied)] {
        for levels in LEVELS {
            for repeats in REPEATS {
                let row = SHARES.map(|share| counted(kind, share, (levels, repeats), experiments));
                print_row(&format!("{name}, {levels} × {repeats}"), &row);
                lowest = row.iter().map(|cell| cell.covers).fold(lowest, f64::min);
                highest = row.iter().map(|cell| cell.differ).fold(highest, f64::max);
            }
        }
    }
    println!("lowest coverage {lowest:.1} %, most equal cells that differ {highest:.1} %");
    println!("{:.0} s", start.elapsed().as_secs_f64());
}

/// A row as it stands in the documentation: coverage, then differing equal cells, for each share.
fn print_row(name: &str, row: &[Counted]) {
    let cells = |of: fn(&Counted) -> f64| {
        let texts: Vec<String> = row.iter().map(|cell| format!("{:.1}", of(cell))).collect();
        texts.join(" | ")
    };
    println!("| {name} | {} | {} |", cells(|cell| cell.covers), cells(|cell| cell.differ));
}

fn counted(kind: Levels, share: f64, (levels, repeats): (u32, u32), experiments: u64) -> Counted {
    let mut covers = 0_u32;
    let mut differ = 0_u32;
    for seed in 0..experiments {
        let mut random = Random(Xoshiro256PlusPlus::seed_from_u64(seed));
        let [one, other] = equal_cells(&mut random, (kind, share), levels, repeats);
        covers += u32::from(mean_interval(&one, SCORES).unwrap().contains(100.0 * share));
        differ += u32::from(paired_difference(&one, &other, SCORES).test.verdict() == Verdict::Different);
    }
    let percent = |count| 100.0 * f64::from(count) / f64::from(u32::try_from(experiments).unwrap());
    Counted { covers: percent(covers), differ: percent(differ) }
}

/// Two cells that played the same levels with the same shares.
fn equal_cells(
    random: &mut Random,
    (kind, share): (Levels, f64),
    levels: u32,
    repeats: u32,
) -> [Vec<LevelSample>; 2] {
    let mut cells = [Vec::new(), Vec::new()];
    for level in 0..levels {
        let own = match kind {
            Levels::Alike => share,
            Levels::Varied => random.beta(2.0 * share, 2.0 * (1.0 - share)),
        };
        for cell in &mut cells {
            cell.extend((1..=repeats).map(|number| LevelSample {
                level: format!("{level:03}"),
                repeat: Repeat { number, seed: 0 },
                value: if random.uniform() < own { 100.0 } else { 0.0 },
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
