//! `levels stats`: what the levels of a set are like, group by group, with the error of each mean.

use serde::Serialize;

use crate::cli::exit::Exit;
use crate::cli::exit::Failure;
use crate::cli::house::House;
use crate::cli::open::runtime;
use crate::cli::output::Output;
use crate::cli::reference;
use crate::cli::stop::unless_stopped;
use crate::cli::table::aligned;
use crate::config::Problem;
use crate::domain::Bounds;
use crate::domain::Kind;
use crate::domain::Level;
use crate::envs::Figures;
use crate::envs::GROUPS;
use crate::envs::Sokoban;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering;

/// Solutions longer than this are counted apart (the step limit of the benchmark).
const LONG: usize = 50;
/// Which part of a sorted list stands before the tenths and the median.
const PARTS: [usize; 3] = [10, 50, 90];

/// Measure the levels of a Sokoban set: moves, pushes, floor, idle and random score
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Set, level or file
    #[arg(value_name = "LEVELS")]
    reference: String,
    /// Random plays of 50 steps a level
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    plays: u32,
    /// The seed of the random plays
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// States the solver may meet before it gives a level up
    #[arg(long, value_name = "N", default_value_t = 20_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    states: u64,
    /// Threads; as many as the machine has cores when left out
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
    /// Print one object a line
    #[arg(long)]
    json: bool,
}

/// A mean, where there is anything, and its standard error, where there is more than one.
#[derive(Clone, Copy, Default, Serialize)]
struct Mean {
    mean: Option<f64>,
    error: Option<f64>,
}

#[derive(Serialize)]
struct Row {
    r#type: &'static str,
    group: String,
    levels: usize,
    /// Levels without a proven shortest solution; they are in no figure but the floor's.
    unsolved: usize,
    moves: Mean,
    /// The tenths at both ends, the median between them.
    moves_p10_p50_p90: Option<[usize; 3]>,
    moves_max: Option<usize>,
    long: Mean,
    floor: Mean,
    floor_p10_p50_p90: Option<[usize; 3]>,
    pushes: Mean,
    idle: Mean,
    random: Mean,
}

pub(in crate::cli) fn run(args: &Args, house: &House) -> Result<Exit, Failure> {
    let chosen = reference::levels(house.folders(), &args.reference)?;
    if let Some(other) = chosen.iter().find(|one| one.kind.name() != Sokoban.name()) {
        return Err(Problem::new(format!("{} is no Sokoban level", other.reference)).into());
    }
    let levels = chosen.into_iter().map(|one| one.level).collect();
    let surveys = runtime()?.block_on(surveyed(args, levels))?;
    let named = GROUPS.iter().map(|group| (group.name, select(&surveys, |one| one.group == Some(group))));
    let others = ("other", select(&surveys, |one| one.group.is_none()));
    let mut groups: Vec<_> = named.chain([others]).filter(|(_, levels)| !levels.is_empty()).collect();
    if groups.len() > 1 {
        groups.push(("all", surveys.iter().collect()));
    }
    let rows: Vec<Row> = groups.iter().map(|(name, levels)| row(name, levels)).collect();
    let mut out = Output::open();
    if args.json {
        rows.iter().try_for_each(|row| out.object(row))?;
    } else {
        out.blocks(&table(WAYS, &rows, ways), 1)?;
        out.line("")?;
        out.blocks(&table(ROOMS, &rows, rooms), 1)?;
    }
    Ok(if rows.iter().any(|row| row.unsolved > 0) { Exit::Limit } else { Exit::Done })
}

fn select(surveys: &[Figures], wanted: impl Fn(&Figures) -> bool) -> Vec<&Figures> {
    surveys.iter().filter(|one| wanted(one)).collect()
}

/// Surveys on threads of its own, so that a signal is heard.
async fn surveyed(args: &Args, levels: Vec<Level>) -> Result<Vec<Figures>, Failure> {
    let (seed, plays, states) = (args.seed, args.plays, args.states);
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let jobs = args.jobs.map_or_else(cores, usize::from);
    let measuring = move |raised: &AtomicBool| {
        survey_all(&levels, jobs, |level| Figures::of(level, seed, plays, Bounds::states(states, raised)))
    };
    unless_stopped("stopped while measuring", measuring).await
}

fn survey_all(
    levels: &[Level],
    jobs: usize,
    survey: impl Fn(&Level) -> Option<Figures> + Sync,
) -> Vec<Figures> {
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
    // Sums depend on their order in the last digit, and threads end in any.
    all.sort_unstable_by_key(|(at, _)| *at);
    all.into_iter().map(|(_, figures)| figures).collect()
}

fn row(name: &str, levels: &[&Figures]) -> Row {
    let solved: Vec<_> = levels.iter().filter_map(|one| one.shortest).collect();
    let moves: Vec<usize> = solved.iter().map(|shortest| shortest.moves).collect();
    let floor: Vec<usize> = levels.iter().map(|one| one.floor).collect();
    let long = |moves: &usize| if *moves > LONG { 1.0 } else { 0.0 };
    Row {
        r#type: "stats",
        group: name.to_owned(),
        levels: levels.len(),
        unsolved: levels.len() - solved.len(),
        moves: mean(moves.iter().copied().map(number)),
        moves_p10_p50_p90: parts(&moves),
        moves_max: moves.iter().copied().max(),
        long: mean(moves.iter().map(long)),
        floor: mean(floor.iter().copied().map(number)),
        floor_p10_p50_p90: parts(&floor),
        pushes: mean(solved.iter().map(|shortest| f64::from(shortest.pushes))),
        idle: mean(levels.iter().filter_map(|one| one.idle)),
        random: mean(levels.iter().filter_map(|one| one.random)),
    }
}

fn number(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

/// Of values that were drawn independently of one another.
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

fn parts(values: &[usize]) -> Option<[usize; 3]> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    let of = |part: usize| sorted.get(sorted.len() * part / 100).copied();
    let [low, median, high] = PARTS.map(of);
    Some([low?, median?, high?])
}

const WAYS: [&str; 9] = ["group", "levels", "moves", "p10", "p50", "p90", "max", "over 50", "pushes"];
const ROOMS: [&str; 6] = ["group", "floor", "p10", "p90", "idle score", "random score"];

/// What stands where there is nothing.
const NOTHING: &str = "–";

/// `16.6 ±0.2`: a mean with its standard error, in this unit.
fn told(mean: Mean, times: f64, unit: &str) -> String {
    let Some(value) = mean.mean else { return NOTHING.to_owned() };
    let error = mean.error.map_or(String::new(), |error| format!(" ±{:.1}", error * times));
    format!("{:.1}{unit}{error}", value * times)
}

fn count(count: Option<usize>) -> String {
    count.map_or_else(|| NOTHING.to_owned(), |count| count.to_string())
}

/// Shortest solutions.
fn ways(row: &Row) -> Vec<String> {
    let part = |at: usize| row.moves_p10_p50_p90.map(|parts| parts[at]);
    let unsolved = if row.unsolved > 0 { format!(" ({} unsolved)", row.unsolved) } else { String::new() };
    let mut cells = vec![row.group.clone(), format!("{}{unsolved}", row.levels), told(row.moves, 1.0, "")];
    cells.extend([part(0), part(1), part(2), row.moves_max].map(count));
    cells.push(told(row.long, 100.0, " %"));
    cells.push(told(row.pushes, 1.0, ""));
    cells
}

/// Floor, and what who does not think scores.
fn rooms(row: &Row) -> Vec<String> {
    let part = |at: usize| count(row.floor_p10_p50_p90.map(|parts| parts[at]));
    let told = |mean| told(mean, 1.0, "");
    vec![row.group.clone(), told(row.floor), part(0), part(2), told(row.idle), told(row.random)]
}

fn table<const N: usize>(
    titles: [&str; N],
    rows: &[Row],
    cells: fn(&Row) -> Vec<String>,
) -> Vec<Vec<String>> {
    let head = titles.map(str::to_owned).to_vec();
    aligned(std::iter::once(head).chain(rows.iter().map(cells)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_knows_its_error() {
        let four = mean([1.0, 2.0, 3.0, 4.0].into_iter());
        assert!((four.mean.unwrap() - 2.5).abs() < 1e-12);
        assert!((four.error.unwrap() - (5.0_f64 / 3.0 / 4.0).sqrt()).abs() < 1e-12);
        let (one, none) = (mean([7.0].into_iter()), mean([].into_iter()));
        assert!(one.error.is_none() && none.mean.is_none());
        assert_eq!([four, one, none].map(|mean| told(mean, 1.0, "")), ["2.5 ±0.6", "7.0", "–"]);
        assert_eq!(parts(&(0..100).rev().collect::<Vec<_>>()), Some([10, 50, 90]));
        assert_eq!(parts(&[]), None);
    }
}
