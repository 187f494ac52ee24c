//! `find`: lists the steps that meet a condition, each with a reference that `view` opens.

use mageyard_lab::{read_condition, read_recordings};
use std::collections::BTreeSet;
use std::io;

use schemars::JsonSchema;
use serde::Serialize;

use super::condition_help::CONDITIONS;
use super::context::Context;
use super::diagnostics::{print_message, print_problem};
use super::exit::{Exit, Failure};
use super::output::Output;
use super::records::Record;
use super::runtime::single_thread_runtime;
use mageyard_config::Config;
use mageyard_engine::{Mark, MarkSet, Store};
use mageyard_lab::{
    DistanceAfter, EpisodeFields, FoundStep, FoundSteps, LabError, RecordedEpisode, StepQuery, step_reference,
};

/// List the recorded steps that meet a condition
#[derive(Debug, clap::Args)]
#[command(after_long_help = CONDITIONS)]
pub(super) struct Args {
    /// A condition, such as `ia,ra` or `ia and action=Up and text~wall`
    #[arg(value_name = "CONDITION")]
    condition: String,
    /// Sessions to search: a name or its beginning, `last`, a folder, a journal or a sweep [default: all]
    #[arg(value_name = "SESSION")]
    runs: Vec<String>,
    /// Apply the current [faults] settings instead of those of the episode
    #[arg(long)]
    current_thresholds: bool,
    #[allow(clippy::doc_markdown, reason = "shown in the terminal beside the other names")]
    /// Search the distance of each state (slow for hard levels)
    ///
    /// The search also finds dead states that the rules alone do not prove, includes the mark off_path in
    /// `any`, and adds the distance to each step. The conditions off_path and distance always search.
    #[arg(long)]
    distance: bool,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let config = context.config()?;
    single_thread_runtime()?.block_on(find(args, context, &config))
}

/// Searches one episode after the other, and prints the steps of each before the next is read.
async fn find(args: &Args, context: &Context, config: &Config) -> Result<Exit, Failure> {
    let (condition, known) = read_condition(&context.lab, &args.condition, "condition", config).await?;
    let distances = args.distance || condition.needs_distance();
    let thresholds = args.current_thresholds.then(|| config.settings().faults.thresholds());
    let query = StepQuery { condition, known, thresholds, distances };
    let store = Store::new(config.store_folder());
    let mut printer = FoundPrinter::new(args.json);
    let mut print = |recording: &RecordedEpisode, found: &FoundSteps| {
        printer.print(&store.reference(recording.path()), found, &query)
    };
    let exit = search(context, (&store, &args.runs), &query, config, &mut print).await?;
    if !printer.has_printed && !args.json {
        print_message(&nothing_found(&query));
    }
    Ok(exit)
}

/// Searches these sessions, or all of the store if none is named, one episode after the other.
pub(super) async fn search(
    context: &Context,
    (store, runs): (&Store, &[String]),
    query: &StepQuery,
    config: &Config,
    found_in: &mut dyn FnMut(&RecordedEpisode, &FoundSteps) -> io::Result<()>,
) -> Result<Exit, Failure> {
    let mut exit = Exit::Done;
    let sessions = if runs.is_empty() { store.sessions()? } else { runs.to_vec() };
    for recording in read_recordings(&context.lab, store, &sessions) {
        let recordings = match recording {
            // A branch that was named is searched whole, others only from where they leave their parent.
            Ok(recording) => recording.with_branches(),
            Err(error) if runs.is_empty() => {
                report(error, &mut exit);
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        for (index, recording) in recordings.into_iter().enumerate() {
            let first = if index == 0 { 1 } else { recording.first_own_step() };
            match recording.find(query, config).await {
                Ok(mut found) => {
                    found.steps.retain(|step| step.step >= first);
                    found_in(&recording, &found)?;
                }
                // One damaged recording of a whole store hides no other.
                Err(error) if runs.is_empty() => report(error, &mut exit),
                Err(error) => return Err(error.into()),
            }
        }
    }
    Ok(exit)
}

/// Reports a recording that cannot be searched.
fn report(error: LabError, exit: &mut Exit) {
    print_problem(&Failure::from(error).into_problem());
    *exit = Exit::Partial;
}

/// Prints the steps of one episode after the other.
struct FoundPrinter {
    out: Output,
    json: bool,
    has_printed: bool,
    /// What was reported as unknown or damaged, which is the same in many episodes.
    reported: BTreeSet<String>,
}

impl FoundPrinter {
    fn new(json: bool) -> Self {
        Self { out: Output::open(), json, has_printed: false, reported: BTreeSet::new() }
    }

    fn report_once(&mut self, message: &str) {
        if self.reported.insert(message.to_owned()) {
            print_message(message);
        }
    }

    fn print(&mut self, reference: &str, found: &FoundSteps, query: &StepQuery) -> io::Result<()> {
        if query.distances {
            report_unknown_distances(reference, found);
        }
        for line in &found.damaged {
            self.report_once(&line.to_string());
        }
        for why in &found.unknown {
            self.report_once(&format!("some steps could not be judged: {why}"));
        }
        self.has_printed |= !found.steps.is_empty();
        if self.json {
            let mut steps = found.steps.iter();
            return steps.try_for_each(|step| self.out.record(&FoundRecord::new(reference, step)));
        }
        let only_marks = query.condition.only_marks().is_some();
        let rows: Vec<_> = found.steps.iter().map(|step| cells(reference, step, only_marks)).collect();
        self.out.table(&rows)
    }
}

fn nothing_found(query: &StepQuery) -> String {
    let what = match query.condition.only_marks() {
        Some(marks) if marks == MarkSet::ANY => "has a mark".to_owned(),
        Some(marks) => format!("has the mark {marks}"),
        None => format!("meets {}", query.condition),
    };
    let rules = query.condition.only_marks().is_some_and(|marks| marks.has(Mark::Dead)) && !query.distances;
    let more =
        if rules { "; --distance also finds dead states that the rules alone do not prove" } else { "" };
    format!("no step {what}{more}")
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

/// A step that meets a condition (`find`).
#[derive(Serialize, JsonSchema)]
pub(super) struct FoundRecord<'a> {
    #[serde(flatten)]
    identity: &'a EpisodeFields,
    /// Reference for `view`.
    run: String,
    /// Number of the step.
    step: u32,
    /// Names of the marks.
    #[schemars(with = "Vec<String>")]
    marks: MarkSet,
    /// Action; null if the step passed without one.
    action: Option<&'a str>,
    /// Reason for the marks.
    note: Option<&'a str>,
    /// What makes the condition true, in words.
    facts: &'a [String],
    #[serde(flatten)]
    distance: Option<&'a DistanceAfter>,
}

impl Record for FoundRecord<'_> {
    const TYPE: &'static str = "found";
}

impl<'a> FoundRecord<'a> {
    fn new(reference: &str, found: &'a FoundStep) -> Self {
        Self {
            identity: &found.identity,
            run: step_reference(reference, found.step),
            step: found.step,
            marks: found.marks,
            action: found.action.as_deref(),
            note: found.note.as_deref(),
            facts: &found.facts,
            distance: found.distance.as_ref(),
        }
    }
}

/// The cells of a row. If the condition is more than marks, the last one says what makes it true.
fn cells(reference: &str, found: &FoundStep, only_marks: bool) -> Vec<String> {
    let way = found.distance.as_ref().map(ToString::to_string);
    let cells = [
        step_reference(reference, found.step),
        found.marks.iter().map(Mark::name).collect::<Vec<_>>().join(","),
        found.action.clone().unwrap_or_else(|| "(none)".to_owned()),
    ];
    let note = if only_marks { found.note.clone().unwrap_or_default() } else { found.facts.join(", ") };
    cells.into_iter().chain(way).chain([note]).collect()
}
