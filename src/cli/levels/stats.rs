//! `levels stats`: statistics of a level set per group, with the standard error of each mean.

use mageyard_lab::select_levels;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::context::Context;
use crate::exit::{Exit, Failure};
use crate::output::{Output, not_a_level_of};
use crate::parallel::{in_parallel, threads};
use crate::records::Record;
use crate::runtime::single_thread_runtime;
use crate::signals::run_interruptible;
use crate::table::right_aligned;
use mageyard_config::Problem;
use mageyard_domain::{Figure, FigureTable, Level, LevelFigures, LevelStatistics, Percentile, SearchBudget};
use mageyard_lab::SelectedLevel;
use std::sync::atomic::AtomicBool;

/// The percentiles, with their titles.
const PERCENTILES: [(Percentile, usize, &str); 3] =
    [(Percentile::P10, 10, "p10"), (Percentile::P50, 50, "p50"), (Percentile::P90, 90, "p90")];

/// Measure the levels of a set: shortest solutions, idle and random score
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
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

/// A group of levels (`levels stats`).
///
/// Each figure of the environment is an object with its `mean` and `error`, the standard error; both may be null. Some have
/// percentiles (`FIGURE_p10_p50_p90`, an array or null) and a maximum (`FIGURE_max`).
#[derive(Serialize, JsonSchema)]
pub(crate) struct StatsRecord<'a> {
    /// Name of the group.
    group: &'a str,
    /// Number of levels.
    levels: usize,
    /// Levels without a proven shortest solution.
    unsolved: usize,
    #[serde(flatten)]
    figures: Map<String, Value>,
}

impl Record for StatsRecord<'_> {
    const TYPE: &'static str = "stats";
}

/// The statistics of a group of levels.
struct GroupStats {
    group: String,
    levels: usize,
    /// Levels without a proven shortest solution; figures of solutions leave them out.
    unsolved: usize,
    figures: Vec<FigureStats>,
}

/// The statistics of one figure.
struct FigureStats {
    figure: &'static Figure,
    mean: Mean,
    /// Of whole numbers: 10th percentile, median, 90th percentile.
    percentiles: Option<[u64; 3]>,
    maximum: Option<u64>,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let chosen = select_levels(&context.lab, context.folders(), &args.reference)?;
    let statistics = statistics(&chosen, context)?;
    let levels = chosen.into_iter().map(|one| one.level).collect();
    let measured = single_thread_runtime()?.block_on(measure_until_stopped(statistics, args, levels))?;
    let named = statistics.groups().into_iter().map(|name| (name, select(&measured, Some(name))));
    let mut groups: Vec<_> =
        named.chain([("other", select(&measured, None))]).filter(|(_, levels)| !levels.is_empty()).collect();
    if groups.len() > 1 {
        groups.push(("all", measured.iter().collect()));
    }
    let stats = |(name, levels): &(&str, Vec<&LevelFigures>)| group_stats(statistics, name, levels);
    let rows: Vec<GroupStats> = groups.iter().map(stats).collect();
    let mut out = Output::open();
    if args.json {
        rows.iter().try_for_each(|row| out.record(&row.record()))?;
    } else {
        out.column_blocks(&table(statistics, FigureTable::Solutions, &rows), 1)?;
        out.line("")?;
        out.column_blocks(&table(statistics, FigureTable::Others, &rows), 1)?;
    }
    Ok(if rows.iter().any(|row| row.unsolved > 0) { Exit::Limit } else { Exit::Done })
}

/// The statistics of the environment of all these levels.
fn statistics(chosen: &[SelectedLevel], context: &Context) -> Result<&'static dyn LevelStatistics, Problem> {
    let environments = context.lab.environments().iter();
    let own = environments.filter_map(|spec| Some((spec.name(), spec.capabilities().tools.statistics?)));
    let own: Vec<_> = own.collect();
    let names: Vec<&str> = own.iter().map(|(name, _)| *name).collect();
    let of = |one: &SelectedLevel| own.iter().find(|(name, _)| *name == one.spec.name());
    let other = |one: &SelectedLevel| Problem::new(not_a_level_of(&one.reference, &names));
    let first = chosen.first().ok_or_else(|| Problem::new("there are no levels"))?;
    let (name, statistics) = of(first).ok_or_else(|| other(first))?;
    match chosen.iter().find(|one| one.spec.name() != *name) {
        Some(one) => Err(other(one)),
        None => Ok(*statistics),
    }
}

fn select<'a>(measured: &'a [LevelFigures], group: Option<&str>) -> Vec<&'a LevelFigures> {
    measured.iter().filter(|one| one.group == group).collect()
}

/// Measures on other threads, so that signals are handled.
async fn measure_until_stopped(
    statistics: &'static dyn LevelStatistics,
    args: &Args,
    levels: Vec<Level>,
) -> Result<Vec<LevelFigures>, Failure> {
    let seed = args.seed;
    let plays = args.plays;
    let states = args.states;
    let jobs = threads(args.jobs);
    let measuring = move |raised: &AtomicBool| {
        in_parallel(&levels, jobs, |level| {
            statistics.measure(level, plays, seed, SearchBudget::with_states(states, raised))
        })
    };
    run_interruptible("stopped while measuring", measuring).await
}

fn group_stats(statistics: &dyn LevelStatistics, name: &str, levels: &[&LevelFigures]) -> GroupStats {
    let values = |index: usize| levels.iter().filter_map(move |one| one.values.get(index).copied().flatten());
    let stats = |(index, figure): (usize, &'static Figure)| {
        let whole: Vec<u64> = values(index).filter_map(whole).collect();
        FigureStats {
            figure,
            mean: mean(values(index)),
            percentiles: percentiles(&whole),
            maximum: whole.into_iter().max(),
        }
    };
    GroupStats {
        group: name.to_owned(),
        levels: levels.len(),
        unsolved: levels.iter().filter(|one| !one.solved).count(),
        figures: statistics.figures().iter().enumerate().map(stats).collect(),
    }
}

/// A figure that is a whole number.
fn whole(value: f64) -> Option<u64> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is checked")]
    (value >= 0.0 && value.fract() == 0.0 && value < 1e15).then_some(value as u64)
}

impl GroupStats {
    fn record(&self) -> StatsRecord<'_> {
        StatsRecord {
            group: &self.group,
            levels: self.levels,
            unsolved: self.unsolved,
            figures: self.figures.iter().flat_map(FigureStats::fields).collect(),
        }
    }
}

impl FigureStats {
    fn fields(&self) -> Vec<(String, Value)> {
        let name = self.figure.name;
        let mean = serde_json::to_value(self.mean).unwrap_or_default();
        let percentiles = (!self.figure.percentiles.is_empty())
            .then(|| (format!("{name}_p10_p50_p90"), self.percentiles.map_or(Value::Null, Value::from_iter)));
        let maximum = self.figure.maximum.then(|| (format!("{name}_max"), self.maximum.into()));
        [(name.to_owned(), mean)].into_iter().chain(percentiles).chain(maximum).collect()
    }

    /// The titles of its columns.
    fn titles(figure: &Figure) -> Vec<String> {
        let percentiles = PERCENTILES.iter().filter(|(one, ..)| figure.percentiles.contains(one));
        let percentiles = percentiles.map(|(.., title)| (*title).to_owned());
        let maximum = figure.maximum.then(|| "max".to_owned());
        [figure.title.to_owned()].into_iter().chain(percentiles).chain(maximum).collect()
    }

    fn cells(&self) -> Vec<String> {
        let (times, unit) = if self.figure.share { (100.0, " %") } else { (1.0, "") };
        let shown =
            PERCENTILES.iter().enumerate().filter(|(_, (one, ..))| self.figure.percentiles.contains(one));
        let percentiles = shown.map(|(index, _)| count_text(self.percentiles.map(|parts| parts[index])));
        let maximum = self.figure.maximum.then(|| count_text(self.maximum));
        [mean_text(self.mean, times, unit)].into_iter().chain(percentiles).chain(maximum).collect()
    }
}

/// The mean of independent samples.
fn mean(values: impl Iterator<Item = f64>) -> Mean {
    let mut count = 0.0;
    let mut mean = 0.0;
    let mut squares = 0.0;
    for value in values {
        count += 1.0;
        let off = value - mean;
        mean += off / count;
        squares += off * (value - mean);
    }
    let error = (count > 1.0).then(|| (squares / (count - 1.0) / count).sqrt());
    Mean { mean: (count > 0.0).then_some(mean), error }
}

fn percentiles(values: &[u64]) -> Option<[u64; 3]> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    let of = |(_, part, _): (Percentile, usize, &str)| sorted.get(sorted.len() * part / 100).copied();
    let [low, median, high] = PERCENTILES.map(of);
    Some([low?, median?, high?])
}

/// Shown for a missing value.
const NO_VALUE: &str = "–";

/// `16.6 ±0.2`: a mean with its standard error, in a unit.
fn mean_text(mean: Mean, times: f64, unit: &str) -> String {
    let Some(value) = mean.mean else { return NO_VALUE.to_owned() };
    let error = mean.error.map_or(String::new(), |error| format!(" ±{:.1}", error * times));
    format!("{:.1}{unit}{error}", value * times)
}

fn count_text(count: Option<u64>) -> String {
    count.map_or_else(|| NO_VALUE.to_owned(), |count| count.to_string())
}

/// One row per group, after the titles.
fn table(statistics: &dyn LevelStatistics, which: FigureTable, rows: &[GroupStats]) -> Vec<Vec<String>> {
    let counted = which == FigureTable::Solutions;
    let figures = statistics.figures().iter().filter(|figure| figure.table == which);
    let levels = counted.then(|| "levels".to_owned());
    let titles = ["group".to_owned()].into_iter().chain(levels).chain(figures.flat_map(FigureStats::titles));
    let cells = |row: &GroupStats| {
        let unsolved = if row.unsolved > 0 { format!(" ({} unsolved)", row.unsolved) } else { String::new() };
        let levels = counted.then(|| format!("{}{unsolved}", row.levels));
        let figures = row.figures.iter().filter(|stats| stats.figure.table == which);
        [row.group.clone()].into_iter().chain(levels).chain(figures.flat_map(FigureStats::cells)).collect()
    };
    right_aligned(std::iter::once(titles.collect()).chain(rows.iter().map(cells)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_has_its_standard_error() {
        let four = mean([1.0, 2.0, 3.0, 4.0].into_iter());
        assert!((four.mean.unwrap() - 2.5).abs() < 1e-12);
        assert!((four.error.unwrap() - (5.0_f64 / 3.0 / 4.0).sqrt()).abs() < 1e-12);
        let one = mean([7.0].into_iter());
        let none = mean([].into_iter());
        assert!(one.error.is_none() && none.mean.is_none());
        assert_eq!([four, one, none].map(|mean| mean_text(mean, 1.0, "")), ["2.5 ±0.6", "7.0", "–"]);
        assert_eq!(percentiles(&(0..100).rev().collect::<Vec<_>>()), Some([10, 50, 90]));
        assert_eq!(percentiles(&[]), None);
    }
}
