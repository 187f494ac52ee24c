//! `export`: recorded episodes as training data, or as results in the files of another program.

use mageyard_lab::{export_results, export_sessions, read_recordings, result_format_names};
use std::fmt::Write;
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::Serialize;

use super::context::Context;
use super::exit::{Exit, Failure};
use super::output::{Output, count_noun};
use super::records::Record;
use super::runtime::single_thread_runtime;
use mageyard_domain::EnvironmentSpec;
use mageyard_engine::Store;
use mageyard_lab::{ExportCounts, ExportedResults};

/// Export recorded episodes as training data or results
#[derive(Debug, clap::Args)]
#[command(group(clap::ArgGroup::new("form").required(true).args(["rl", "format"])))]
pub(super) struct Args {
    /// Sessions to export: a name or its beginning, `last`, a folder, a journal or a sweep
    #[arg(value_name = "SESSION", required = true)]
    runs: Vec<String>,
    /// Write chats with reinforcement-learning rewards
    #[arg(long)]
    rl: bool,
    /// Write results in the files of another program: the name of a format
    #[arg(long, value_name = "NAME")]
    format: Option<String>,
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
    /// Episodes left out with `--clean`, and those without a result.
    left_out: usize,
    /// The names of the files with `--format`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    files: Vec<String>,
}

impl Record for ExportRecord<'_> {
    const TYPE: &'static str = "export";
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let config = context.config()?;
    let lab = &context.lab;
    let store = Store::new(config.store_folder());
    if let Some(format) = &args.format {
        let recordings = read_recordings(lab, &store, &args.runs);
        let export = export_results(lab, recordings, format, &args.out, args.clean, &config);
        return print_results(single_thread_runtime()?.block_on(export)?, args);
    }
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
            files: Vec::new(),
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

fn print_results(results: ExportedResults, args: &Args) -> Result<Exit, Failure> {
    let ExportedResults { files, episodes, replies, mixed, unfinished, left_out } = results;
    let mut out = Output::open();
    if args.json {
        out.record(&ExportRecord {
            folder: &args.out,
            episodes,
            replies,
            images: 0,
            mixed,
            unfinished,
            left_out,
            files,
        })?;
        return Ok(Exit::Done);
    }
    let mut marked = String::new();
    if left_out > 0 {
        let _ = write!(marked, "; left out: {left_out} ({unfinished} without a result)");
    }
    if mixed > 0 && !args.clean {
        let _ = write!(marked, "; {mixed} mixed, which the files do not say; --clean leaves them out");
    }
    let episodes = count_noun(episodes, "episode", "episodes");
    out.line(format!("{episodes} in {}: {}{marked}", args.out.display(), files.join(", ")))?;
    Ok(Exit::Done)
}

/// Adds the formats of these environments to the help.
pub(super) fn add_formats(
    command: clap::Command,
    environments: &[&'static dyn EnvironmentSpec],
) -> clap::Command {
    let formats = result_format_names(environments);
    let list = formats
        .iter()
        .fold("Formats:".to_owned(), |text, (name, summary)| format!("{text}\n  {name:<12} {summary}"));
    command.mut_subcommand("export", |verb| verb.after_long_help(list))
}
