//! `levels show`: levels as text.

use serde::Serialize;
use serde_json::Value;

use crate::cli::exit::Exit;
use crate::cli::exit::Failure;
use crate::cli::house::House;
use crate::cli::output::Output;
use crate::cli::reference;

/// Print levels as text
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Environment, set, level or file
    #[arg(value_name = "LEVELS")]
    reference: String,
    /// Print one object a line
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row<'a> {
    reference: &'a str,
    level: Value,
    text: &'a str,
}

pub(in crate::cli) fn run(args: &Args, house: &House) -> Result<Exit, Failure> {
    let mut out = Output::open();
    for (index, one) in reference::levels(house.folders(), &args.reference)?.iter().enumerate() {
        if args.json {
            out.object(&Row { reference: &one.reference, level: one.name(), text: &one.level.text })?;
            continue;
        }
        let gap = if index == 0 { "" } else { "\n" };
        let title = one.level.title.as_deref().unwrap_or_default();
        out.line(format!("{gap}; {}  {title}", one.reference).trim_end())?;
        out.line(one.level.text.trim_end_matches('\n'))?;
    }
    Ok(Exit::Done)
}
