//! `export`: recorded episodes as training data.

mod conversation;
mod episode;
mod folder;
mod rewards;

use std::path::Path;
use std::path::PathBuf;

use serde_json::json;

use self::folder::ExportFolder;
use super::context::Context;
use super::exit::Exit;
use super::exit::Failure;
use super::output::Output;
use super::output::count_noun;
use super::runtime::single_thread_runtime;
use crate::config::Config;
use crate::config::Problem;
use crate::domain::EnvironmentSpec;
use crate::engine::Store;
use crate::engine::read_journal;
use crate::lab::Lab;

/// Export recorded episodes as training data with rewards
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Sessions to export: a name or its beginning, `last`, a folder or a journal
    #[arg(value_name = "SESSION", required = true)]
    runs: Vec<String>,
    /// Write chats with reinforcement-learning rewards
    #[arg(long, required = true)]
    rl: bool,
    /// Folder to create; it must not exist
    #[arg(long, value_name = "DIR", required = true)]
    out: PathBuf,
    /// Leave out episodes that are unfinished or were edited by a person
    #[arg(long)]
    clean: bool,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

/// Counts of exported and excluded episodes.
#[derive(Default)]
struct ExportCounts {
    episodes: usize,
    replies: usize,
    mixed: usize,
    unfinished: usize,
    left_out: usize,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let config = context.config()?;
    let mut folder = ExportFolder::create(&args.out)?;
    let tally = single_thread_runtime()?.block_on(write(args, &context.lab, &config, &mut folder))?;
    let images = folder.images();
    folder.finish()?;
    print_counts(&tally, images, args)
}

/// Exports the episodes in the given order.
async fn write(
    args: &Args,
    lab: &Lab,
    config: &Config,
    folder: &mut ExportFolder,
) -> Result<ExportCounts, Failure> {
    let (store, mut tally) = (Store::new(config.store_folder()), ExportCounts::default());
    for run in &args.runs {
        for journal in store.find(run)? {
            export_episode(lab, &journal, args.clean, config, folder, &mut tally).await?;
        }
    }
    Ok(tally)
}

async fn export_episode(
    lab: &Lab,
    journal: &Path,
    clean: bool,
    config: &Config,
    folder: &mut ExportFolder,
    tally: &mut ExportCounts,
) -> Result<(), Failure> {
    let recorded = read_journal(journal)?;
    let (spec, played, _) = lab.restore(journal, &recorded).await?;
    let Some(units) = spec.training_rewards() else { return Err(no_rewards(lab, journal, spec).into()) };
    let (mixed, unfinished) = (played.is_mixed(), played.ending().is_none());
    tally.mixed += usize::from(mixed);
    tally.unfinished += usize::from(unfinished);
    if clean && (mixed || unfinished) {
        tally.left_out += 1;
        return Ok(());
    }
    let source = conversation::ExportedEpisode::of(journal, spec, &played, config)?;
    let line = episode::episode_record(&source, units, folder)?;
    tally.episodes += 1;
    tally.replies += line.replies();
    folder.write_episode(&line)
}

fn no_rewards(lab: &Lab, journal: &Path, spec: &dyn EnvironmentSpec) -> Problem {
    let defined = lab.environments().iter().filter(|spec| spec.training_rewards().is_some());
    let names: Vec<&str> = defined.map(|spec| spec.name()).collect();
    Problem::new(format!("{}: no rewards are defined for {}", journal.display(), spec.name()))
        .with_help(format!("`export --rl` supports {} only", names.join(", ")))
}

fn print_counts(tally: &ExportCounts, images: usize, args: &Args) -> Result<Exit, Failure> {
    let ExportCounts { episodes, replies, mixed, unfinished, left_out } = tally;
    let mut out = Output::open();
    if args.json {
        out.object_line(
            "export",
            &json!({
                "folder": args.out, "episodes": episodes, "replies": replies, "images": images,
                "mixed": mixed, "unfinished": unfinished, "left_out": left_out,
            }),
        )?;
        return Ok(Exit::Done);
    }
    let marked = match (args.clean, mixed + unfinished) {
        (_, 0) => String::new(),
        (true, _) => format!("; left out: {left_out} ({mixed} mixed, {unfinished} unfinished)"),
        (false, _) => format!(
            "; {mixed} of them are mixed and {unfinished} unfinished, and marked so; --clean leaves them out"
        ),
    };
    out.line(format!(
        "{}, {}, {} in {}{marked}",
        count_noun(*episodes, "episode", "episodes"),
        count_noun(*replies, "reply", "replies"),
        count_noun(images, "image", "images"),
        args.out.display()
    ))?;
    Ok(Exit::Done)
}
