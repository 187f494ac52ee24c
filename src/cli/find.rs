//! `find`: lists the steps with a mark, each with a reference that `view` opens.

use serde_json::json;

use super::context::Context;
use super::diagnostics::print_message;
use super::exit::Exit;
use super::exit::Failure;
use super::output::Output;
use super::runtime::single_thread_runtime;
use crate::config::Config;
use crate::domain::EnvironmentSpec;
use crate::domain::RepetitionThresholds;
use crate::engine::Distances;
use crate::engine::Episode;
use crate::engine::ErrorAnalysis;
use crate::engine::Mark;
use crate::engine::MarkSet;
use crate::engine::Step;
use crate::engine::Store;
use crate::engine::analyze;
use crate::engine::read_journal;
use crate::lab;
use crate::lab::DistanceAfter;
use crate::lab::EpisodeId;
use crate::lab::Lab;
use crate::lab::merged;

/// List steps with parse errors, IA, RA, detours or dead states
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[allow(clippy::doc_markdown, reason = "shown in the terminal beside the other names")]
    /// Marks, separated by commas: parse, ia, ra, same, off_path, dead, edited, or any
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
    let current_thresholds = args.current_thresholds.then(|| config.settings().faults.thresholds());
    let store = Store::new(config.store_folder());
    let found = single_thread_runtime()?.block_on(find_steps(
        &context.lab,
        &store,
        args,
        &config,
        current_thresholds,
    ))?;
    let mut out = Output::open();
    if args.json {
        found.iter().try_for_each(|found| out.object_line("found", &found.object()))?;
        return Ok(Exit::Done);
    }
    if found.is_empty() {
        let what =
            if args.marks == MarkSet::ANY { "a mark".to_owned() } else { format!("the mark {}", args.marks) };
        let rules = args.marks.has(Mark::Dead) && !args.searches();
        let more =
            if rules { "; --distance also finds dead states that the rules alone do not prove" } else { "" };
        print_message(&format!("no step has {what}{more}"));
    }
    let rows: Vec<_> = found.iter().map(FoundStep::cells).collect();
    out.table(&rows)?;
    Ok(Exit::Done)
}

/// A step with one of the marks.
struct FoundStep {
    /// The reference that `view` opens.
    run: String,
    /// The fields that identify the step.
    identity: serde_json::Value,
    step: u32,
    marks: MarkSet,
    action: Option<String>,
    note: Option<String>,
    /// The distance after the step, if it was searched.
    distance: Option<DistanceAfter>,
}

async fn find_steps(
    lab: &Lab,
    store: &Store,
    args: &Args,
    config: &Config,
    current_thresholds: Option<RepetitionThresholds>,
) -> Result<Vec<FoundStep>, Failure> {
    let mut all = Vec::new();
    for run in &args.runs {
        for journal in store.find(run)? {
            let recorded = read_journal(&journal)?;
            let (spec, episode, _) = lab.restore(&journal, &recorded).await?;
            let thresholds = current_thresholds.unwrap_or(episode.head().conduct.thresholds);
            let mut faults = analyze(&episode, spec, thresholds);
            let (id, run) = (EpisodeId::of_journal(&journal), store.reference(&journal));
            let distances =
                if args.searches() { lab::search_distances(spec, &episode, config).await } else { None };
            if let Some(distances) = &distances {
                faults = faults.with_distances(distances);
            }
            if args.searches() {
                report_unknown_distances(&run, spec, distances.as_ref());
            }
            let marked = (1..).zip(episode.steps()).zip(faults.marks());
            let marked = marked.filter(|(_, marks)| marks.intersects(args.marks));
            all.extend(marked.map(|((after, step), marks)| FoundStep {
                distance: distances.as_ref().map(|distances| DistanceAfter::after(distances, after)),
                note: note(step, *marks, &faults, distances.as_ref()),
                ..FoundStep::of(&id, &run, &episode, step, *marks)
            }));
        }
    }
    Ok(all)
}

/// Reports steps that the search could not judge: an unlisted step may still have left the shortest path.
fn report_unknown_distances(run: &str, spec: &dyn EnvironmentSpec, distances: Option<&Distances>) {
    match distances.map(|distances| distances.unjudged().1) {
        None => print_message(&format!("{run}: {} has no solver, so distances are unknown", spec.name())),
        Some(0) => {}
        Some(steps) => print_message(&format!(
            "{run}: {steps} steps could not be judged for off_path: the search reached a limit"
        )),
    }
}

impl FoundStep {
    fn of(id: &EpisodeId, run: &str, episode: &Episode, step: &Step, marks: MarkSet) -> Self {
        Self {
            run: format!("{run}#{}", step.number),
            identity: id.step_fields(episode.head(), step),
            step: step.number,
            marks,
            action: step.action.as_ref().map(ToString::to_string),
            note: None,
            distance: None,
        }
    }

    fn object(&self) -> serde_json::Value {
        let own = json!({
            "run": self.run, "step": self.step, "marks": self.marks, "action": self.action, "note": self.note,
        });
        let object = merged(self.identity.clone(), own);
        merged(object, json!(self.distance))
    }

    fn cells(&self) -> Vec<String> {
        let way = self.distance.as_ref().map(ToString::to_string);
        let cells = [
            self.run.clone(),
            self.marks.iter().map(Mark::name).collect::<Vec<_>>().join(","),
            self.action.clone().unwrap_or_else(|| "(none)".to_owned()),
        ];
        cells.into_iter().chain(way).chain([self.note.clone().unwrap_or_default()]).collect()
    }
}

/// The reason for the marks of a step: what led to the dead state, why a reply could not be read, or its
/// extra moves.
fn note(
    step: &Step,
    marks: MarkSet,
    faults: &ErrorAnalysis,
    distances: Option<&Distances>,
) -> Option<String> {
    let lost =
        faults.dead_state.as_ref().filter(|lost| marks.has(Mark::Dead) && lost.step.max(1) == step.number);
    let unread = || {
        let mut verdicts = step.attempts.iter().rev().filter_map(|attempt| attempt.verdict.as_ref());
        verdicts.find_map(|verdict| verdict.as_ref().err()).map(|failure| failure.why.clone())
    };
    let off = || Some(distances?.detour_of(step.number)?.describe());
    lost.map(|lost| lost.why.clone()).or_else(unread).or_else(off)
}
