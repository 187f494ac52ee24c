//! `levels stats`: statistics of a level set per group, with the standard error of each mean.

use serde::Serialize;

use crate::cli::context::Context;
use crate::cli::exit::Exit;
use crate::cli::exit::Failure;
use crate::cli::output::Output;
use crate::cli::runtime::single_thread_runtime;
use crate::cli::signals::run_interruptible;
use crate::cli::table::right_aligned;
use crate::config::Problem;
use crate::domain::EnvironmentSpec;
use crate::domain::Level;
use crate::domain::SearchBudget;
use crate::envs::GROUPS;
use crate::envs::LevelStats;
use crate::envs::Sokoban;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering;

/// The benchmark's step limit; longer solutions are counted separately.
const STEP_LIMIT: usize = 50;
/// The percentiles that are reported.
const PERCENTILES: [usize; 3] = [10, 50, 90];

/// Measure the levels of a Sokoban set: moves, pushes, floor, idle and random score
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Level set, level or file
    #[arg(value_name = "LEVELS")]
    reference: String,
    /// Random episodes of 50 steps per level
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    plays: u32,
    /// Seed of the random episodes
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Maximum number of states that the solver expands per level
    #[arg(long, value_name = "N", default_value_t = 20_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    states: u64,
    /// Number of threads [default: number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

/// A mean if there is a value, and its standard error if there is more than one.
#[derive(Clone, Copy, Default, Serialize)]
struct Mean {
    mean: Option<f64>,
    error: Option<f64>,
}

#[derive(Serialize)]
struct GroupStats {
    group: String,
    levels: usize,
    /// Levels without a proven shortest solution; they count only for the floor.
    unsolved: usize,
    moves: Mean,
    /// 10th percentile, median, 90th percentile.
    moves_p10_p50_p90: Option<[usize; 3]>,
    moves_max: Option<usize>,
    long: Mean,
    floor: Mean,
    floor_p10_p50_p90: Option<[usize; 3]>,
    pushes: Mean,
    idle: Mean,
    random: Mean,
}

pub(in crate::cli) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let chosen = context.lab.levels(context.folders(), &args.reference)?;
    if let Some(other) = chosen.iter().find(|one| one.spec.name() != Sokoban.name()) {
        return Err(Problem::new(format!("{} is not a Sokoban level", other.reference)).into());
    }
    let levels = chosen.into_iter().map(|one| one.level).collect();
    let surveys = single_thread_runtime()?.block_on(measure_until_stopped(args, levels))?;
    let named = GROUPS.iter().map(|group| (group.name, select(&surveys, |one| one.group == Some(group))));
    let others = ("other", select(&surveys, |one| one.group.is_none()));
    let mut groups: Vec<_> = named.chain([others]).filter(|(_, levels)| !levels.is_empty()).collect();
    if groups.len() > 1 {
        groups.push(("all", surveys.iter().collect()));
    }
    let rows: Vec<GroupStats> = groups.iter().map(|(name, levels)| group_stats(name, levels)).collect();
    let mut out = Output::open();
    if args.json {
        rows.iter().try_for_each(|row| out.object_line("stats", row))?;
    } else {
        out.column_blocks(&table(SOLUTION_TITLES, &rows, solution_cells), 1)?;
        out.line("")?;
        out.column_blocks(&table(FLOOR_TITLES, &rows, floor_cells), 1)?;
    }
    Ok(if rows.iter().any(|row| row.unsolved > 0) { Exit::Limit } else { Exit::Done })
}

fn select(surveys: &[LevelStats], wanted: impl Fn(&LevelStats) -> bool) -> Vec<&LevelStats> {
    surveys.iter().filter(|one| wanted(one)).collect()
}

/// Measures on other threads, so that signals are handled.
async fn measure_until_stopped(args: &Args, levels: Vec<Level>) -> Result<Vec<LevelStats>, Failure> {
    let (seed, plays, states) = (args.seed, args.plays, args.states);
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let jobs = args.jobs.map_or_else(cores, usize::from);
    let measuring = move |raised: &AtomicBool| {
        measure_in_parallel(&levels, jobs, |level| {
            LevelStats::of(level, seed, plays, SearchBudget::with_states(states, raised))
        })
    };
    run_interruptible("stopped while measuring", measuring).await
}

fn measure_in_parallel(
    levels: &[Level],
    jobs: usize,
    survey: impl Fn(&Level) -> Option<LevelStats> + Sync,
) -> Vec<LevelStats> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(level) = levels.get(at) else { break done };
            done.extend(survey(level).map(|figures| (at, figures)));
        }
    };
    let mut all: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..jobs).map(|_| scope.spawn(work)).collect();
        threads.into_iter().filter_map(|thread| thread.join().ok()).flatten().collect()
    });
    // Floating-point sums depend on the order, and threads end in any order.
    all.sort_unstable_by_key(|(at, _)| *at);
    all.into_iter().map(|(_, figures)| figures).collect()
}

fn group_stats(name: &str, levels: &[&LevelStats]) -> GroupStats {
    let solved: Vec<_> = levels.iter().filter_map(|one| one.shortest).collect();
    let moves: Vec<usize> = solved.iter().map(|shortest| shortest.moves).collect();
    let floor: Vec<usize> = levels.iter().map(|one| one.floor).collect();
    let long = |moves: &usize| if *moves > STEP_LIMIT { 1.0 } else { 0.0 };
    GroupStats {
        group: name.to_owned(),
        levels: levels.len(),
        unsolved: levels.len() - solved.len(),
        moves: mean(moves.iter().copied().map(as_f64)),
        moves_p10_p50_p90: percentiles(&moves),
        moves_max: moves.iter().copied().max(),
        long: mean(moves.iter().map(long)),
        floor: mean(floor.iter().copied().map(as_f64)),
        floor_p10_p50_p90: percentiles(&floor),
        pushes: mean(solved.iter().map(|shortest| f64::from(shortest.pushes))),
        idle: mean(levels.iter().filter_map(|one| one.idle)),
        random: mean(levels.iter().filter_map(|one| one.random)),
    }
}

fn as_f64(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

/// The mean of independent samples.
fn mean(values: impl Iterator<Item = f64>) -> Mean {
    let (mut count, mut mean, mut squares) = (0.0, 0.0, 0.0);
    for value in values {
        count += 1.0;
        let off = value - mean;
        mean += off / count;
        squares += off * (value - mean);
    }
    let error = (count > 1.0).then(|| (squares / (count - 1.0) / count).sqrt());
    Mean { mean: (count > 0.0).then_some(mean), error }
}

fn percentiles(values: &[usize]) -> Option<[usize; 3]> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    let of = |part: usize| sorted.get(sorted.len() * part / 100).copied();
    let [low, median, high] = PERCENTILES.map(of);
    Some([low?, median?, high?])
}

const SOLUTION_TITLES: [&str; 9] =
    ["group", "levels", "moves", "p10", "p50", "p90", "max", "over 50", "pushes"];
const FLOOR_TITLES: [&str; 6] = ["group", "floor", "p10", "p90", "idle score", "random score"];

/// Shown for a missing value.
const NO_VALUE: &str = "–";

/// `16.6 ±0.2`: a mean with its standard error, in a unit.
fn mean_text(mean: Mean, times: f64, unit: &str) -> String {
    let Some(value) = mean.mean else { return NO_VALUE.to_owned() };
    let error = mean.error.map_or(String::new(), |error| format!(" ±{:.1}", error * times));
    format!("{:.1}{unit}{error}", value * times)
}

fn count_text(count: Option<usize>) -> String {
    count.map_or_else(|| NO_VALUE.to_owned(), |count| count.to_string())
}

/// The cells about shortest solutions.
fn solution_cells(row: &GroupStats) -> Vec<String> {
    let part = |at: usize| row.moves_p10_p50_p90.map(|parts| parts[at]);
    let unsolved = if row.unsolved > 0 { format!(" ({} unsolved)", row.unsolved) } else { String::new() };
    let mut cells =
        vec![row.group.clone(), format!("{}{unsolved}", row.levels), mean_text(row.moves, 1.0, "")];
    cells.extend([part(0), part(1), part(2), row.moves_max].map(count_text));
    cells.push(mean_text(row.long, 100.0, " %"));
    cells.push(mean_text(row.pushes, 1.0, ""));
    cells
}

/// The cells about floor and the scores of idle and random agents.
fn floor_cells(row: &GroupStats) -> Vec<String> {
    let part = |at: usize| count_text(row.floor_p10_p50_p90.map(|parts| parts[at]));
    let text = |mean| mean_text(mean, 1.0, "");
    vec![row.group.clone(), text(row.floor), part(0), part(2), text(row.idle), text(row.random)]
}

fn table<const N: usize>(
    titles: [&str; N],
    rows: &[GroupStats],
    cells: fn(&GroupStats) -> Vec<String>,
) -> Vec<Vec<String>> {
    let head = titles.map(str::to_owned).to_vec();
    right_aligned(std::iter::once(head).chain(rows.iter().map(cells)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_has_its_standard_error() {
        let four = mean([1.0, 2.0, 3.0, 4.0].into_iter());
        assert!((four.mean.unwrap() - 2.5).abs() < 1e-12);
        assert!((four.error.unwrap() - (5.0_f64 / 3.0 / 4.0).sqrt()).abs() < 1e-12);
        let (one, none) = (mean([7.0].into_iter()), mean([].into_iter()));
        assert!(one.error.is_none() && none.mean.is_none());
        assert_eq!([four, one, none].map(|mean| mean_text(mean, 1.0, "")), ["2.5 ±0.6", "7.0", "–"]);
        assert_eq!(percentiles(&(0..100).rev().collect::<Vec<_>>()), Some([10, 50, 90]));
        assert_eq!(percentiles(&[]), None);
    }
}
