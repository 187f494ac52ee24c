//! `levels solve`: an optimal solution of each level, or why there is none. Levels are searched in parallel and printed
//! in order.

mod check;
mod solution_fields;
mod solve_result;

use mageyard_lab::{levels_from_stdin, select_levels};
use std::io::{IsTerminal, Write};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::Command;
use clap::builder::PossibleValuesParser;
use futures_util::StreamExt;
use tokio::task::spawn_blocking;

use check::LevelWithSolution;
pub(crate) use check::SolutionCheck;
use solution_fields::SolutionFields;
use solve_result::SearchEnd;
pub(crate) use solve_result::SolveResult;

use crate::context::Context;
use crate::exit::{Exit, Failure};
use crate::output::Output;
use crate::runtime;
use crate::signals::stop_signal;
use mageyard_config::Problem;
use mageyard_domain::{
    EnvironmentSpec, Objective, SearchBudget, SearchFailure, SearchLimits, Solution, Solver,
};
use mageyard_lab::SelectedLevel;

/// Find an optimal solution of each level
///
/// Each result is one of four: optimal (proven to have the fewest moves), found (a solution
/// without proof), unsolvable (proven), gave up (a limit was reached). With --check a given solution
/// is verified and compared with an optimal one.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Environment, level set, level or file; - for standard input
    #[arg(value_name = "LEVELS", required_unless_present = "check")]
    reference: Option<String>,
    /// Verify this solution: a file, the solution itself, or - for standard input. Without LEVELS the file
    /// has levels, each followed by its solution
    #[arg(long, value_name = "SOLUTION")]
    check: Option<String>,
    /// What to minimize
    #[arg(long, value_name = "BY", default_value = Objective::ACTIONS.name)]
    by: String,
    /// Maximum number of states that the solver expands per level
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    states: Option<u64>,
    /// Maximum seconds per level
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    time: Option<u64>,
    /// Maximum memory for states per level, in megabytes
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    memory: Option<u64>,
    /// Number of levels to search in parallel [default: number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

/// The part of the time, as a divisor, that is left for a search for any solution when the proof is not complete.
const SHARE_FOR_ANY_SOLUTION: u32 = 10;

type Answer = Result<Solution, SearchFailure>;

/// The objective and limits for all levels.
#[derive(Clone)]
struct SearchOptions {
    /// The name of the objective.
    by: String,
    fields: Arc<SolutionFields>,
    states: u64,
    /// In bytes.
    memory: u64,
    time: Option<Duration>,
    stop: Arc<AtomicBool>,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let chosen = levels_to_solve(args, context)?;
    let limits = limits(&chosen, context)?;
    let task = SearchOptions {
        by: args.by.clone(),
        fields: Arc::new(SolutionFields::of(context.lab.environments())),
        states: args.states.unwrap_or(limits.states),
        memory: args.memory.map_or(limits.memory, |megabytes| megabytes.saturating_mul(1 << 20)),
        time: args.time.map(Duration::from_secs),
        stop: Arc::default(),
    };
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let jobs = args.jobs.map_or_else(cores, usize::from);
    runtime::single_thread_runtime()?.block_on(solve_all(chosen, &task, jobs, args.json))
}

/// Adds the objectives of these environments' solvers as values of `--by`.
pub(crate) fn add_objectives(verb: Command, environments: &[&'static dyn EnvironmentSpec]) -> Command {
    let values = PossibleValuesParser::new(SolutionFields::of(environments).objectives().to_vec());
    verb.mut_arg("by", |arg| arg.value_parser(values))
}

/// The levels, each with a solution to verify if one is given.
fn levels_to_solve(args: &Args, context: &Context) -> Result<Vec<LevelWithSolution>, Problem> {
    let reference = args.reference.as_deref();
    if let Some(given) = &args.check {
        return check::levels_with_solutions(context, given, reference);
    }
    let chosen = match reference.unwrap_or_default() {
        "-" => levels_from_stdin(&context.lab)?.all()?.all_good("-")?,
        reference => select_levels(&context.lab, context.folders(), reference)?,
    };
    Ok(chosen.into_iter().map(|one| (one, None)).collect())
}

/// The solver limits from the settings of this environment.
fn limits(chosen: &[LevelWithSolution], context: &Context) -> Result<SearchLimits, Problem> {
    let config = context.config()?;
    let Some((first, _)) = chosen.first() else { return Ok(SearchLimits::NONE) };
    mageyard_lab::create_for_level(first, &config)?;
    let options = config.settings().options(first.spec.name());
    Ok(first.spec.capabilities().tools.solver.map_or(SearchLimits::NONE, |solver| solver.limits(&options)))
}

/// Solves all levels and prints each; returns the exit code of the worst result.
async fn solve_all(
    chosen: Vec<LevelWithSolution>,
    task: &SearchOptions,
    jobs: usize,
    json: bool,
) -> Result<Exit, Failure> {
    let mut stop = pin!(stop_signal());
    let mut exit = Exit::Done;
    let mut out = Output::open();
    let (all, names) =
        (chosen.len(), chosen.iter().map(|(one, _)| one.reference.clone()).collect::<Vec<_>>());
    let mut rows =
        pin!(futures_util::stream::iter(chosen).map(|one| solve_or_check(one, task)).buffered(jobs));
    for (done, name) in names.iter().enumerate() {
        progress(Some((done, all)));
        let row = tokio::select! {
            // First, so that signals are handled before the first result.
            biased;
            exit = &mut stop => {
                task.stop.store(true, Ordering::Relaxed);
                progress(None);
                return Err(Failure::Problem(exit, Problem::new(format!("stopped while solving {name}"))));
            }
            row = rows.next() => row,
        };
        let Some(row) = row.transpose()? else { break };
        // An invalid solution outweighs an unknown optimum.
        if exit != Exit::Mismatch && row.exit() != Exit::Done {
            exit = row.exit();
        }
        progress(None);
        row.print(&mut out, json)?;
    }
    Ok(exit)
}

/// The result for a level.
enum Outcome {
    Searched(SolveResult),
    Checked(SolutionCheck),
}

impl Outcome {
    fn exit(&self) -> Exit {
        let end = match self {
            Self::Searched(row) => Some(row.end),
            Self::Checked(check) if !check.solved => return Exit::Mismatch,
            Self::Checked(check) => check.end,
        };
        if matches!(end, Some(SearchEnd::Found | SearchEnd::GaveUp)) { Exit::Limit } else { Exit::Done }
    }

    fn print(&self, out: &mut Output, json: bool) -> std::io::Result<()> {
        match self {
            Self::Searched(row) => row.print(out, json),
            Self::Checked(check) => check.print(out, json),
        }
    }
}

async fn solve_or_check((one, given): LevelWithSolution, task: &SearchOptions) -> Result<Outcome, Failure> {
    let Some(given) = given else { return solve(one, task).await.map(Outcome::Searched) };
    let notation =
        one.spec.capabilities().tools.solver.and_then(Solver::notation).ok_or_else(|| no_solver(&one))?;
    Ok(Outcome::Checked(match notation.check(&one.level, &given) {
        Err(why) => SolutionCheck::invalid(&one, why, &task.fields),
        Ok(sizes) => SolutionCheck::valid(&one, &sizes, &solve(one.clone(), task).await?, &task.fields),
    }))
}

/// Searches on a blocking thread, so that signals and the time limit work.
async fn solve(one: SelectedLevel, task: &SearchOptions) -> Result<SolveResult, Failure> {
    let objective = objective(&one, &task.by)?;
    let started = Instant::now();
    let late = Arc::new(AtomicBool::new(false));
    let over = Arc::new(AtomicBool::new(false));
    let mut search = spawn_blocking({
        let one = one.clone();
        let task = task.clone();
        let late = late.clone();
        let over = over.clone();
        move || {
            let bounds = SearchBudget {
                states: task.states,
                memory: task.memory,
                time_up: Some(&late),
                time_over: Some(&over),
                cancel: &task.stop,
            };
            one.spec.capabilities().tools.solver?.solve(&one.level, objective, bounds)
        }
    });
    let clock = async {
        let Some(time) = task.time else { return std::future::pending().await };
        let proof = time.saturating_sub(time / SHARE_FOR_ANY_SOLUTION);
        tokio::time::sleep(proof).await;
        late.store(true, Ordering::Relaxed);
        tokio::time::sleep(time.saturating_sub(started.elapsed())).await;
        over.store(true, Ordering::Relaxed);
        std::future::pending().await
    };
    let answer = tokio::select! {
        answer = &mut search => answer,
        never = clock => never,
    };
    let answer = answer.map_err(Failure::running)?.ok_or_else(|| no_solver(&one))?;
    Ok(SolveResult::new(&one, objective, answer, started.elapsed(), &task.fields))
}

/// The objective of this name.
fn objective(one: &SelectedLevel, by: &str) -> Result<Objective, Problem> {
    let solver = one.spec.capabilities().tools.solver.ok_or_else(|| no_solver(one))?;
    solver.objectives().iter().find(|objective| objective.name == by).copied().ok_or_else(|| {
        Problem::new(format!("{} has no solver for {by}", one.spec.name()))
            .with_help(format!("remove --by {by}"))
    })
}

fn no_solver(one: &SelectedLevel) -> Problem {
    Problem::new(format!("{} has no solver", one.spec.name()))
}

/// Shows progress on a terminal in a line that is erased before other output.
fn progress(counts: Option<(usize, usize)>) {
    let mut stderr = std::io::stderr().lock();
    if stderr.is_terminal() {
        let text = counts.map(|(done, all)| format!("{done} of {all} levels")).unwrap_or_default();
        let _ = write!(stderr, "\r\u{1b}[K{text}").and_then(|()| stderr.flush());
    }
}
