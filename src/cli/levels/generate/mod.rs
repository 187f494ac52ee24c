//! `levels generate`: generates levels and writes them as a level file.

mod generated;
mod parameters;
mod progress;
mod request;

pub(crate) use self::generated::GroupRow;

use mageyard_lab::select_levels;
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::context::Context;
use crate::exit::{Exit, Failure};
use crate::output::not_a_level_of;
use crate::output_file;
use crate::runtime::single_thread_runtime;
use crate::signals::run_until_signal;
use mageyard_config::Problem;
use mageyard_domain::LevelKey;
use mageyard_lab::{GeneratedGroup, GenerationError, GroupRequest, generate_group};
use parameters::Parameters;
pub(crate) use parameters::add as add_flags;
use progress::Progress;
use request::GenerateRequest;

/// The set that `--train` generates.
const TRAINING_SET: &str = "train";

/// Generate levels
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Groups to generate; separate several with commas
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    group: Vec<String>,
    #[command(flatten)]
    parameters: Parameters,
    /// A complete set with the benchmark's counts; puzzles are solvable within 50 moves
    #[arg(long, value_name = "SET", conflicts_with_all = ["group", "count"])]
    preset: Option<String>,
    /// Short for --preset train: 11,500 training levels, none of them in a built-in set
    #[arg(long, conflicts_with_all = ["group", "count", "preset"])]
    train: bool,
    /// Number of levels per group
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    count: Option<u32>,
    /// Random seed; the same seed generates the same levels
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Maximum number of moves of a shortest solution
    #[arg(long, value_name = "N", value_parser = parse_min_one)]
    max_moves: Option<u32>,
    /// Minimum number of moves of a shortest solution
    #[arg(long, value_name = "N")]
    min_moves: Option<u32>,
    /// Maximum number of states that the solver expands per candidate
    #[arg(long, value_name = "N", default_value_t = request::DEFAULT_STATES, value_parser = clap::value_parser!(u64).range(1..))]
    states: u64,
    /// Maximum number of candidates tried per level, on average
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    tries: u32,
    /// Number of threads [default: number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Level sets and files whose levels are excluded, also rotated or mirrored; separate several with commas
    #[arg(long, value_name = "LEVELS", value_delimiter = ',')]
    exclude: Vec<String>,
    /// Output file [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Overwrite an existing file
    #[arg(long, requires = "out")]
    force: bool,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

/// A number of moves: no generated level is solved at the start.
fn parse_min_one(text: &str) -> Result<u32, String> {
    text.parse().ok().filter(|moves| *moves > 0).ok_or_else(|| "expected a number, at least 1".to_owned())
}

impl Args {
    fn preset(&self) -> Option<&str> {
        self.preset.as_deref().or(self.train.then_some(TRAINING_SET))
    }
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let mut request = GenerateRequest::of(args, &context.lab)?;
    request.limits.excluded = excluded_levels(&request, args, context)?;
    if let Some(path) = &args.out {
        output_file::check_writable(path, args.force)?;
    }
    let (groups, stopped) = single_thread_runtime()?.block_on(generate(request.clone()))?;
    let count: usize = groups.iter().map(|group| group.levels.len()).sum();
    if count == 0
        && let Some(exit) = stopped
    {
        return Err(Failure::Problem(exit, Problem::new("stopped; no level was generated")));
    }
    match &args.out {
        Some(path) => {
            output_file::write(path, generated::level_file(&request, &groups)?.as_bytes(), args.force)?;
        }
        None => generated::print_levels(&request, &groups, args.json)?,
    }
    generated::print_summary(&request, &groups, args.out.is_none(), args.json)?;
    stopped.map_or(Ok(Exit::Done), |exit| Err(stopped_early(exit, count, &request, args)))
}

/// The failure after a signal, once the levels generated so far are written.
fn stopped_early(exit: Exit, count: usize, request: &GenerateRequest, args: &Args) -> Failure {
    let wanted = request.count();
    let place = args.out.as_ref().map_or_else(String::new, |path| format!(" to {}", path.display()));
    Failure::Problem(exit, Problem::new(format!("stopped; {count} of {wanted} levels were written{place}")))
}

/// Levels to exclude: those given, and for training data all built-in levels.
fn excluded_levels(
    request: &GenerateRequest,
    args: &Args,
    context: &Context,
) -> Result<HashSet<LevelKey>, Problem> {
    let spec = request.spec;
    let generator = request.generator;
    let mut all = HashSet::new();
    for name in &args.exclude {
        for one in select_levels(&context.lab, context.folders(), name)? {
            let key = (one.spec.name() == spec.name()).then(|| generator.key(&one.level)).flatten();
            let other = || {
                let what = not_a_level_of(&one.reference, &[spec.name()]);
                Problem::new(format!("{what} and cannot be excluded"))
            };
            all.insert(key.ok_or_else(other)?);
        }
    }
    if request.preset.as_ref().is_some_and(|preset| preset.excludes_shipped) {
        let shipped = spec.level_sets().iter().filter_map(|set| spec.parse_levels(set.text).ok());
        all.extend(shipped.flatten().filter_map(|level| generator.key(&level)));
    }
    Ok(all)
}

/// Generates all groups on other threads, so that signals are handled. A signal ends the generation early; its
/// exit code is returned with the levels so far.
async fn generate(request: GenerateRequest) -> Result<(Vec<GeneratedGroup>, Option<Exit>), Failure> {
    let making = move |raised: &AtomicBool| {
        let make = |group: &GroupRequest| {
            let progress = Progress::new(&request, group);
            generate_group(request.generator, group, &request.limits, &|made| progress.show(made), raised)
                .map_err(|error| not_generated(&error, request.limits.tries))
        };
        let unfinished = |_: &&GroupRequest| !raised.load(Ordering::Relaxed);
        request.groups.iter().take_while(unfinished).map(make).collect::<Result<Vec<_>, Failure>>()
    };
    let (groups, stopped) = run_until_signal(making).await?;
    Ok((groups?, stopped))
}

fn not_generated(error: &GenerationError, tries: u64) -> Failure {
    match error {
        GenerationError::WorkerEnded => Failure::running(error),
        GenerationError::OutOfCandidates { .. } => {
            let help = format!("raise --tries above {tries}, or relax --min-moves and --max-moves");
            let problem = Problem::new(format!("{error}; no level was written")).with_help(help);
            Failure::Problem(Exit::Limit, problem)
        }
    }
}
