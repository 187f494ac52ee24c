//! `sweep merge`: joins folders of a sweep from machines without a shared folder.

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::Serialize;

use crate::context::Context;
use crate::error_codes::journal_failure;
use crate::exit::{Exit, Failure};
use crate::output::{Output, count_noun};
use crate::records::Record;
use mageyard_config::Problem;
use mageyard_sweep::{Merge, MergeError, MergedCell};
use mageyard_sweep::{existing_sweep, sweep_or_path};

/// Copy the cells of other folders of a sweep into one
///
/// Checks the seals of all journals first. A cell that both folders have must be equal in both, otherwise nothing is
/// copied. A cell that was not finished is queued in the target. An interrupted merge can be repeated.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Folder of the sweep that gets the cells, or its name in the store; it is created if necessary
    #[arg(value_name = "TARGET")]
    target: String,
    /// Folders of the sweep to copy from, or names in the store
    #[arg(value_name = "SOURCE", required = true)]
    sources: Vec<String>,
    /// Check everything and copy nothing
    #[arg(long)]
    dry_run: bool,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

/// A cell that was copied or compared (`sweep merge`).
#[derive(Serialize, JsonSchema)]
pub(crate) struct MergedCellRecord<'a> {
    /// Stable name of the cell.
    cell: &'a str,
    /// Folder that it is copied from.
    source: &'a Path,
    /// Its journals.
    episodes: usize,
    /// `copied`, or `equal` if the target has the same episodes.
    action: &'static str,
    /// Whether nothing was copied.
    dry_run: bool,
}

impl Record for MergedCellRecord<'_> {
    const TYPE: &'static str = "merged_cell";
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let config = context.config()?;
    let target = sweep_or_path(&args.target, &config)?;
    let sources = args.sources.iter().map(|source| existing_sweep(source, &config));
    let sources: Vec<PathBuf> = sources.collect::<Result<_, Problem>>()?;
    let merge = Merge::plan(&target, &sources).map_err(failure)?;
    let mut out = Output::open();
    let mut printed = Ok(());
    merge
        .cells
        .iter()
        .filter(|cell| cell.equal || args.dry_run)
        .try_for_each(|cell| print(&mut out, cell, args))?;
    if !args.dry_run {
        let label = format!("merge-{}", std::process::id());
        let copied = |cell: &MergedCell| {
            if printed.is_ok() {
                printed = print(&mut out, cell, args);
            }
        };
        merge.run(&label, copied).map_err(failure)?;
    }
    printed?;
    if !args.json {
        let equal = merge.cells.iter().filter(|cell| cell.equal).count();
        let copied = count_noun(merge.cells.len() - equal, "cell", "cells");
        let would = if args.dry_run { "would be copied" } else { "copied" };
        out.line(format!("{copied} {would}, {equal} equal"))?;
    }
    Ok(Exit::Done)
}

fn print(out: &mut Output, cell: &MergedCell, args: &Args) -> std::io::Result<()> {
    let action = if cell.equal { "equal" } else { "copied" };
    if args.json {
        return out.record(&MergedCellRecord {
            cell: &cell.cell,
            source: &cell.source,
            episodes: cell.episodes,
            action,
            dry_run: args.dry_run,
        });
    }
    let episodes = count_noun(cell.episodes, "episode", "episodes");
    out.line(format!("{action}  {}  {episodes} from {}", cell.cell, cell.source.display()))
}

/// A damaged journal, and cells that differ, are a mismatch.
fn failure(error: MergeError) -> Failure {
    match error {
        MergeError::Journal(error) => journal_failure(&error),
        MergeError::Differ { .. } => Failure::Problem(Exit::Mismatch, Problem::new(error.to_string())),
        MergeError::NotASweep { .. } => Problem::new(error.to_string()).into(),
        error => Failure::running(error),
    }
}
