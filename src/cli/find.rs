//! `find`: the steps with a mark, over sessions, each with the reference that `view` opens.

use serde_json::json;

use super::context::Context;
use super::diagnostics::print_message;
use super::distance;
use super::distance::DistanceAfter;
use super::episode_builder;
use super::episode_output;
use super::error_codes;
use super::exit::Exit;
use super::exit::Failure;
use super::output::Output;
use super::runtime::single_thread_runtime;
use crate::config::Config;
use crate::domain::EnvironmentSpec;
use crate::domain::RepetitionThresholds;
use crate::engine::Detour;
use crate::engine::Distances;
use crate::engine::Episode;
use crate::engine::ErrorAnalysis;
use crate::engine::Mark;
use crate::engine::MarkSet;
use crate::engine::Step;
use crate::engine::Store;
use crate::engine::analyze;
use crate::engine::read_journal;

/// List the steps with a mark: parse errors, IA, RA, detours, dead states
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[allow(clippy::doc_markdown, reason = "a person reads it as it stands, beside the other names")]
    /// The marks, with commas: parse, ia, ra, same, off_path (searched for), dead, edited; or any
    #[arg(value_name = "MARKS", value_parser = str::parse::<MarkSet>)]
    marks: MarkSet,
    /// Sessions: names, beginnings of names, `last`, folders or journals
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<String>,
    /// Judge by the [faults] settings that hold now, not by those an episode was begun with
    #[arg(long)]
    anew: bool,
    #[allow(clippy::doc_markdown, reason = "a person reads it as it stands, beside the other names")]
    /// Search each state for how far the goal was, as the mark off_path does: it adds that one to any, marks
    /// as dead what the search proves, and tells the way after each step. Each search has the limits of its
    /// environment's solver, and the limit of time that the [screen] settings give
    #[arg(long)]
    distance: bool,
    /// Print one object a line
    #[arg(long)]
    json: bool,
}

impl Args {
    /// Whether the way to the goal is searched: where it is asked for, and for a mark that nothing else tells.
    fn searches(&self) -> bool {
        self.distance || (self.marks != MarkSet::ANY && self.marks.has(Mark::OffPath))
    }
}

pub(super) fn run(args: &Args, house: &Context) -> Result<Exit, Failure> {
    let config = house.config()?;
    let anew = args.anew.then(|| config.settings().faults.thresholds());
    let store = Store::new(config.store_folder());
    let found = single_thread_runtime()?.block_on(find_steps(&store, args, &config, anew))?;
    let mut out = Output::open();
    if args.json {
        found.iter().try_for_each(|found| out.object_line(&found.object()))?;
        return Ok(Exit::Done);
    }
    if found.is_empty() {
        let what =
            if args.marks == MarkSet::ANY { "a mark".to_owned() } else { format!("the mark {}", args.marks) };
        let rules = args.marks.has(Mark::Dead) && !args.searches();
        let more = if rules {
            "; --distance also searches for dead states that the rules alone do not see"
        } else {
            ""
        };
        print_message(&format!("no step has {what}{more}"));
    }
    let rows: Vec<_> = found.iter().map(FoundStep::cells).collect();
    out.table(&rows)?;
    Ok(Exit::Done)
}

/// A step with a mark that was looked for.
struct FoundStep {
    /// What `view` opens.
    run: String,
    level: String,
    agent: String,
    step: u32,
    marks: MarkSet,
    action: Option<String>,
    note: Option<String>,
    /// The way after the step, where it was searched.
    distance: Option<DistanceAfter>,
}

async fn find_steps(
    store: &Store,
    args: &Args,
    config: &Config,
    anew: Option<RepetitionThresholds>,
) -> Result<Vec<FoundStep>, Failure> {
    let mut all = Vec::new();
    for run in &args.runs {
        for journal in store.find(run).map_err(|error| error_codes::store_failure(&error))? {
            let recorded = read_journal(&journal).map_err(|error| error_codes::journal_failure(&error))?;
            let (kind, episode, _) = episode_builder::restore_episode(&journal, &recorded).await?;
            let thresholds = anew.unwrap_or(episode.head().conduct.thresholds);
            let mut faults = analyze(&episode, kind, thresholds);
            let run = store.reference(&journal);
            let distances =
                if args.searches() { distance::search_distances(kind, &episode, config).await } else { None };
            if let Some(distances) = &distances {
                faults = faults.with_distances(episode.steps(), distances);
            }
            if args.searches() {
                report_unknown_distances(&run, kind, distances.as_ref());
            }
            let marked = (1..).zip(episode.steps()).zip(&faults.marks);
            let marked = marked.filter(|(_, marks)| marks.intersects(args.marks));
            all.extend(marked.map(|((after, step), marks)| FoundStep {
                distance: distances.as_ref().map(|distances| DistanceAfter::after(distances, after)),
                ..FoundStep::of(&run, &episode, step, *marks, &faults)
            }));
        }
    }
    Ok(all)
}

/// Says what a search could not tell: a step that is not listed is not always one that kept to the best path.
fn report_unknown_distances(run: &str, kind: &dyn EnvironmentSpec, distances: Option<&Distances>) {
    match distances.map(|distances| distances.unjudged().1) {
        None => print_message(&format!(
            "{run}: {} has no solver, so how far the goal was is not known",
            kind.name()
        )),
        Some(0) => {}
        Some(steps) => print_message(&format!(
            "{run}: of {steps} steps it is not known whether they left the best path: a limit came first"
        )),
    }
}

impl FoundStep {
    fn of(run: &str, episode: &Episode, step: &Step, marks: MarkSet, faults: &ErrorAnalysis) -> Self {
        let head = episode.head();
        Self {
            run: format!("{run}#{}", step.number),
            level: head.reference.clone(),
            agent: head.agent.clone(),
            step: step.number,
            marks,
            action: step.action.as_ref().map(ToString::to_string),
            note: note(step, marks, faults),
            distance: None,
        }
    }

    fn object(&self) -> serde_json::Value {
        let object = json!({
            "type": "found", "run": self.run, "reference": self.level, "agent": self.agent,
            "step": self.step, "marks": self.marks, "action": self.action, "note": self.note,
        });
        episode_output::merged(object, json!(self.distance))
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

/// The reason that is this step's own: what lost the level, why a reply could not be read, or what the step cost.
fn note(step: &Step, marks: MarkSet, faults: &ErrorAnalysis) -> Option<String> {
    let lost =
        faults.dead_state.as_ref().filter(|lost| marks.has(Mark::Dead) && lost.step.max(1) == step.number);
    let unread = || {
        let mut verdicts = step.attempts.iter().rev().filter_map(|attempt| attempt.verdict.as_ref());
        verdicts.find_map(|verdict| verdict.as_ref().err()).map(|failure| failure.why.clone())
    };
    let off = || faults.detours.iter().find(|off| off.step == step.number).map(Detour::describe);
    lost.map(|lost| lost.why.clone()).or_else(unread).or_else(off)
}
