//! `bench sokoban`: steps, frames, new levels and solutions, each with its unit, table by table.

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
use crate::cli::level_ref;
use crate::cli::level_ref::SelectedLevel;
use crate::cli::output::Output;
use crate::cli::table::align_numbers;
use crate::config::Problem;
use crate::domain::EnvironmentSpec;
use crate::engine::SearchLimits;
use crate::envs::Sokoban;

/// Measure steps, frames, new levels and solutions of Sokoban
///
/// All is measured in processor time of one core, so that other programs disturb little. Frames stand
/// beside a floor: fill-frame and fill-batch write as many bytes as the frames have, all of one value.
/// A batch has 256 rooms, whose pictures together may be more than the cache holds.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Set or file: its levels are solved, and the first of each size is stepped and painted
    #[arg(value_name = "LEVELS", default_value = "sokoban/full")]
    reference: String,
    /// Measure only this; several with commas
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    only: Vec<Measurement>,
    /// Seconds that all of it takes, about; each table has its equal share
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=3600))]
    seconds: u32,
    /// Print one object a line
    #[arg(long)]
    json: bool,
}

pub(in crate::cli) fn run(args: &Args, house: &Context) -> Result<Exit, Failure> {
    let chosen = level_ref::levels(house.folders(), &args.reference)?;
    if let Some(other) = chosen.iter().find(|one| one.spec.name() != Sokoban.name()) {
        let problem = Problem::new(format!("{} is no level of Sokoban", other.reference));
        return Err(problem.with_help("mageyard levels list names them").into());
    }
    let asked = |part: &Measurement| args.only.is_empty() || args.only.contains(part);
    let parts: Vec<Measurement> = Measurement::ALL.into_iter().filter(asked).collect();
    let share = Duration::from_secs(args.seconds.into()) / u32::try_from(parts.len()).unwrap_or(1).max(1);
    let sizes = rates::distinct_sizes(&chosen);
    if sizes.is_empty() && parts.iter().any(|part| rates::needs_rooms(*part)) {
        let problem = Problem::new(format!("no level of {} can be stepped: all open solved", args.reference));
        return Err(problem.with_help("--only generate,solve measures without steps").into());
    }
    let mut paper = Printer { out: Output::open(), json: args.json };
    paper.machine(&Machine::now())?;
    for part in parts {
        measure_and_print(part, &mut paper, &chosen, &sizes, share, house)?;
    }
    Ok(Exit::Done)
}

/// Measures one table and prints it.
fn measure_and_print(
    part: Measurement,
    paper: &mut Printer,
    chosen: &[SelectedLevel],
    sizes: &[RoomSize<'_>],
    share: Duration,
    house: &Context,
) -> Result<(), Failure> {
    match part {
        Measurement::Steps | Measurement::Frames => {
            let rates = rates::measure(part, sizes, &thread_cpu_time, share)?;
            paper.print(&rates, rates::tables(part, &rates))?;
        }
        Measurement::Generate => {
            let groups = u32::try_from(crate::envs::GROUPS.len()).unwrap_or(1);
            let made = generation::measure(&thread_cpu_time, share / groups);
            paper.print(&made, vec![generation::rows(&made)])?;
        }
        Measurement::Solve => {
            let options = house.config()?.settings().options(Sokoban.name());
            let stop = AtomicBool::new(false);
            let bounds = SearchLimits::from_options(&options, None).bounds(&stop);
            let solved = solve_times::measure(chosen, bounds, &thread_cpu_time, share);
            paper.print(&solved, vec![solve_times::rows(&solved)])?;
        }
    }
    Ok(())
}

/// Where it is all told, as soon as it is known.
struct Printer {
    out: Output,
    json: bool,
}

impl Printer {
    fn machine(&mut self, machine: &Machine) -> std::io::Result<()> {
        if self.json {
            return self.out.object_line(machine);
        }
        machine.summary_lines().iter().try_for_each(|line| self.out.line(line))
    }

    fn print(&mut self, objects: &[impl Serialize], tables: Vec<Vec<Vec<String>>>) -> std::io::Result<()> {
        if self.json {
            return objects.iter().try_for_each(|object| self.out.object_line(object));
        }
        for rows in tables {
            self.out.line("")?;
            align_numbers(rows).iter().try_for_each(|line| self.out.line(line))?;
        }
        Ok(())
    }
}
