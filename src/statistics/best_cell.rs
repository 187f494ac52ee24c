//! How probable it is that a cell is the best of several on levels like these.

use std::collections::{BTreeMap, BTreeSet};

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use super::levels::{LevelSample, by_level};
use super::mean::mean;
use super::number;
use super::resampling::{SEED, below};

/// How often levels are drawn.
pub const BEST_DRAWS: u32 = 10_000;

/// Means that differ by less are equal.
const EQUAL: f64 = 1e-9;

/// How probable it is for each of some cells that it is the best.
#[derive(Clone, Debug, PartialEq)]
pub struct ProbabilityOfBest {
    /// The probabilities from 0 to 1 in the order of the cells; their sum is 1.
    pub shares: Vec<f64>,
    /// The levels that all cells have.
    pub levels: usize,
}

/// The share of 10,000 draws in which each cell has the highest mean. A draw takes as many levels as there are, with
/// replacement and a fixed seed, and the same ones for all cells, so what makes a level difficult is in all of them (a paired
/// bootstrap over levels, Efron and Tibshirani 1993, section 8.3). The value of a level is the mean of its repeats. Cells
/// with equal means share a draw.
///
/// Only levels that all cells have count. `None` with fewer than two cells or two levels.
pub fn probability_of_best(cells: &[&[LevelSample]]) -> Option<ProbabilityOfBest> {
    let means: Vec<BTreeMap<&str, f64>> = cells.iter().map(|samples| level_means(samples)).collect();
    let (first, others) = means.split_first()?;
    let has_all = |level: &&&str| others.iter().all(|other| other.contains_key(**level));
    let levels: BTreeSet<&str> = first.keys().filter(has_all).copied().collect();
    if others.is_empty() || levels.len() < 2 {
        return None;
    }
    // A row per level, so that a draw adds rows.
    let rows = levels.iter().map(|level| means.iter().filter_map(|cell| cell.get(level).copied()).collect());
    let rows: Vec<Vec<f64>> = rows.collect();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(SEED);
    let mut wins = vec![0.0; cells.len()];
    for _ in 0..BEST_DRAWS {
        add_winners(&drawn_sums(&rows, cells.len(), &mut random), number(rows.len()), &mut wins);
    }
    let shares = wins.into_iter().map(|won| won / f64::from(BEST_DRAWS)).collect();
    Some(ProbabilityOfBest { shares, levels: rows.len() })
}

fn level_means(samples: &[LevelSample]) -> BTreeMap<&str, f64> {
    let of_level = |(level, samples): (_, Vec<&LevelSample>)| {
        Some((level, mean(samples.into_iter().map(|sample| sample.value))?))
    };
    by_level(samples).into_iter().filter_map(of_level).collect()
}

/// The sums of the cells over as many levels as there are, drawn with replacement.
fn drawn_sums(rows: &[Vec<f64>], cells: usize, random: &mut Xoshiro256PlusPlus) -> Vec<f64> {
    let mut sums = vec![0.0; cells];
    for _ in rows {
        for (sum, value) in sums.iter_mut().zip(&rows[below(rows.len(), random)]) {
            *sum += value;
        }
    }
    sums
}

/// Gives this draw to the cell with the highest sum, in equal parts if there are several.
fn add_winners(sums: &[f64], levels: f64, wins: &mut [f64]) {
    let highest = sums.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let is_best = |sum: f64| highest - sum < EQUAL * levels;
    let part = 1.0 / number(sums.iter().filter(|sum| is_best(**sum)).count());
    for (won, _) in wins.iter_mut().zip(sums).filter(|(_, sum)| is_best(**sum)) {
        *won += part;
    }
}
