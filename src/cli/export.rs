//! `export`: recorded episodes as training data.

use mageyard_lab::{export_sessions, read_recordings};
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::Serialize;

use super::context::Context;
use super::exit::{Exit, Failure};
use super::output::{Output, count_noun};
use super::records::Record;
use super::runtime::single_thread_runtime;
use mageyard_engine::Store;
use mageyard_lab::ExportCounts;

/// Export recorded episodes as training data with rewards
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Sessions to export: a name or its beginning, `last`, a folder, a journal or a sweep
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

/// The result of an export (`export`).
#[derive(Serialize, JsonSchema)]
pub(super) struct ExportRecord<'a> {
    /// Path of the folder.
    folder: &'a Path,
    /// Number of episodes.
    episodes: usize,
    /// Number of replies.
    replies: usize,
    /// Number of images.
    images: usize,
    /// Episodes in which a person intervened.
    mixed: usize,
    /// Unfinished episodes.
    unfinished: usize,
    /// Episodes left out with `--clean`.
    left_out: usize,
}

impl Record for ExportRecord<'_> {
    const TYPE: &'static str = "export";
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let config = context.config()?;
    let lab = &context.lab;
    let store = Store::new(config.store_folder());
    let export =
        export_sessions(lab, read_recordings(lab, &store, &args.runs), &args.out, args.clean, &config);
    print_counts(&single_thread_runtime()?.block_on(export)?, args)
}

fn print_counts(counts: &ExportCounts, args: &Args) -> Result<Exit, Failure> {
    let ExportCounts { episodes, replies, images, mixed, unfinished, left_out } = counts;
    let mut out = Output::open();
    if args.json {
        out.record(&ExportRecord {
            folder: &args.out,
            episodes: *episodes,
            replies: *replies,
            images: *images,
            mixed: *mixed,
            unfinished: *unfinished,
            left_out: *left_out,
        })?;
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
        count_noun(*images, "image", "images"),
        args.out.display()
    ))?;
    Ok(Exit::Done)
}
