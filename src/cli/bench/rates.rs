//! Rates of an environment's benchmarks on some sample levels.

use std::time::Duration;

use serde_json::{Map, Value};

use super::levels::BenchLevels;
use crate::output::with_thousands;
use mageyard_config::Problem;
use mageyard_domain::{Benchmarks, Measurement, Sample, Stopwatch};

/// Columns of a table; further samples get another table.
const SAMPLES_PER_TABLE: usize = 4;

/// A measured rate.
pub(super) struct Rate<'a> {
    sample: &'a Sample,
    reference: &'a str,
    benchmark: &'static str,
    value: f64,
    unit: &'static str,
}

impl Rate<'_> {
    /// The rate as an object.
    pub(super) fn fields(&self) -> Map<String, Value> {
        let described = self.sample.fields.iter().map(|(name, value)| (*name, Value::from(*value)));
        let reference = [("reference", Value::from(self.reference))];
        let measured =
            [("measure", self.benchmark.into()), ("value", self.value.into()), ("unit", self.unit.into())];
        let fields = reference.into_iter().chain(described).chain(measured);
        fields.map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

/// Measures all benchmarks of a table within `share`.
pub(super) fn measure<'a>(
    benchmarks: &dyn Benchmarks,
    table: &'static Measurement,
    levels: &'a BenchLevels,
    clock: &dyn Fn() -> Duration,
    share: Duration,
) -> Result<Vec<Rate<'a>>, Problem> {
    let count = u32::try_from(table.benchmarks.len() * levels.samples.len()).unwrap_or(u32::MAX);
    let stopwatch = Stopwatch { clock, least: share / count.max(1) };
    let mut rates = Vec::new();
    for benchmark in table.benchmarks {
        for sample in &levels.samples {
            let reference = levels.references[sample.level].as_str();
            let value = benchmarks
                .rate(benchmark, &levels.levels[sample.level], &stopwatch)
                .map_err(|error| Problem::new(format!("{reference}: {error}")))?;
            rates.push(Rate { sample, reference, benchmark, value, unit: table.unit });
        }
    }
    Ok(rates)
}

/// Tables with one row per benchmark and one column per sample; those of the training API are apart.
pub(super) fn tables(table: &Measurement, rates: &[Rate<'_>]) -> Vec<Vec<Vec<String>>> {
    let lines = rates.chunks((rates.len() / table.benchmarks.len().max(1)).max(1));
    let (training, own): (Vec<_>, Vec<_>) =
        lines.partition(|line| table.training.contains(&line[0].benchmark));
    let mut tables = blocks(table.unit, &own);
    tables.extend(blocks(&format!("{}, training API", table.unit), &training));
    tables
}

/// The tables of these lines, each with a few samples.
fn blocks(title: &str, lines: &[&[Rate<'_>]]) -> Vec<Vec<Vec<String>>> {
    let samples = lines.first().map_or(0, |line| line.len());
    let block = |from: usize| {
        let abreast = |line: &&[Rate<'_>], cell: fn(&Rate<'_>) -> String| {
            line.iter().skip(from).take(SAMPLES_PER_TABLE).map(cell).collect::<Vec<_>>()
        };
        let head = abreast(&lines[0], |rate| rate.sample.title.clone());
        let named = |name: &str, cells: Vec<String>| std::iter::once(name.to_owned()).chain(cells).collect();
        let line =
            |line: &&[Rate<'_>]| named(line[0].benchmark, abreast(line, |rate| with_thousands(rate.value)));
        std::iter::once(named(title, head)).chain(lines.iter().map(line)).collect()
    };
    (0..samples).step_by(SAMPLES_PER_TABLE).map(block).collect()
}
