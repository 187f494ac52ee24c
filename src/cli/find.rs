//! `find`: lists the steps with a mark, each with a reference that `view` opens.

use serde_json::Value;
use serde_json::json;

use super::context::Context;
use super::diagnostics::print_message;
use super::exit::Exit;
use super::exit::Failure;
use super::output::Output;
use super::runtime::single_thread_runtime;
use crate::config::Config;
use crate::engine::Mark;
use crate::engine::MarkSet;
use crate::engine::Store;
use crate::lab::FoundStep;
use crate::lab::FoundSteps;
use crate::lab::Lab;
use crate::lab::StepQuery;
use crate::lab::merged;

/// List steps with parse errors, IA, RA, detours or dead states
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[allow(clippy::doc_markdown, reason = "shown in the terminal beside the other names")]
    /// Marks, separated by commas: parse, ending, ia, ra, ren, act, same, off_path, dead, edited, or any
    #[arg(value_name = "MARKS", value_parser = str::parse::<MarkSet>)]
    marks: MarkSet,
    /// Sessions to search: a name or its beginning, `last`, a folder or a journal
    #[arg(value_name = "SESSION", required = true)]
    runs: Vec<String>,
    /// Apply the current [faults] settings instead of those of the episode
    #[arg(long)]
    current_thresholds: bool,
    #[allow(clippy::doc_markdown, reason = "shown in the terminal beside the other names")]
    /// Search the distance of each state (slow for hard levels)
    ///
    /// The search also finds dead states that the rules alone do not prove, includes the mark off_path in
    /// `any`, and adds the distance to each step. The mark off_path always searches.
    #[arg(long)]
    distance: bool,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

impl Args {
    /// Whether distances are searched: on request, and for the mark `off_path`, which needs it.
    fn searches(&self) -> bool {
        self.distance || (self.marks != MarkSet::ANY && self.marks.has(Mark::OffPath))
    }
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let config = context.config()?;
    let thresholds = args.current_thresholds.then(|| config.settings().faults.thresholds());
    let query = StepQuery { marks: args.marks, thresholds, distances: args.searches() };
    let found = single_thread_runtime()?.block_on(find_steps(&context.lab, &args.runs, query, &config))?;
    let mut out = Output::open();
    if args.json {
        found.iter().try_for_each(|(reference, step)| out.object_line("found", &object(reference, step)))?;
        return Ok(Exit::Done);
    }
    if found.is_empty() {
        print_message(&nothing_found(args));
    }
    let rows: Vec<_> = found.iter().map(|(reference, step)| cells(reference, step)).collect();
    out.table(&rows)?;
    Ok(Exit::Done)
}

fn nothing_found(args: &Args) -> String {
    let what =
        if args.marks == MarkSet::ANY { "a mark".to_owned() } else { format!("the mark {}", args.marks) };
    let rules = args.marks.has(Mark::Dead) && !args.searches();
    let more =
        if rules { "; --distance also finds dead states that the rules alone do not prove" } else { "" };
    format!("no step has {what}{more}")
}

/// The steps with the reference that `view` opens.
async fn find_steps(
    lab: &Lab,
    sessions: &[String],
    query: StepQuery,
    config: &Config,
) -> Result<Vec<(String, FoundStep)>, Failure> {
    let (store, mut all) = (Store::new(config.store_folder()), Vec::new());
    for recording in lab.recordings(&store, sessions) {
        let recording = recording?;
        let (reference, found) = (store.reference(recording.path()), recording.find(query, config).await?);
        if query.distances {
            report_unknown_distances(&reference, &found);
        }
        all.extend(found.steps.into_iter().map(|step| (format!("{reference}#{}", step.step), step)));
    }
    Ok(all)
}

/// Reports steps that the search could not judge: an unlisted step may still have left the shortest path.
fn report_unknown_distances(reference: &str, found: &FoundSteps) {
    match found.unjudged {
        None => print_message(&format!(
            "{reference}: {} has no solver, so distances are unknown",
            found.environment
        )),
        Some(0) => {}
        Some(steps) => print_message(&format!(
            "{reference}: {steps} steps could not be judged for off_path: the search reached a limit"
        )),
    }
}

fn object(reference: &str, found: &FoundStep) -> Value {
    let own = json!({
        "run": reference, "step": found.step, "marks": found.marks, "action": found.action, "note": found.note,
    });
    merged(merged(found.identity.clone(), own), json!(found.distance))
}

fn cells(reference: &str, found: &FoundStep) -> Vec<String> {
    let way = found.distance.as_ref().map(ToString::to_string);
    let cells = [
        reference.to_owned(),
        found.marks.iter().map(Mark::name).collect::<Vec<_>>().join(","),
        found.action.clone().unwrap_or_else(|| "(none)".to_owned()),
    ];
    cells.into_iter().chain(way).chain([found.note.clone().unwrap_or_default()]).collect()
}
