//! `bench sokoban`: rates of steps, frames, generation and solving, one table each.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde::Serialize;

use super::clock::thread_cpu_time;
use super::generation;
use super::machine::Machine;
use super::measurement::Measurement;
use super::rates;
use super::rates::RoomSize;
use super::solve_times;
use crate::cli::context::Context;
use crate::cli::exit::Exit;
use crate::cli::exit::Failure;
use crate::cli::output::Output;
use crate::cli::table::align_numbers;
use crate::config::Problem;
use crate::domain::EnvironmentSpec;
use crate::domain::SearchLimits;
use crate::envs::Sokoban;
use crate::lab::SelectedLevel;

/// Measure steps, frames, generation and solving of Sokoban
///
/// Times are processor time of one core, so other programs have little effect. fill-frame and
/// fill-batch only fill the bytes of the frames with one value, as a lower limit. A batch has 256
/// rooms; its frames may exceed the processor's cache.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Level set or file: all levels are solved, the first of each size is stepped and painted
    #[arg(value_name = "LEVELS", default_value = "sokoban/full")]
    reference: String,
    /// Measure only this; separate several with commas
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    only: Vec<Measurement>,
    /// Approximate total seconds, divided equally between the tables
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=3600))]
    seconds: u32,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

pub(in crate::cli) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let chosen = context.lab.levels(context.folders(), &args.reference)?;
    if let Some(other) = chosen.iter().find(|one| one.spec.name() != Sokoban.name()) {
        let problem = Problem::new(format!("{} is not a Sokoban level", other.reference));
        return Err(problem.with_help("mageyard levels list prints the level sets").into());
    }
    let selected = |part: &Measurement| args.only.is_empty() || args.only.contains(part);
    let parts: Vec<Measurement> = Measurement::ALL.into_iter().filter(selected).collect();
    let share = Duration::from_secs(args.seconds.into()) / u32::try_from(parts.len()).unwrap_or(1).max(1);
    let sizes = rates::distinct_sizes(&chosen);
    if sizes.is_empty() && parts.iter().any(|part| rates::needs_rooms(*part)) {
        let problem = Problem::new(format!(
            "no level of {} can be stepped: all are solved at the start",
            args.reference
        ));
        return Err(problem.with_help("--only generate,solve measures without stepping").into());
    }
    let mut printer = Printer { out: Output::open(), json: args.json };
    printer.machine(&Machine::now())?;
    for part in parts {
        measure_and_print(part, &mut printer, &chosen, &sizes, share, context)?;
    }
    Ok(Exit::Done)
}

/// Measures one table and prints it.
fn measure_and_print(
    part: Measurement,
    printer: &mut Printer,
    chosen: &[SelectedLevel],
    sizes: &[RoomSize<'_>],
    share: Duration,
    context: &Context,
) -> Result<(), Failure> {
    match part {
        Measurement::Steps | Measurement::Frames => {
            let rates = rates::measure(part, sizes, &thread_cpu_time, share)?;
            printer.print("rate", &rates, rates::tables(part, &rates))?;
        }
        Measurement::Generate => {
            let groups = u32::try_from(crate::envs::GROUPS.len()).unwrap_or(1);
            let rates = generation::measure(&thread_cpu_time, share / groups);
            printer.print("generate", &rates, vec![generation::rows(&rates)])?;
        }
        Measurement::Solve => {
            let options = context.config()?.settings().options(Sokoban.name());
            let stop = AtomicBool::new(false);
            let limits = Sokoban.solver().map_or(SearchLimits::NONE, |solver| solver.limits(&options));
            let bounds = limits.bounds(&stop);
            let solved = solve_times::measure(chosen, bounds, &thread_cpu_time, share);
            printer.print("solve", &solved, vec![solve_times::rows(&solved)])?;
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
