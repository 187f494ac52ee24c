//! `levels solve`: a best solution of each level, or why there is none. Levels are searched side by
//! side and told in their order.

mod check;
mod row;

use std::io::IsTerminal;
use std::io::Write;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering;
use std::time::Duration;
use std::time::Instant;

use futures_util::StreamExt;
use tokio::task::spawn_blocking;

use check::Check;
use check::Written;
use row::End;
use row::Row;

use crate::cli::exit::Exit;
use crate::cli::exit::Failure;
use crate::cli::house::House;
use crate::cli::open;
use crate::cli::output::Output;
use crate::cli::reference;
use crate::cli::reference::Chosen;
use crate::cli::reference::Source;
use crate::cli::stop::stopped;
use crate::config::Problem;
use crate::domain::Bounds;
use crate::domain::Measure;
use crate::domain::Options;
use crate::domain::Solution;
use crate::domain::Unsolved;
use crate::engine::Allowance;
use crate::envs::Replayed;

/// Find a best solution of each level
///
/// Says which of four it is: optimal (proven to have the fewest moves, or pushes), found (a solution,
/// but a limit came before the proof), unsolvable (proven), gave up (a limit came first). With --check
/// a solution of somebody else is replayed instead, and held against a best one.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Environment, set, level or file; - is standard input
    #[arg(value_name = "LEVELS", required_unless_present = "check")]
    reference: Option<String>,
    /// Replay this solution, a file or moves in LURD, and say if it holds and if it is a best one;
    /// without LEVELS the file has boards with a solution below each; - is standard input
    #[arg(long, value_name = "SOLUTION")]
    check: Option<String>,
    /// What a solution is to have the fewest of
    #[arg(long, value_enum, default_value_t = By::Moves)]
    by: By,
    /// States the solver may meet before it gives a level up
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    states: Option<u64>,
    /// Seconds the solver may take before it gives a level up
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    time: Option<u64>,
    /// Megabytes that the states of a level may take before the solver gives it up
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    memory: Option<u64>,
    /// Levels to search at the same time [default: the number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
    /// Print one object a line
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum By {
    Moves,
    Pushes,
}

type Answer = Result<Solution, Unsolved>;

/// What every level is searched with.
#[derive(Clone)]
struct Task {
    measure: Measure,
    states: u64,
    /// In bytes.
    memory: u64,
    time: Option<Duration>,
    stop: Arc<AtomicBool>,
}

pub(in crate::cli) fn run(args: &Args, house: &House) -> Result<Exit, Failure> {
    let chosen = chosen(args, house)?;
    let limits = limits(&chosen, house)?;
    let measure = match args.by {
        By::Moves => Measure::Actions,
        By::Pushes => Measure::Pushes,
    };
    let task = Task {
        measure,
        states: args.states.unwrap_or(limits.states),
        memory: args.memory.map_or(limits.memory, |megabytes| megabytes.saturating_mul(1 << 20)),
        time: args.time.map(Duration::from_secs),
        stop: Arc::default(),
    };
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let jobs = args.jobs.map_or_else(cores, usize::from);
    open::runtime()?.block_on(solve_all(chosen, &task, jobs, args.json))
}

/// The levels, each with the solution that it is to be held against, if there is one.
fn chosen(args: &Args, house: &House) -> Result<Vec<Written>, Problem> {
    let reference = args.reference.as_deref();
    if let Some(given) = &args.check {
        return check::written(house.folders(), given, reference);
    }
    let chosen = match reference.unwrap_or_default() {
        "-" => Source::input()?.all(),
        reference => reference::levels(house.folders(), reference)?,
    };
    Ok(chosen.into_iter().map(|one| (one, None)).collect())
}

/// What the settings allow this environment's solver.
fn limits(chosen: &[Written], house: &House) -> Result<Allowance, Problem> {
    let config = house.config()?;
    let Some((first, _)) = chosen.first() else { return Ok(Allowance::of(&Options::new(), None)) };
    open::chosen(first, &config)?;
    Ok(Allowance::of(&config.settings().options(first.kind.name()), None))
}

/// Gives the code for a limit when one was met.
async fn solve_all(chosen: Vec<Written>, task: &Task, jobs: usize, json: bool) -> Result<Exit, Failure> {
    let (mut stop, mut exit, mut out) = (pin!(stopped()), Exit::Done, Output::open());
    let (all, names) =
        (chosen.len(), chosen.iter().map(|(one, _)| one.reference.clone()).collect::<Vec<_>>());
    let mut rows = pin!(futures_util::stream::iter(chosen).map(|one| tell(one, task)).buffered(jobs));
    for (done, name) in names.iter().enumerate() {
        progress(Some((done, all)));
        let row = tokio::select! {
            // First, so that signals are listened to before the first answer is out.
            biased;
            exit = &mut stop => {
                task.stop.store(true, Ordering::Relaxed);
                progress(None);
                return Err(Failure::Problem(exit, Problem::new(format!("stopped while solving {name}"))));
            }
            row = rows.next() => row,
        };
        let Some(row) = row.transpose()? else { break };
        // What does not hold weighs more than what is not known.
        if exit != Exit::Mismatch && row.exit() != Exit::Done {
            exit = row.exit();
        }
        progress(None);
        row.print(&mut out, json)?;
    }
    Ok(exit)
}

/// What is told of a level.
enum Told {
    Row(Row),
    Check(Check),
}

impl Told {
    fn exit(&self) -> Exit {
        let end = match self {
            Self::Row(row) => Some(row.end),
            Self::Check(check) if !check.solved => return Exit::Mismatch,
            Self::Check(check) => check.end,
        };
        if matches!(end, Some(End::Found | End::GaveUp)) { Exit::Limit } else { Exit::Done }
    }

    fn print(&self, out: &mut Output, json: bool) -> std::io::Result<()> {
        match self {
            Self::Row(row) => row.print(out, json),
            Self::Check(check) => check.print(out, json),
        }
    }
}

async fn tell((one, lurd): Written, task: &Task) -> Result<Told, Failure> {
    let Some(lurd) = lurd else { return solve(one, task).await.map(Told::Row) };
    Ok(Told::Check(match Replayed::of(&one.level, &lurd) {
        Err(why) => Check::broken(&one, why),
        Ok(replayed) => Check::held(&one, replayed, task.measure, &solve(one.clone(), task).await?),
    }))
}

/// Searches on a thread of its own, so that signals are heard and clocks run.
async fn solve(one: Chosen, task: &Task) -> Result<Row, Failure> {
    let (started, late) = (Instant::now(), Arc::new(AtomicBool::new(false)));
    let mut search = spawn_blocking({
        let (one, task, late) = (one.clone(), task.clone(), late.clone());
        move || {
            let bounds =
                Bounds { states: task.states, memory: task.memory, late: Some(&late), stop: &task.stop };
            one.kind.solve(&one.level, task.measure, bounds)
        }
    });
    let clock = async {
        match task.time {
            Some(time) => tokio::time::sleep(time).await,
            None => std::future::pending().await,
        }
    };
    let answer = tokio::select! {
        answer = &mut search => answer,
        () = clock => {
            late.store(true, Ordering::Relaxed);
            search.await
        }
    };
    let answer = answer.map_err(Failure::running)?.ok_or_else(|| refused(&one, task.measure))?;
    Ok(Row::new(&one, task.measure, answer, started.elapsed()))
}

fn refused(one: &Chosen, measure: Measure) -> Problem {
    let name = one.kind.name();
    match measure {
        Measure::Actions => Problem::new(format!("{name} has no solver")),
        Measure::Pushes => {
            Problem::new(format!("{name} has no solver that counts pushes")).help("leave --by pushes out")
        }
    }
}

/// Tells a person at a terminal how far it is, in a line that is wiped before anything else is said.
fn progress(counts: Option<(usize, usize)>) {
    let mut stderr = std::io::stderr().lock();
    if stderr.is_terminal() {
        let said = counts.map(|(done, all)| format!("{done} of {all} levels")).unwrap_or_default();
        let _ = write!(stderr, "\r\u{1b}[K{said}").and_then(|()| stderr.flush());
    }
}
