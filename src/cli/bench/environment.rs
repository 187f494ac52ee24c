//! `bench ENVIRONMENT`: the environment's own measurements, generation and solving, one table each.

use mageyard_lab::select_levels;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::Command;
use clap::builder::{PossibleValue, PossibleValuesParser};
use serde::Serialize;

use super::clock::thread_cpu_time;
use super::levels::BenchLevels;
use super::machine::Machine;
use super::{engines, generation, rates, solve_times};
use crate::context::Context;
use crate::exit::{Exit, Failure};
use crate::output::{Output, capitalized, not_a_level_of};
use crate::table::align_numbers;
use mageyard_config::Problem;
use mageyard_domain::{
    Benchmarks, Capabilities, EngineComparison, EnvironmentSpec, Level, LevelGenerator, Measurement, Solver,
};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Level set or file: all levels are solved, the first of each size is stepped and painted
    #[arg(value_name = "LEVELS")]
    reference: String,
    /// Measure only this; separate several with commas
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    only: Vec<String>,
    /// Approximate total seconds, divided equally between the tables
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=3600))]
    seconds: u32,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

/// One table of the output.
#[derive(Clone, Copy)]
enum Table {
    Engines(&'static dyn EngineComparison),
    Rates(&'static dyn Benchmarks, &'static Measurement),
    Generate(&'static dyn LevelGenerator),
    Solve(&'static dyn Solver),
}

impl Table {
    /// The tables of an environment.
    fn all(spec: &'static dyn EnvironmentSpec) -> Vec<Self> {
        let Capabilities { tools, engines, .. } = spec.capabilities();
        let rates = tools.benchmarks.into_iter();
        let rates = rates.flat_map(|own| own.measurements().iter().map(move |table| Self::Rates(own, table)));
        let engines = engines.map(|own| Self::Engines(own.comparison)).into_iter();
        engines
            .chain(rates)
            .chain(tools.generator.map(Self::Generate))
            .chain(tools.solver.map(Self::Solve))
            .collect()
    }

    fn name(self) -> &'static str {
        match self {
            Self::Engines(_) => "engines",
            Self::Rates(_, table) => table.name,
            Self::Generate(_) => "generate",
            Self::Solve(_) => "solve",
        }
    }

    fn help(self) -> &'static str {
        match self {
            Self::Engines(_) => {
                "Frames per second, processor time and memory of each engine, with their ratio"
            }
            Self::Rates(_, table) => table.help,
            Self::Generate(_) => "Levels generated per second in each group",
            Self::Solve(_) => "Time to find shortest solutions in each group",
        }
    }

    fn needs_samples(self) -> bool {
        matches!(self, Self::Rates(..))
    }
}

/// The verb for an environment; `None` if nothing of it can be measured.
pub(super) fn command(spec: &'static dyn EnvironmentSpec) -> Option<Command> {
    let tables = Table::all(spec);
    if tables.is_empty() {
        return None;
    }
    let names: Vec<&str> = tables.iter().map(|table| table.name()).collect();
    let about = format!("Measure the speed of {}: {}", capitalized(spec.name()), names.join(", "));
    let benchmarks = spec.capabilities().tools.benchmarks;
    let notes = benchmarks.map(Benchmarks::notes).unwrap_or_default();
    let long = format!(
        "{about}\n\nTimes are processor time of one core, so other programs have little effect. {notes}"
    );
    let values = tables.iter().map(|table| PossibleValue::new(table.name()).help(table.help()));
    let values = PossibleValuesParser::new(values.collect::<Vec<_>>());
    let set = benchmarks.map(Benchmarks::level_set);
    let default = set.map_or_else(|| spec.name().to_owned(), |set| format!("{}/{set}", spec.name()));
    let verb = <Args as clap::Args>::augment_args(Command::new(spec.name())).about(about).long_about(long);
    let verb = verb.mut_arg("reference", |arg| arg.required(false).default_value(default));
    Some(verb.mut_arg("only", |arg| arg.value_parser(values)))
}

pub(super) fn run(
    spec: &'static dyn EnvironmentSpec,
    args: &Args,
    context: &Context,
) -> Result<Exit, Failure> {
    let levels = levels(spec, args, context)?;
    let selected = |table: &Table| args.only.is_empty() || args.only.iter().any(|name| name == table.name());
    let tables: Vec<Table> = Table::all(spec).into_iter().filter(selected).collect();
    let share = Duration::from_secs(args.seconds.into()) / u32::try_from(tables.len()).unwrap_or(1).max(1);
    if levels.samples.is_empty() && tables.iter().any(|table| table.needs_samples()) {
        return Err(nothing_to_step(spec, &args.reference).into());
    }
    let mut printer = Printer { out: Output::open(), json: args.json };
    printer.machine(&Machine::now())?;
    for table in tables {
        measure_and_print(spec, table, &mut printer, &levels, share, context)?;
    }
    Ok(Exit::Done)
}

fn levels(
    spec: &'static dyn EnvironmentSpec,
    args: &Args,
    context: &Context,
) -> Result<BenchLevels, Problem> {
    let chosen = select_levels(&context.lab, context.folders(), &args.reference)?;
    if let Some(other) = chosen.iter().find(|one| one.spec.name() != spec.name()) {
        let problem = Problem::new(not_a_level_of(&other.reference, &[spec.name()]));
        return Err(problem.with_help("mageyard levels list prints the level sets"));
    }
    let (references, levels): (_, Vec<_>) = chosen.into_iter().map(|one| (one.reference, one.level)).unzip();
    let samples = spec.capabilities().tools.benchmarks.map(|own| own.samples(&levels)).unwrap_or_default();
    Ok(BenchLevels { references, levels, samples })
}

fn nothing_to_step(spec: &'static dyn EnvironmentSpec, reference: &str) -> Problem {
    let what = format!("no level of {reference} can be stepped: all are solved at the start");
    let others = Table::all(spec).into_iter().filter(|table| !table.needs_samples());
    let others: Vec<&str> = others.map(Table::name).collect();
    Problem::new(what).with_help(format!("--only {} measures without stepping", others.join(",")))
}

/// Measures one table and prints it.
fn measure_and_print(
    spec: &'static dyn EnvironmentSpec,
    table: Table,
    printer: &mut Printer,
    levels: &BenchLevels,
    share: Duration,
    context: &Context,
) -> Result<(), Failure> {
    match table {
        Table::Engines(comparison) => {
            let options = context.config()?.settings().options(spec.name());
            let engines = engines::measure(comparison, levels, &options, spec.name(), share / 2)?;
            printer.print("engine_speed", &engines, vec![engines::rows(&engines)])?;
            printer.remarks(&engines::reasons(&engines))?;
        }
        Table::Rates(benchmarks, table) => {
            let rates = rates::measure(benchmarks, table, levels, &thread_cpu_time, share)?;
            let fields: Vec<_> = rates.iter().map(rates::Rate::fields).collect();
            printer.print("rate", &fields, rates::tables(table, &rates))?;
        }
        Table::Generate(generator) => {
            let kinds = u32::try_from(generator.kinds().len()).unwrap_or(1);
            let rates = generation::measure(generator, &thread_cpu_time, share / kinds.max(1));
            printer.print("generate", &rates, vec![generation::rows(generator, &rates)])?;
        }
        Table::Solve(solver) => {
            let options = context.config()?.settings().options(spec.name());
            let stop = AtomicBool::new(false);
            let bounds = solver.limits(&options).bounds(&stop);
            let generator = spec.capabilities().tools.generator;
            let group = |level: &Level| generator.and_then(|generator| generator.kind_of(level));
            let times = solve_times::measure(solver, &levels.levels, group, bounds, &thread_cpu_time, share);
            printer.print("solve", &times, vec![solve_times::rows(&times)])?;
        }
    }
    Ok(())
}

/// Prints each table as soon as it is measured.
struct Printer {
    out: Output,
    json: bool,
}

impl Printer {
    fn machine(&mut self, machine: &Machine) -> std::io::Result<()> {
        if self.json {
            return self.out.object_line("machine", machine);
        }
        machine.summary_lines().iter().try_for_each(|line| self.out.line(line))
    }

    /// Sentences below a table; objects have them as fields.
    fn remarks(&mut self, remarks: &[String]) -> std::io::Result<()> {
        let shown = if self.json { &[][..] } else { remarks };
        shown.iter().try_for_each(|line| self.out.line(line))
    }

    fn print(
        &mut self,
        kind: &str,
        objects: &[impl Serialize],
        tables: Vec<Vec<Vec<String>>>,
    ) -> std::io::Result<()> {
        if self.json {
            return objects.iter().try_for_each(|object| self.out.object_line(kind, object));
        }
        for rows in tables {
            self.out.line("")?;
            align_numbers(rows).iter().try_for_each(|line| self.out.line(line))?;
        }
        Ok(())
    }
}
