//! `suite new`: a suite from recorded steps.

use std::path::PathBuf;

use serde_json::json;

use crate::cli::context::Context;
use crate::cli::diagnostics::print_message;
use crate::cli::exit::Exit;
use crate::cli::exit::Failure;
use crate::cli::find::search;
use crate::cli::output::Output;
use crate::cli::output::count_noun;
use crate::cli::output_file;
use crate::cli::runtime::single_thread_runtime;
use crate::config::Config;
use crate::config::Problem;
use crate::engine::Store;
use crate::lab::CollectedSuite;
use crate::lab::FoundStep;
use crate::lab::FoundSteps;
use crate::lab::RecordedEpisode;
use crate::lab::StepQuery;
use crate::lab::SuiteStep;
use crate::lab::checked_suite_name;
use crate::lab::parse_step_reference;
use crate::lab::step_reference;

/// Make a suite from recorded steps
///
/// With --find or --tag the steps are searched in the sessions, or in all. Without them each step is named, such as
/// last#7. Where the environment can repeat the actions that lead to a state, they are in the file, so that the suite also
/// works where the recordings are absent; the outputs that a model remembers are then the actions alone.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Name of the suite: letters, digits, `-`, `_` and `.`
    #[arg(value_name = "NAME")]
    name: String,
    /// Sessions to search [default: all], or the steps themselves, such as last#7
    #[arg(value_name = "SESSION[#STEP]")]
    runs: Vec<String>,
    /// Take the steps that meet a condition, as `find` has it
    #[arg(long, value_name = "CONDITION", conflicts_with = "tag")]
    find: Option<String>,
    /// Take the steps with this tag
    #[arg(long, value_name = "TAG")]
    tag: Option<String>,
    /// What the suite is for, in a sentence
    #[arg(long, value_name = "TEXT", default_value = "")]
    about: String,
    /// The category of its states
    #[arg(long, value_name = "TEXT")]
    category: Option<String>,
    /// Write to this file [default: suites/NAME.toml in the config folder]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace a file that exists
    #[arg(long)]
    force: bool,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let config = context.config()?;
    let name = checked_suite_name(&args.name).map_err(Problem::new)?;
    let path = args.out.clone().unwrap_or_else(|| context.folders().suites().join(format!("{name}.toml")));
    if args.out.is_none() {
        std::fs::create_dir_all(context.folders().suites())
            .map_err(|error| Failure::running(format!("{}: {error}", path.display())))?;
    }
    output_file::check_writable(&path, args.force)?;
    let (steps, exit) = single_thread_runtime()?.block_on(steps(args, context, &config))?;
    let collecting =
        context.lab.collect_suite((&name, &args.about), args.category.as_deref(), &steps, &config);
    let collected = single_thread_runtime()?.block_on(collecting)?;
    output_file::write(&path, collected.suite.to_text().as_bytes(), args.force)?;
    print(args, &path, &collected)?;
    Ok(exit)
}

/// The steps that are named or found.
async fn steps(args: &Args, context: &Context, config: &Config) -> Result<(Vec<SuiteStep>, Exit), Failure> {
    let store = Store::new(config.store_folder());
    let tagged = args.tag.as_ref().map(|tag| format!("tag={tag}"));
    let Some(condition) = args.find.as_ref().or(tagged.as_ref()) else {
        return Ok((named_steps(args, &store)?, Exit::Done));
    };
    let (condition, known) = context.lab.condition(condition, "--find", config).await?;
    let distances = condition.needs_distance();
    let query = StepQuery { condition, known, thresholds: None, distances };
    let mut steps = Vec::new();
    let mut add = |recording: &RecordedEpisode, found: &FoundSteps| {
        let run = store.reference(recording.path());
        steps.extend(found.steps.iter().map(|step| SuiteStep {
            journal: recording.path().to_owned(),
            address: step_reference(&run, step.step),
            step: step.step,
            why: why(step),
        }));
        Ok(())
    };
    let exit = search(context, (&store, &args.runs), &query, config, &mut add).await?;
    Ok((steps, exit))
}

/// What makes the condition true.
fn why(step: &FoundStep) -> String {
    let facts = step.facts.join(", ");
    match &step.note {
        Some(note) if !note.is_empty() => format!("{facts}: {note}"),
        _ => facts,
    }
}

fn named_steps(args: &Args, store: &Store) -> Result<Vec<SuiteStep>, Failure> {
    if args.runs.is_empty() {
        let problem = Problem::new("nothing says which steps the suite has");
        return Err(problem.with_help("add --find CONDITION, --tag TAG, or steps such as last#7").into());
    }
    args.runs.iter().map(|run| named_step(run, store)).collect()
}

fn named_step(run: &str, store: &Store) -> Result<SuiteStep, Failure> {
    let (session, Some(step)) = parse_step_reference(run)? else {
        let problem = Problem::new(format!("{run} names no step"));
        return Err(problem
            .with_help(format!("write {run}#STEP, or add --find CONDITION or --tag TAG"))
            .into());
    };
    let journals = store.find(session)?;
    let [journal] = journals.as_slice() else {
        let what = format!("{session} has {} episodes", journals.len());
        return Err(Problem::new(what).with_help(format!("name one, such as {session}/1#{step}")).into());
    };
    let address = step_reference(&store.reference(journal), step);
    Ok(SuiteStep { journal: journal.clone(), why: format!("named: {address}"), address, step })
}

fn print(args: &Args, path: &std::path::Path, collected: &CollectedSuite) -> Result<(), Failure> {
    let CollectedSuite { suite, left_out } = collected;
    let recorded_only = suite.states.iter().filter(|state| state.actions.is_none()).count();
    let mut out = Output::open();
    if args.json {
        let object = json!({
            "name": suite.name, "path": path, "states": suite.states.len(), "recorded_only": recorded_only,
            "left_out": left_out,
        });
        return Ok(out.object_line("suite", &object)?);
    }
    for why in left_out {
        print_message(&format!("left out: {why}"));
    }
    out.line(format!("{}: {}", path.display(), count_noun(suite.states.len(), "state", "states")))?;
    if recorded_only > 0 {
        out.line(format!("{recorded_only} of them can only be opened where their recording is"))?;
    }
    Ok(())
}
