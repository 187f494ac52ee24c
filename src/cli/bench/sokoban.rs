//! `bench sokoban`: steps, frames and solutions, each with its unit, in one table.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde::Serialize;

use super::clock::processor;
use super::machine::Machine;
use super::measure::Bench;
use super::measure::ROWS;
use super::measure::Row;
use crate::cli::exit::Exit;
use crate::cli::exit::Failure;
use crate::cli::house::House;
use crate::cli::output::Output;
use crate::cli::output::columns;
use crate::cli::reference;
use crate::cli::reference::Chosen;
use crate::config::Problem;
use crate::domain::Bounds;
use crate::domain::Kind;
use crate::domain::Measure;
use crate::domain::Options;
use crate::envs::Arena;
use crate::envs::Sokoban;

/// Measure steps, frames and solutions of Sokoban a second
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Set or file with the rooms to measure, the first of each size
    #[arg(value_name = "LEVELS", default_value = "sokoban/mini")]
    reference: String,
    /// Seconds that steps and frames take together
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=3600))]
    seconds: u32,
    /// Print one object a line
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Rate {
    r#type: &'static str,
    reference: String,
    rows: usize,
    columns: usize,
    measure: &'static str,
    value: f64,
    unit: &'static str,
}

/// How long solving took, over the levels that were solved.
#[derive(Serialize)]
struct Solving {
    r#type: &'static str,
    levels: usize,
    solved: usize,
    median: f64,
    p90: f64,
    max: f64,
    unit: &'static str,
}

pub(in crate::cli) fn run(args: &Args, house: &House) -> Result<Exit, Failure> {
    let chosen = reference::levels(house.folders(), &args.reference)?;
    if let Some(other) = chosen.iter().find(|one| one.kind.name() != Sokoban.name()) {
        let problem = Problem::new(format!("{} is no level of Sokoban", other.reference));
        return Err(problem.help("mageyard levels list names them").into());
    }
    let (machine, rooms) = (Machine::now(), rooms(&chosen));
    let mut rates = Vec::new();
    for row in &ROWS {
        for (room, size) in &rooms {
            rates.push(measured(row, room, *size, share(args.seconds, rooms.len()))?);
        }
    }
    let solving = solving(&chosen, house)?;
    print(&machine, &rates, &solving, args.json)
}

/// The first room of each size.
fn rooms(chosen: &[Chosen]) -> Vec<(&Chosen, (usize, usize))> {
    let mut rooms: Vec<(&Chosen, (usize, usize))> = Vec::new();
    for one in chosen {
        let Ok(arena) = Arena::new(&one.level, &Options::new()) else { continue };
        if !arena.is_solved() && rooms.iter().all(|(_, size)| *size != arena.size()) {
            rooms.push((one, arena.size()));
        }
    }
    rooms
}

/// The time of one measurement in one room.
fn share(seconds: u32, rooms: usize) -> Duration {
    let parts = u32::try_from(rooms * ROWS.len()).unwrap_or(u32::MAX).max(1);
    Duration::from_secs(seconds.into()) / parts
}

fn measured(row: &Row, chosen: &Chosen, size: (usize, usize), least: Duration) -> Result<Rate, Problem> {
    let value = row.measure(&Bench { chosen, clock: &processor, least })?;
    Ok(Rate {
        r#type: "rate",
        reference: chosen.reference.clone(),
        rows: size.0,
        columns: size.1,
        measure: row.name,
        value,
        unit: row.unit,
    })
}

/// Solves every level once, within the states that the settings allow.
fn solving(chosen: &[Chosen], house: &House) -> Result<Solving, Problem> {
    let options = house.config()?.settings().options(Sokoban.name());
    let states = options.get("solver_states").and_then(serde_json::Value::as_u64).unwrap_or(u64::MAX);
    let stop = AtomicBool::new(false);
    let mut times: Vec<f64> = Vec::new();
    for one in chosen {
        let began = processor();
        let bounds = Bounds::states(states, &stop);
        if matches!(one.kind.solve(&one.level, Measure::Actions, bounds), Some(Ok(solution)) if solution.unproven.is_none())
        {
            times.push(processor().saturating_sub(began).as_secs_f64() * 1000.0);
        }
    }
    times.sort_by(f64::total_cmp);
    // The time that so many of a hundred stay under, by the nearest rank.
    let rank =
        |percent: usize| times.get((times.len() * percent).div_ceil(100).max(1) - 1).copied().unwrap_or(0.0);
    let (median, p90, max) = (rank(50), rank(90), rank(100));
    Ok(Solving { r#type: "solve", levels: chosen.len(), solved: times.len(), median, p90, max, unit: "ms" })
}

fn print(machine: &Machine, rates: &[Rate], solving: &Solving, json: bool) -> Result<Exit, Failure> {
    let mut out = Output::open();
    if json {
        out.object(machine)?;
        rates.iter().try_for_each(|rate| out.object(rate))?;
        out.object(solving)?;
        return Ok(Exit::Done);
    }
    out.line(machine.words())?;
    columns(&table(rates)).iter().try_for_each(|line| out.line(line))?;
    let Solving { levels, solved, median, p90, max, unit, .. } = solving;
    out.line(format!(
        "solve: {solved} of {levels} levels, median {median:.3} {unit}, 90 of 100 under {p90:.3} {unit}, longest {max:.3} {unit}"
    ))?;
    Ok(Exit::Done)
}

/// A line a measurement, a column a size.
fn table(rates: &[Rate]) -> Vec<Vec<String>> {
    let of = |row: &Row| rates.iter().filter(|rate| rate.measure == row.name).collect::<Vec<_>>();
    let sizes = of(&ROWS[0]).into_iter().map(|rate| format!("{}x{}", rate.rows, rate.columns));
    let head = ["processor time".to_owned(), "unit".to_owned()].into_iter().chain(sizes).collect();
    let line = |row: &Row| {
        let values = of(row).into_iter().map(|rate| grouped(rate.value));
        [row.name.to_owned(), row.unit.to_owned()].into_iter().chain(values).collect()
    };
    std::iter::once(head).chain(ROWS.iter().map(line)).collect()
}

/// A whole number with a comma for each thousand.
fn grouped(value: f64) -> String {
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!([1.0, 999.4, 1000.0, 123_456_789.0].map(grouped), ["1", "999", "1,000", "123,456,789"]);
    }
}
