//! `suite show`: the states of a suite.

use super::records::SuiteStateRecord;
use crate::context::Context;
use crate::exit::{Exit, Failure};
use crate::output::Output;
use mageyard_study::{Suite, SuiteState, parse_suite, suite_file};

/// Print the states of a suite and why they are in it
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A suite by name, or a file
    #[arg(value_name = "SUITE")]
    suite: String,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let suite = parse_suite(&suite_file(context.folders(), &args.suite)?)?;
    let mut out = Output::open();
    if args.json {
        let mut states = (1..).zip(&suite.states);
        states.try_for_each(|(number, state)| out.record(&SuiteStateRecord::new(&suite, number, state)))?;
        return Ok(Exit::Done);
    }
    out.line(format!("{}: {}", suite.name, suite.about))?;
    let titles = ["state", "category", "why", "level", "actions", "digest", "address"].map(str::to_owned);
    let rows = (1..).zip(&suite.states).map(|(number, state)| cells(&suite, number, state));
    out.table(&std::iter::once(titles.to_vec()).chain(rows).collect::<Vec<_>>())?;
    Ok(Exit::Done)
}

fn level<'a>(suite: &'a Suite, state: &SuiteState) -> &'a str {
    suite.level(state).map_or("", |level| &level.reference)
}

fn cells(suite: &Suite, number: usize, state: &SuiteState) -> Vec<String> {
    vec![
        number.to_string(),
        state.category.clone().unwrap_or_default(),
        state.why.clone(),
        level(suite, state).to_owned(),
        state.actions.as_ref().map_or_else(|| "–".to_owned(), |actions| actions.len().to_string()),
        state.digest.to_string(),
        state.address.clone().unwrap_or_default(),
    ]
}
