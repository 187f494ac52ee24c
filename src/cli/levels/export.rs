//! `levels export`: writes levels in a format of another program.

use mageyard_lab::noted_levels;
use std::path::PathBuf;

use super::file_formats;
use super::file_formats::WriteError;
use crate::context::Context;
use crate::exit::{Exit, Failure};
use crate::output::Output;
use crate::output_file;
use mageyard_config::Problem;
use mageyard_domain::{FileLocation, Level};
use mageyard_lab::NotedLevels;

/// Write levels in a format of another program
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Environment, level set, level or file
    #[arg(value_name = "LEVELS")]
    reference: String,
    /// Output format
    #[arg(long, value_name = "NAME")]
    format: String,
    /// Output file [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Overwrite an existing file
    #[arg(long)]
    force: bool,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let NotedLevels { levels: chosen, notes, .. } =
        noted_levels(&context.lab, context.folders(), &args.reference)?;
    let (kind, format) = file_formats::find_format(&context.lab, &args.format, b"")?;
    let levels: Vec<Level> = chosen.iter().map(|one| one.level.clone()).collect();
    if let Some(other) = chosen.iter().find(|one| one.spec.name() != kind.name()) {
        let what = format!(
            "{} is a format for {}, but {} is a level of {}",
            format.name,
            kind.name(),
            other.reference,
            other.spec.name()
        );
        return Err(Problem::new(what).into());
    }
    let refused = |error: WriteError| match error {
        WriteError::ImportOnly => Problem::new(format!("{} can only be imported", format.name)),
        WriteError::Level(error) => {
            let at = chosen.iter().find(|one| error.location == FileLocation::Level(one.level.number));
            Problem::new(at.map_or(error.to_string(), |one| format!("{}: {}", one.reference, error.reason)))
        }
    };
    let text = file_formats::write_with_notes(format, &levels, &notes).map_err(refused)?;
    let mut output = Output::open();
    match &args.out {
        None => output.raw(text.as_bytes())?,
        Some(out) => {
            output_file::write(out, text.as_bytes(), args.force)?;
            let levels =
                if levels.len() == 1 { "1 level".to_owned() } else { format!("{} levels", levels.len()) };
            output.line(format!("{levels} ({}) written to {}", format.name, out.display()))?;
        }
    }
    Ok(Exit::Done)
}
