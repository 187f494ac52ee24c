//! `suite check`: whether each state still is what its file says.

use crate::context::Context;
use crate::exit::{Exit, Failure};
use crate::finding::{Finding, print_findings};
use crate::output::count_noun;
use crate::runtime::single_thread_runtime;
use mageyard_config::{Config, Folders, Problem, SourceFile};
use mageyard_engine::Store;
use mageyard_lab::{Lab, known_environment};
use mageyard_study::{Suite, check_suite_state, parse_suite, suite_catalog, suite_file};

/// Check that the states of a suite are what its file says
///
/// A state whose recording is in the store is compared with it. One with actions is played, without a recording.
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
    let config = context.config()?;
    let suite = parse_suite(&suite_file(context.folders(), &args.suite)?)?;
    known_environment(&context.lab, &suite.environment)?;
    let store = Store::new(config.store_folder());
    let findings = single_thread_runtime()?.block_on(async {
        let mut findings = Vec::new();
        for index in 0..suite.states.len() {
            let checked = checked(&context.lab, (&suite, index), &store, &config).await;
            findings.push(Finding::of(format!("state {}", index + 1), checked.map(str::to_owned)));
        }
        findings
    });
    print_findings(&findings, args.json)
}

/// The check of the suites in a catalog, without recordings.
pub(crate) fn findings(lab: &Lab, folders: &Folders) -> Vec<Finding> {
    let catalog = suite_catalog(folders);
    let check = |name: &str, file: Result<SourceFile, Problem>| {
        Finding::of(format!("suites/{name}.toml"), file.and_then(|file| all_states(lab, folders, &file)))
    };
    catalog.entries().iter().map(|entry| check(&entry.name, catalog.read(entry))).collect()
}

fn all_states(lab: &Lab, folders: &Folders, file: &SourceFile) -> Result<String, Problem> {
    let suite = parse_suite(file)?;
    known_environment(lab, &suite.environment)?;
    let config = Config::shipped(folders.clone())?;
    let store = Store::new(config.store_folder());
    let runtime = single_thread_runtime().map_err(Failure::into_problem)?;
    for index in 0..suite.states.len() {
        runtime.block_on(checked(lab, (&suite, index), &store, &config))?;
    }
    Ok(count_noun(suite.states.len(), "state", "states"))
}

async fn checked(
    lab: &Lab,
    (suite, index): (&Suite, usize),
    store: &Store,
    config: &Config,
) -> Result<&'static str, Problem> {
    let checked = check_suite_state(lab, suite, index, store, config).await;
    checked.map_err(|error| Failure::from(error).into_problem())
}
