//! `levels solve`: a shortest solution of each level, or why there is none.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering;
use std::time::Duration;
use std::time::Instant;

use serde::Serialize;
use serde_json::Value;
use tokio::task::spawn_blocking;

use crate::cli::exit::Exit;
use crate::cli::exit::Failure;
use crate::cli::house::House;
use crate::cli::open;
use crate::cli::output::Output;
use crate::cli::reference;
use crate::cli::reference::Chosen;
use crate::cli::reference::Source;
use crate::cli::stop::stopped;
use crate::config;
use crate::config::Problem;
use crate::domain::Bounds;
use crate::domain::Solution;
use crate::domain::Unsolved;

/// Find a shortest solution of each level
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Environment, set, level or file; - is standard input
    #[arg(value_name = "LEVELS")]
    reference: String,
    /// States the solver may meet before it gives a level up
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    states: Option<u64>,
    /// Print one object a line
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    level: Value,
    solved: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    moves: Option<usize>,
    pushes: Option<u32>,
    lurd: Option<String>,
    actions: Option<Vec<String>>,
    #[serde(skip)]
    notation: String,
    states: u64,
    seconds: f64,
}

type Answer = Result<Solution, Unsolved>;

pub(in crate::cli) fn run(args: &Args, house: &House) -> Result<Exit, Failure> {
    let chosen = match args.reference.as_str() {
        "-" => Source::input()?.all(),
        reference => reference::levels(house.folders(), reference)?,
    };
    let limit = args.states.map_or_else(|| limit(&chosen, house), Ok)?;
    open::runtime()?.block_on(solve_all(chosen, limit, args.json))
}

/// The states that the settings allow this environment's solver.
fn limit(chosen: &[Chosen], house: &House) -> Result<u64, Problem> {
    let config = house.config()?;
    let Some(first) = chosen.first() else { return Ok(0) };
    open::chosen(first, &config)?;
    let set = config.settings().options(first.kind.name()).get("solver_states").and_then(Value::as_u64);
    Ok(set.unwrap_or(u64::MAX))
}

/// Gives the code for a limit when a level was given up.
async fn solve_all(chosen: Vec<Chosen>, limit: u64, json: bool) -> Result<Exit, Failure> {
    let (mut stop, mut exit) = (pin!(stopped()), Exit::Done);
    for one in chosen {
        let started = Instant::now();
        let answer = solve(&one, limit, &mut stop).await?;
        if matches!(answer, Err(Unsolved::GaveUp { .. })) {
            exit = Exit::Limit;
        }
        print(&one, answer, started.elapsed(), json)?;
    }
    Ok(exit)
}

/// Searches on a thread of its own, so that a signal is heard; a search that is stopped is a
/// failure with the signal's code.
async fn solve(one: &Chosen, limit: u64, stop: impl Future<Output = Exit>) -> Result<Answer, Failure> {
    let raised = Arc::new(AtomicBool::new(false));
    let mut search = spawn_blocking({
        let (one, raised) = (one.clone(), raised.clone());
        move || one.kind.solve(&one.level, Bounds { states: limit, stop: &raised })
    });
    let answer = tokio::select! {
        // First, so that signals are listened to before the first answer is out.
        biased;
        exit = stop => {
            raised.store(true, Ordering::Relaxed);
            let _ = search.await;
            return Err(Failure::Problem(exit, Problem::new(format!("stopped while solving {}", one.reference))));
        }
        answer = &mut search => answer.map_err(Failure::running)?,
    };
    Ok(answer.ok_or_else(|| Problem::new(format!("{} has no solver", one.kind.name())))?)
}

fn print(one: &Chosen, answer: Answer, took: Duration, json: bool) -> Result<(), Failure> {
    let row = row(one, answer, took);
    let mut out = Output::open();
    if json {
        return Ok(out.object(&row)?);
    }
    let cost = format!("({} states, {:.3} s)", row.states, row.seconds);
    let head = format!("{}  {}", one.reference, one.level.title.as_deref().unwrap_or_default());
    let told = row.reason.clone().unwrap_or_else(|| found(&row));
    Ok(out.line(format!("{}: {told}  {cost}", head.trim_end()))?)
}

/// `9 moves, 3 pushes: rrDuLL`.
fn found(row: &Row) -> String {
    let pushes = row.pushes.map(|pushes| format!(", {pushes} pushes")).unwrap_or_default();
    format!("{} moves{pushes}: {}", row.moves.unwrap_or_default(), row.notation)
}

fn row(one: &Chosen, answer: Answer, took: Duration) -> Row {
    let (solved, states, reason) = match &answer {
        Ok(solution) => (true, solution.states, None),
        Err(unsolved) => (false, met(unsolved), Some(reason(one, unsolved))),
    };
    let solution = answer.ok();
    let notation = solution.as_ref().map(|solution| solution.notation.clone()).unwrap_or_default();
    let pushes = solution.as_ref().and_then(|solution| solution.pushes);
    let spelt = |solution: Solution| solution.actions.iter().map(ToString::to_string).collect();
    Row {
        level: one.name(),
        solved,
        reason,
        moves: solution.as_ref().map(|solution| solution.actions.len()),
        pushes,
        // Only LURD tells pushes from walks.
        lurd: pushes.map(|_| notation.clone()),
        actions: solution.map(spelt),
        notation,
        states,
        seconds: took.as_secs_f64(),
    }
}

/// Why there is no solution; of a limit, where it is set.
fn reason(one: &Chosen, unsolved: &Unsolved) -> String {
    let setting = format!("{}.solver_states", one.kind.name());
    match unsolved {
        Unsolved::GaveUp { .. } if config::about(&setting).is_empty() => {
            format!("{unsolved}; --states N raises it")
        }
        Unsolved::GaveUp { .. } => format!("{unsolved}; --states N or the setting {setting} raises it"),
        _ => unsolved.to_string(),
    }
}

fn met(unsolved: &Unsolved) -> u64 {
    match unsolved {
        Unsolved::Proven { states } | Unsolved::GaveUp { states } | Unsolved::Stopped { states } => *states,
    }
}
