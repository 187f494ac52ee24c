//! `levels generate`: generates rooms like gym-sokoban's and writes them as a level file.

mod generated;
mod progress;
mod request;
mod workers;

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering;

use crate::cli::context::Context;
use crate::cli::exit::Exit;
use crate::cli::exit::Failure;
use crate::cli::output_file;
use crate::cli::runtime::single_thread_runtime;
use crate::cli::signals::run_until_signal;
use crate::config::Problem;
use crate::domain::EnvironmentSpec;
use crate::envs::GROUPS;
use crate::envs::Sokoban;
use crate::envs::SymmetryKey;
use request::GenerateRequest;
use request::GroupRequest;

/// Generate Sokoban levels like gym-sokoban's
#[derive(Debug, clap::Args)]
#[command(override_usage = "mageyard levels generate [OPTIONS] --group <NAME> --count <N>\n       \
                            mageyard levels generate [OPTIONS] --size <RxC> --boxes <N> --count <N>\n       \
                            mageyard levels generate [OPTIONS] --preset <NAME>")]
pub(in crate::cli) struct Args {
    /// Groups to generate, such as small-v1; separate several with commas
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = GROUPS.map(|group| group.name))]
    group: Vec<String>,
    /// Rows and columns of a custom shape, including walls
    #[arg(long, value_name = "ROWSxCOLS", requires = "boxes", conflicts_with = "group", value_parser = request::parse_size)]
    size: Option<(u16, u16)>,
    /// Number of boxes of a custom shape
    #[arg(long, value_name = "N", requires = "size")]
    boxes: Option<u8>,
    /// A complete set with the benchmark's counts, solvable within 50 moves
    #[arg(long, value_name = "SET", conflicts_with_all = ["group", "size", "count"])]
    preset: Option<request::PresetName>,
    /// Short for --preset train: 11,500 training levels, none of them in a built-in set
    #[arg(long, conflicts_with_all = ["group", "size", "count", "preset"])]
    train: bool,
    /// Number of levels per group
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    count: Option<u32>,
    /// Random seed; the same seed generates the same levels
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Maximum number of moves of a shortest solution
    #[arg(long, value_name = "N", value_parser = parse_min_one)]
    max_moves: Option<usize>,
    /// Minimum number of moves of a shortest solution
    #[arg(long, value_name = "N")]
    min_moves: Option<usize>,
    /// Maximum number of states that the solver expands per room
    #[arg(long, value_name = "N", default_value_t = request::DEFAULT_STATES, value_parser = clap::value_parser!(u64).range(1..))]
    states: u64,
    /// Maximum number of rooms tried per level, on average
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

/// A number of moves: no generated room is solved at the start.
fn parse_min_one(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|moves| *moves > 0).ok_or_else(|| "expected a number, at least 1".to_owned())
}

impl Args {
    fn preset(&self) -> Option<request::PresetName> {
        self.preset.or(self.train.then_some(request::PresetName::Train))
    }
}

pub(in crate::cli) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let order = GenerateRequest::of(args)?;
    let excluded = excluded_levels(&order, args, context)?;
    if let Some(path) = &args.out {
        output_file::check_writable(path, args.force)?;
    }
    let (groups, stopped) = single_thread_runtime()?.block_on(generate(order.clone(), excluded))?;
    let count: usize = groups.iter().map(|group| group.levels.len()).sum();
    if count == 0
        && let Some(exit) = stopped
    {
        return Err(Failure::Problem(exit, Problem::new("stopped; no level was generated")));
    }
    match &args.out {
        Some(path) => {
            output_file::write(path, generated::level_file(&order, &groups).as_bytes(), args.force)?;
        }
        None => generated::print_levels(&order, &groups, args.json)?,
    }
    generated::print_summary(&groups, args.out.is_none(), args.json)?;
    stopped.map_or(Ok(Exit::Done), |exit| Err(stopped_early(exit, count, &order, args)))
}

/// The failure after a signal, once the levels generated so far are written.
fn stopped_early(exit: Exit, count: usize, order: &GenerateRequest, args: &Args) -> Failure {
    let wanted: usize = order.groups.iter().map(|group| group.count).sum();
    let place = args.out.as_ref().map_or_else(String::new, |path| format!(" to {}", path.display()));
    Failure::Problem(exit, Problem::new(format!("stopped; {count} of {wanted} levels were written{place}")))
}

/// Levels to exclude: those given, and for training data all built-in levels.
fn excluded_levels(
    order: &GenerateRequest,
    args: &Args,
    context: &Context,
) -> Result<HashSet<SymmetryKey>, Problem> {
    let mut all = HashSet::new();
    for name in &args.exclude {
        for one in context.lab.levels(context.folders(), name)? {
            let like = (one.spec.name() == Sokoban.name()).then(|| SymmetryKey::of(&one.level)).flatten();
            let not_sokoban =
                || Problem::new(format!("{} is not a Sokoban level and cannot be excluded", one.reference));
            all.insert(like.ok_or_else(not_sokoban)?);
        }
    }
    if order.is_training_data() {
        let shipped = Sokoban.level_sets().iter().filter_map(|set| Sokoban.parse_levels(set.text).ok());
        all.extend(shipped.flatten().filter_map(|level| SymmetryKey::of(&level)));
    }
    Ok(all)
}

/// Generates all groups on other threads, so that signals are handled. A signal ends the generation early; its
/// exit code is returned with the levels so far.
async fn generate(
    order: GenerateRequest,
    excluded: HashSet<SymmetryKey>,
) -> Result<(Vec<generated::GeneratedGroup>, Option<Exit>), Failure> {
    let making = move |raised: &AtomicBool| {
        let make = |wish: &GroupRequest| workers::generate_group(&order, wish, &excluded, raised);
        let unfinished = |_: &&GroupRequest| !raised.load(Ordering::Relaxed);
        order.groups.iter().take_while(unfinished).map(make).collect::<Result<Vec<_>, Failure>>()
    };
    let (groups, stopped) = run_until_signal(making).await?;
    Ok((groups?, stopped))
}
