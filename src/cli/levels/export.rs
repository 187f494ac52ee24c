//! `levels export`: levels as a file of another program.

use std::path::PathBuf;

use super::exchange;
use crate::cli::exit::Exit;
use crate::cli::exit::Failure;
use crate::cli::house::House;
use crate::cli::output::Output;
use crate::cli::reference;
use crate::cli::result;
use crate::config::Problem;
use crate::domain::At;
use crate::domain::FormatError;
use crate::domain::Level;

/// Write levels as a file of another program
///
/// Formats: xsb, gym (JSON arrays, one object a line), boxoban (10x10 only), lurd (boards with a
/// shortest solution below each).
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Environment, set, level or file
    #[arg(value_name = "LEVELS")]
    reference: String,
    /// The format to write
    #[arg(long, value_name = "NAME")]
    format: String,
    /// The file to write, instead of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace a file that is there already
    #[arg(long)]
    force: bool,
}

pub(in crate::cli) fn run(args: &Args, house: &House) -> Result<Exit, Failure> {
    let chosen = reference::levels(house.folders(), &args.reference)?;
    let (kind, format) = exchange::format(&args.format, b"")?;
    let levels: Vec<Level> = chosen.iter().map(|one| one.level.clone()).collect();
    if let Some(other) = chosen.iter().find(|one| one.kind.name() != kind.name()) {
        let what = format!(
            "{} is a format of {}, and {} is a level of {}",
            format.name,
            kind.name(),
            other.reference,
            other.kind.name()
        );
        return Err(Problem::new(what).into());
    }
    let write =
        format.write.ok_or_else(|| Problem::new(format!("{} is read and never written", format.name)))?;
    let refused = |error: FormatError| {
        let at = chosen.iter().find(|one| error.spot == At::Level(one.level.number));
        Problem::new(at.map_or(error.to_string(), |one| format!("{}: {}", one.reference, error.reason)))
    };
    let text = write(&levels).map_err(refused)?;
    let mut output = Output::open();
    match &args.out {
        None => output.raw(text.as_bytes())?,
        Some(out) => {
            result::write(out, text.as_bytes(), args.force)?;
            let levels =
                if levels.len() == 1 { "1 level".to_owned() } else { format!("{} levels", levels.len()) };
            output.line(format!("{levels} ({}) written to {}", format.name, out.display()))?;
        }
    }
    Ok(Exit::Done)
}
