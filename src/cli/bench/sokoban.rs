//! `bench sokoban`: steps, frames, new levels and solutions, each with its unit, table by table.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde::Serialize;

use super::clock::processor;
use super::machine::Machine;
use super::making;
use super::measure;
use super::measure::Sized;
use super::part::Part;
use super::solving;
use crate::cli::exit::Exit;
use crate::cli::exit::Failure;
use crate::cli::house::House;
use crate::cli::output::Output;
use crate::cli::reference;
use crate::cli::reference::Chosen;
use crate::cli::table::numbers;
use crate::config::Problem;
use crate::domain::Kind;
use crate::engine::Allowance;
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
    only: Vec<Part>,
    /// Seconds that all of it takes, about; each table has its equal share
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=3600))]
    seconds: u32,
    /// Print one object a line
    #[arg(long)]
    json: bool,
}

pub(in crate::cli) fn run(args: &Args, house: &House) -> Result<Exit, Failure> {
    let chosen = reference::levels(house.folders(), &args.reference)?;
    if let Some(other) = chosen.iter().find(|one| one.kind.name() != Sokoban.name()) {
        let problem = Problem::new(format!("{} is no level of Sokoban", other.reference));
        return Err(problem.help("mageyard levels list names them").into());
    }
    let asked = |part: &Part| args.only.is_empty() || args.only.contains(part);
    let parts: Vec<Part> = Part::ALL.into_iter().filter(asked).collect();
    let share = Duration::from_secs(args.seconds.into()) / u32::try_from(parts.len()).unwrap_or(1).max(1);
    let sizes = measure::sizes(&chosen);
    if sizes.is_empty() && parts.iter().any(|part| measure::steps(*part)) {
        let problem = Problem::new(format!("no level of {} can be stepped: all open solved", args.reference));
        return Err(problem.help("--only generate,solve measures without steps").into());
    }
    let mut paper = Paper { out: Output::open(), json: args.json };
    paper.machine(&Machine::now())?;
    for part in parts {
        tell(part, &mut paper, &chosen, &sizes, share, house)?;
    }
    Ok(Exit::Done)
}

/// Measures one table and prints it.
fn tell(
    part: Part,
    paper: &mut Paper,
    chosen: &[Chosen],
    sizes: &[Sized<'_>],
    share: Duration,
    house: &House,
) -> Result<(), Failure> {
    match part {
        Part::Steps | Part::Frames => {
            let rates = measure::rates(part, sizes, &processor, share)?;
            paper.print(&rates, measure::tables(part, &rates))?;
        }
        Part::Generate => {
            let groups = u32::try_from(crate::envs::GROUPS.len()).unwrap_or(1);
            let made = making::all(&processor, share / groups);
            paper.print(&made, vec![making::rows(&made)])?;
        }
        Part::Solve => {
            let options = house.config()?.settings().options(Sokoban.name());
            let stop = AtomicBool::new(false);
            let bounds = Allowance::of(&options, None).bounds(&stop);
            let solved = solving::all(chosen, bounds, &processor, share);
            paper.print(&solved, vec![solving::rows(&solved)])?;
        }
    }
    Ok(())
}

/// Where it is all told, as soon as it is known.
struct Paper {
    out: Output,
    json: bool,
}

impl Paper {
    fn machine(&mut self, machine: &Machine) -> std::io::Result<()> {
        if self.json {
            return self.out.object(machine);
        }
        machine.words().iter().try_for_each(|line| self.out.line(line))
    }

    fn print(&mut self, objects: &[impl Serialize], tables: Vec<Vec<Vec<String>>>) -> std::io::Result<()> {
        if self.json {
            return objects.iter().try_for_each(|object| self.out.object(object));
        }
        for rows in tables {
            self.out.line("")?;
            numbers(rows).iter().try_for_each(|line| self.out.line(line))?;
        }
        Ok(())
    }
}
