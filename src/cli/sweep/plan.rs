//! `sweep plan`: what a sweep would run. Nothing is sent and nothing is written.

use mageyard_sweep::estimate_sweep;
use schemars::JsonSchema;
use serde::Serialize;

use super::columns::{Columns, cell_object, coordinates_object, short_name};
use super::pilot;
use super::source::SweepSource;
use super::total;
use crate::context::Context;
use crate::exit::{Exit, Failure};
use crate::output::{Output, count_noun};
use crate::records::Record;
use crate::runtime::single_thread_runtime;
use mageyard_config::Problem;
use mageyard_domain::table_label;
use mageyard_engine::Store;
use mageyard_statistics::Variation;
use mageyard_sweep::{
    ExpectedCost, PlanTimes, PlannedCell, StruckCell, SweepEstimate, SweepPlan, measured_times,
};

/// Print the cells of a sweep, what they need, and those struck out
///
/// Nothing is sent and nothing is written. Exit with 2 if no cell can be played.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    source: SweepSource,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let (plan, config) = args.source.plan(context)?;
    let needs = single_thread_runtime()?.block_on(estimate_sweep(&context.lab, &plan))?;
    let store = Store::new(config.store_folder());
    let times = PlanTimes::new(&plan, measured_times(&context.lab, &plan, &store)?);
    let variation = pilot::variation(&plan, context, &store, &config)?;
    let estimates = Estimates { needs: &needs, times: &times, variation };
    let mut out = Output::open();
    if args.json {
        print_json(&plan, &estimates, context, &mut out)?;
    } else {
        print(&plan, &estimates, context, &mut out)?;
    }
    if plan.cells.is_empty() {
        return Err(Problem::new(format!("{}: no cell can be played", plan.name)).into());
    }
    Ok(Exit::Done)
}

/// What the cells need, how long they take, and how much their scores vary.
struct Estimates<'a> {
    needs: &'a SweepEstimate,
    times: &'a PlanTimes,
    variation: Variation,
}

fn print(
    plan: &SweepPlan,
    Estimates { needs, times, variation }: &Estimates<'_>,
    context: &Context,
    out: &mut Output,
) -> Result<(), Failure> {
    let about = if plan.about.is_empty() { String::new() } else { format!(": {}", plan.about) };
    out.line(format!("{}{about}", plan.name))?;
    let episodes = plan.cells.iter().map(PlannedCell::episodes).sum();
    let struck =
        if plan.struck.is_empty() { String::new() } else { format!(", {} struck out", plan.struck.len()) };
    let (cells, episodes) =
        (count_noun(plan.cells.len(), "cell", "cells"), count_noun(episodes, "episode", "episodes"));
    out.line(format!("{cells} with {episodes}{struck}"))?;
    let columns = Columns::new(plan, &context.lab)?;
    columns.common().iter().try_for_each(|line| out.line(line))?;
    out.line("")?;
    out.column_blocks(&columns.rows(plan, &needs.cells), 1)?;
    print_starts(plan, out)?;
    let expected = ExpectedCost::of(needs, times);
    total::lines(plan, needs, &expected, *variation).iter().try_for_each(|line| out.line(line))?;
    times.lines().iter().try_for_each(|line| out.line(line))?;
    print_struck(&plan.struck, plan, out)
}

/// Which cells start from others, by their numbers.
fn print_starts(plan: &SweepPlan, out: &mut Output) -> Result<(), Failure> {
    for (index, cell) in plan.cells.iter().enumerate() {
        let Some(after) = &cell.after else { continue };
        let number = plan.cells.iter().position(|cell| cell.name == *after);
        let first =
            number.map_or_else(|| format!("the session {after}"), |number| format!("cell {}", number + 1));
        out.line(format!("cell {} starts from what {first} has left", index + 1))?;
    }
    Ok(())
}

fn print_struck(struck: &[StruckCell], plan: &SweepPlan, out: &mut Output) -> Result<(), Failure> {
    if struck.is_empty() {
        return Ok(());
    }
    out.line("\nStruck out:")?;
    Ok(out.table(&struck_rows(struck, plan))?)
}

/// Combinations that are struck out, each with the reason.
fn struck_rows(struck: &[StruckCell], plan: &SweepPlan) -> Vec<Vec<String>> {
    let reasons: Vec<String> = struck.iter().map(|cell| reason(cell, plan)).collect();
    let rows = struck.iter().zip(&reasons).enumerate().map(|(index, (cell, reason))| {
        let repeats = index.checked_sub(1).and_then(|before| reasons.get(before)) == Some(reason);
        vec![coordinates(&cell.coordinates), if repeats { "as above".to_owned() } else { reason.clone() }]
    });
    rows.collect()
}

/// The combinations of a plan that are struck out, a line each with the reason.
pub fn struck_lines(plan: &SweepPlan) -> Vec<String> {
    struck_rows(&plan.struck, plan).iter().map(|row| row.join(": ")).collect()
}

fn coordinates(coordinates: &[(String, String)]) -> String {
    let words =
        coordinates.iter().map(|(name, value)| format!("{}={}", short_name(name), table_label(value)));
    words.collect::<Vec<_>>().join(" ")
}

/// Why a cell is struck out; a duplicate names the number of the first one.
fn reason(cell: &StruckCell, plan: &SweepPlan) -> String {
    let first =
        cell.duplicate_of.as_ref().and_then(|name| plan.cells.iter().position(|cell| cell.name == *name));
    first.map_or_else(|| cell.reason.clone(), |index| format!("the same as cell {}", index + 1))
}

/// A sweep that is planned (`sweep plan`), before its cells.
#[derive(Serialize, JsonSchema)]
pub(crate) struct SweepObject<'a> {
    /// Name of the sweep.
    sweep: &'a str,
    /// What it is for; may be empty.
    about: &'a str,
    /// Cells that are run.
    cells: usize,
    /// Combinations that are not run.
    struck: usize,
    /// Episodes of all cells.
    episodes: usize,
    /// Name of the cell that others are compared with.
    reference: Option<&'a str>,
    /// Difference of scores that is to be seen, in points.
    difference: Option<f64>,
    /// Recorded session or sweep that says how much scores vary.
    pilot: Option<&'a str>,
    /// Repeats that show it; null also if no number does.
    repeats_needed: Option<u32>,
    /// Seconds that all cells take one episode after the other, estimated from recorded episodes; null if a cell has none.
    seconds: Option<f64>,
    /// Cells without a recorded episode of their agent, model, environment and setting.
    untimed: usize,
    #[serde(flatten)]
    total: total::TotalObject,
}

impl Record for SweepObject<'_> {
    const TYPE: &'static str = "sweep_plan";
}

/// A combination of settings that is not run (`sweep plan`).
#[derive(Serialize, JsonSchema)]
pub(crate) struct StruckObject<'a> {
    /// Name of the sweep.
    sweep: &'a str,
    /// Settings that differ between cells, with the values of this one.
    coordinates: serde_json::Map<String, serde_json::Value>,
    /// Why it is not run.
    reason: &'a str,
    /// Name of the cell that it equals.
    duplicate_of: Option<&'a str>,
}

impl Record for StruckObject<'_> {
    const TYPE: &'static str = "sweep_struck";
}

fn print_json(
    plan: &SweepPlan,
    Estimates { needs, times, variation }: &Estimates<'_>,
    context: &Context,
    out: &mut Output,
) -> Result<(), Failure> {
    let reference = plan.reference_cells.first().and_then(|index| plan.cells.get(*index));
    let reference = reference.map(|cell| cell.name.as_str());
    let SweepPlan { name: sweep, about, difference, .. } = plan;
    let cells = plan.cells.len();
    let struck = plan.struck.len();
    let episodes = plan.cells.iter().map(PlannedCell::episodes).sum();
    let object = SweepObject {
        sweep,
        about,
        cells,
        struck,
        episodes,
        reference,
        difference: *difference,
        pilot: plan.pilot.as_deref(),
        repeats_needed: total::repeats_needed(plan, *variation),
        seconds: times.total(),
        untimed: times.unknown(),
        total: total::TotalObject::of(needs, &ExpectedCost::of(needs, times)),
    };
    out.record(&object)?;
    for ((cell, estimate), time) in plan.cells.iter().zip(&needs.cells).zip(times.cells()) {
        let object = cell_object(plan, cell, estimate, &context.lab)?;
        out.record(&object.with_time(time))?;
    }
    for cell in &plan.struck {
        let coordinates = coordinates_object(&cell.coordinates);
        let duplicate_of = cell.duplicate_of.as_deref();
        out.record(&StruckObject { sweep, coordinates, reason: &cell.reason, duplicate_of })?;
    }
    Ok(())
}
