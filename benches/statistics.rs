//! How often intervals miss the true mean, and how often equal cells differ, over synthetic data of several shapes without a
//! range (`coverage.rs` has scores from 0 to 100):
//! `cargo bench --bench statistics`, or with a number of seeds, `cargo bench --bench statistics -- 2000`.

#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs, reason = "a benchmark may panic and print")]

use std::time::Instant;

use mageyard::statistics::{LevelSample, Repeat, Verdict, mean_interval, paired_difference};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

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

    /// Exponential, with the mean 0.
    fn skewed(&mut self) -> f64 {
        -self.uniform().ln() - 1.0
    }
}

/// A shape of data: its name, the mean, and the values of a level.
type Shape = (&'static str, f64, fn(&mut Random, u32) -> Vec<f64>);

const SHAPES: [Shape; 4] = [
    ("repeats vary", 0.0, |random, n| (0..n).map(|_| random.normal()).collect()),
    ("levels vary", 0.0, |random, n| {
        let level = 3.0 * random.normal();
        (0..n).map(|_| level + 0.5 * random.normal()).collect()
    }),
    ("both vary", 0.0, |random, n| {
        let level = random.normal();
        (0..n).map(|_| level + random.normal()).collect()
    }),
    ("skewed", 0.0, |random, n| {
        let level = 1.5 * random.skewed();
        (0..n).map(|_| level + random.skewed()).collect()
    }),
];

fn main() {
    let given = std::env::args().skip(1).find_map(|argument| argument.parse().ok());
    let seeds: u64 = given.unwrap_or(500);
    let start = Instant::now();
    println!("{seeds} seeds; with an exact level, 5.0 % ± {:.1}", margin(seeds));
    println!("{:<14} levels  repeats  interval misses %  equal cells differ %", "data");
    for shape in SHAPES {
        for (levels, repeats) in [(5, 3), (8, 10), (10, 1), (10, 3), (20, 3), (20, 10), (40, 1)] {
            let (misses, differ) = trials(shape, seeds, levels, repeats);
            println!("{:<14} {levels:>6}  {repeats:>7}  {misses:>17.1}  {differ:>20.1}", shape.0);
        }
    }
    println!("{:.1} s", start.elapsed().as_secs_f64());
}

/// Two standard deviations of a measured share of 5 %, in points.
fn margin(seeds: u64) -> f64 {
    200.0 * (0.05 * 0.95 / f64::from(u32::try_from(seeds).unwrap())).sqrt()
}

/// The percentages of seeds whose interval misses the mean, and of those for which two equal cells differ.
fn trials((_, mean, values): Shape, seeds: u64, levels: u32, repeats: u32) -> (f64, f64) {
    let mut misses = 0;
    let mut differ = 0;
    for seed in 0..seeds {
        let mut random = Random(Xoshiro256PlusPlus::seed_from_u64(seed));
        let [one, other] = [(); 2].map(|()| cell(&mut random, levels, |random| values(random, repeats)));
        misses += u32::from(!mean_interval(&one, None).unwrap().contains(mean));
        differ += u32::from(paired_difference(&one, &other, None).test.verdict() == Verdict::Different);
    }
    let percent = |count| 100.0 * f64::from(count) / f64::from(u32::try_from(seeds).unwrap());
    (percent(misses), percent(differ))
}

fn cell(random: &mut Random, levels: u32, values: impl Fn(&mut Random) -> Vec<f64>) -> Vec<LevelSample> {
    let level = |level: u32| {
        let values = (1..).zip(values(random));
        values.map(move |(number, value)| LevelSample {
            level: format!("{level:03}"),
            repeat: Repeat { number, seed: 0 },
            value,
        })
    };
    (0..levels).flat_map(level).collect()
}
