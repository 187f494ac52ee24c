//! `schema`: the types of JSON objects that verbs print.

use super::exit::{Exit, Failure};
use super::output::Output;
use super::records::{SECTIONS, find, markdown};
use mageyard_config::Problem;

/// Describe the JSON objects that verbs print
///
/// With a type, its JSON Schema is printed; without one, the types are listed.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Type to describe, such as step: the field `type` of the object
    #[arg(value_name = "TYPE")]
    name: Option<String>,
    /// Print all types as the page docs/json.md
    #[arg(long, conflicts_with = "name")]
    markdown: bool,
}

pub(super) fn run(args: &Args) -> Result<Exit, Failure> {
    let mut out = Output::open();
    let types = || SECTIONS.iter().flat_map(|(_, types)| types.iter());
    if args.markdown {
        out.raw(markdown().as_bytes())?;
        return Ok(Exit::Done);
    }
    let Some(name) = &args.name else {
        let rows: Vec<_> = types().map(|one| vec![one.name.to_owned(), one.summary()]).collect();
        out.table(&rows)?;
        return Ok(Exit::Done);
    };
    let unknown = || {
        let problem = Problem::new(format!("there is no type {name}"));
        problem.with_suggestions(name, types().map(|one| one.name))
    };
    let schema = find(name).ok_or_else(unknown)?.schema();
    out.line(serde_json::to_string_pretty(&schema).map_err(Failure::running)?)?;
    Ok(Exit::Done)
}
