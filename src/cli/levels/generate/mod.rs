//! `levels generate`: rooms in the manner of gym-sokoban as a level file, in any number.

mod generated;
mod progress;
mod request;
mod workers;

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use crate::cli::context::Context;
use crate::cli::exit::Exit;
use crate::cli::exit::Failure;
use crate::cli::level_ref;
use crate::cli::output_file;
use crate::cli::runtime::single_thread_runtime;
use crate::cli::signals::run_interruptible;
use crate::config::Problem;
use crate::domain::EnvironmentSpec;
use crate::envs::GROUPS;
use crate::envs::Sokoban;
use crate::envs::SymmetryKey;
use request::GenerateRequest;
use request::GroupRequest;

/// Make Sokoban levels in the manner of gym-sokoban
#[derive(Debug, clap::Args)]
#[command(override_usage = "mageyard levels generate [OPTIONS] --group <NAME> --count <N>\n       \
                            mageyard levels generate [OPTIONS] --size <RxC> --boxes <N> --count <N>\n       \
                            mageyard levels generate [OPTIONS] --preset <NAME>")]
pub(in crate::cli) struct Args {
    /// Groups to make levels of, such as small-v1; several with commas
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = GROUPS.map(|group| group.name))]
    group: Vec<String>,
    /// Rows and columns of a shape of your own, walls included
    #[arg(long, value_name = "ROWSxCOLS", requires = "boxes", conflicts_with = "group", value_parser = request::parse_size)]
    size: Option<(u16, u16)>,
    /// Boxes of a shape of your own
    #[arg(long, value_name = "N", requires = "size")]
    boxes: Option<u8>,
    /// A whole set in the counts of the benchmark, solvable within 50 moves
    #[arg(long, value_name = "SET", conflicts_with_all = ["group", "size", "count"])]
    preset: Option<request::PresetName>,
    /// The same as --preset train: 11,500 levels to learn from, none of them in the sets that ship
    #[arg(long, conflicts_with_all = ["group", "size", "count", "preset"])]
    train: bool,
    /// Levels to make of each group
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    count: Option<u32>,
    /// The same seed makes the same levels
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// The most moves that a shortest solution may take
    #[arg(long, value_name = "N", value_parser = parse_min_one)]
    max_moves: Option<usize>,
    /// The fewest moves that a shortest solution may take
    #[arg(long, value_name = "N")]
    min_moves: Option<usize>,
    /// States the solver may meet before it gives a room up
    #[arg(long, value_name = "N", default_value_t = request::DEFAULT_STATES, value_parser = clap::value_parser!(u64).range(1..))]
    states: u64,
    /// Rooms that a level may cost on average before the search for more ends
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    tries: u32,
    /// Threads; as many as the machine has cores when left out
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Sets and files whose levels are left out, turned or mirrored too; several with commas
    #[arg(long, value_name = "LEVELS", value_delimiter = ',')]
    exclude: Vec<String>,
    /// The file to write; standard output when left out
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write over a file that exists
    #[arg(long, requires = "out")]
    force: bool,
    /// Print one object a line
    #[arg(long)]
    json: bool,
}

/// Moves of a solution: no room that is made is solved at its start.
fn parse_min_one(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|moves| *moves > 0).ok_or_else(|| "a whole number from 1 on".to_owned())
}

impl Args {
    fn preset(&self) -> Option<request::PresetName> {
        self.preset.or(self.train.then_some(request::PresetName::Train))
    }
}

pub(in crate::cli) fn run(args: &Args, house: &Context) -> Result<Exit, Failure> {
    let order = GenerateRequest::of(args)?;
    let excluded = excluded_levels(&order, args, house)?;
    if let Some(path) = &args.out {
        output_file::check_writable(path, args.force)?;
    }
    let lots = single_thread_runtime()?.block_on(generate(order.clone(), excluded))?;
    match &args.out {
        Some(path) => output_file::write(path, generated::level_file(&order, &lots).as_bytes(), args.force)?,
        None => generated::print_levels(&order, &lots, args.json)?,
    }
    generated::print_summary(&lots, args.out.is_none(), args.json)?;
    Ok(Exit::Done)
}

/// What the order leaves out: the levels that were named, and for learning all that ship.
fn excluded_levels(
    order: &GenerateRequest,
    args: &Args,
    house: &Context,
) -> Result<HashSet<SymmetryKey>, Problem> {
    let mut all = HashSet::new();
    for name in &args.exclude {
        for one in level_ref::levels(house.folders(), name)? {
            let like = (one.spec.name() == Sokoban.name()).then(|| SymmetryKey::of(&one.level)).flatten();
            let stranger =
                || Problem::new(format!("{} is no Sokoban level and cannot be left out", one.reference));
            all.insert(like.ok_or_else(stranger)?);
        }
    }
    if order.is_training_data() {
        let shipped = Sokoban.level_sets().iter().filter_map(|set| Sokoban.parse_levels(set.text).ok());
        all.extend(shipped.flatten().filter_map(|level| SymmetryKey::of(&level)));
    }
    Ok(all)
}

/// Makes everything on threads of its own, so that a signal is heard; then nothing is written.
async fn generate(
    order: GenerateRequest,
    excluded: HashSet<SymmetryKey>,
) -> Result<Vec<generated::GeneratedGroup>, Failure> {
    let making = move |raised: &AtomicBool| {
        let make = |wish: &GroupRequest| workers::generate_group(&order, wish, &excluded, raised);
        order.groups.iter().map(make).collect()
    };
    run_interruptible("stopped; no level was written", making).await?
}
