//! `find`: the steps with a mark, over sessions, each with the reference that `view` opens.

use serde_json::json;

use super::complaint::say;
use super::exit::Exit;
use super::exit::Failure;
use super::house::House;
use super::lines;
use super::open::runtime;
use super::output::Output;
use super::stage;
use super::trouble;
use super::way;
use super::way::Way;
use crate::config::Config;
use crate::domain::Kind;
use crate::domain::Thresholds;
use crate::engine::Distances;
use crate::engine::Episode;
use crate::engine::Faults;
use crate::engine::Mark;
use crate::engine::Marked;
use crate::engine::Off;
use crate::engine::Step;
use crate::engine::Store;
use crate::engine::faults;
use crate::engine::read;

/// List the steps with a mark: parse errors, IA, RA, detours, dead states
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[allow(clippy::doc_markdown, reason = "a person reads it as it stands, beside the other names")]
    /// The marks, with commas: parse, ia, ra, same, off_path (searched for), dead, edited; or any
    #[arg(value_name = "MARKS", value_parser = str::parse::<Marked>)]
    marks: Marked,
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
        self.distance || (self.marks != Marked::ANY && self.marks.has(Mark::Off))
    }
}

pub(super) fn run(args: &Args, house: &House) -> Result<Exit, Failure> {
    let config = house.config()?;
    let anew = args.anew.then(|| config.settings().faults.thresholds());
    let store = Store::new(config.store());
    let found = runtime()?.block_on(gather(&store, args, &config, anew))?;
    let mut out = Output::open();
    if args.json {
        found.iter().try_for_each(|found| out.object(&found.object()))?;
        return Ok(Exit::Done);
    }
    if found.is_empty() {
        let what =
            if args.marks == Marked::ANY { "a mark".to_owned() } else { format!("the mark {}", args.marks) };
        let rules = args.marks.has(Mark::Dead) && !args.searches();
        let more = if rules {
            "; --distance also searches for dead states that the rules alone do not see"
        } else {
            ""
        };
        say(&format!("no step has {what}{more}"));
    }
    let rows: Vec<_> = found.iter().map(Found::cells).collect();
    out.table(&rows)?;
    Ok(Exit::Done)
}

/// A step with a mark that was looked for.
struct Found {
    /// What `view` opens.
    run: String,
    level: String,
    agent: String,
    step: u32,
    marks: Marked,
    action: Option<String>,
    note: Option<String>,
    /// The way after the step, where it was searched.
    way: Option<Way>,
}

async fn gather(
    store: &Store,
    args: &Args,
    config: &Config,
    anew: Option<Thresholds>,
) -> Result<Vec<Found>, Failure> {
    let mut all = Vec::new();
    for run in &args.runs {
        for journal in store.find(run).map_err(|error| trouble::unfound(&error))? {
            let recorded = read(&journal).map_err(|error| trouble::refused(&error))?;
            let (kind, episode, _) = stage::relive(&journal, &recorded).await?;
            let thresholds = anew.unwrap_or(episode.head().conduct.thresholds);
            let mut faults = faults(&episode, kind, thresholds);
            let run = store.reference(&journal);
            let distances = if args.searches() { way::searched(kind, &episode, config).await } else { None };
            if let Some(distances) = &distances {
                faults = faults.along(episode.steps(), distances);
            }
            if args.searches() {
                unknown(&run, kind, distances.as_ref());
            }
            let marked = (1..).zip(episode.steps()).zip(&faults.marks);
            let marked = marked.filter(|(_, marks)| marks.meets(args.marks));
            all.extend(marked.map(|((after, step), marks)| Found {
                way: distances.as_ref().map(|distances| Way::after(distances, after)),
                ..Found::of(&run, &episode, step, *marks, &faults)
            }));
        }
    }
    Ok(all)
}

/// Says what a search could not tell: a step that is not listed is not always one that kept to the best path.
fn unknown(run: &str, kind: &dyn Kind, distances: Option<&Distances>) {
    match distances.map(|distances| distances.unjudged().1) {
        None => say(&format!("{run}: {} has no solver, so how far the goal was is not known", kind.name())),
        Some(0) => {}
        Some(steps) => say(&format!(
            "{run}: of {steps} steps it is not known whether they left the best path: a limit came first"
        )),
    }
}

impl Found {
    fn of(run: &str, episode: &Episode, step: &Step, marks: Marked, faults: &Faults) -> Self {
        let head = episode.head();
        Self {
            run: format!("{run}#{}", step.number),
            level: head.reference.clone(),
            agent: head.agent.clone(),
            step: step.number,
            marks,
            action: step.action.as_ref().map(ToString::to_string),
            note: note(step, marks, faults),
            way: None,
        }
    }

    fn object(&self) -> serde_json::Value {
        let object = json!({
            "type": "found", "run": self.run, "reference": self.level, "agent": self.agent,
            "step": self.step, "marks": self.marks, "action": self.action, "note": self.note,
        });
        lines::with(object, json!(self.way))
    }

    fn cells(&self) -> Vec<String> {
        let way = self.way.as_ref().map(ToString::to_string);
        let cells = [
            self.run.clone(),
            self.marks.iter().map(Mark::name).collect::<Vec<_>>().join(","),
            self.action.clone().unwrap_or_else(|| "(none)".to_owned()),
        ];
        cells.into_iter().chain(way).chain([self.note.clone().unwrap_or_default()]).collect()
    }
}

/// The reason that is this step's own: what lost the level, why a reply could not be read, or what the step cost.
fn note(step: &Step, marks: Marked, faults: &Faults) -> Option<String> {
    let lost = faults.lost.as_ref().filter(|lost| marks.has(Mark::Dead) && lost.step.max(1) == step.number);
    let unread = || {
        let mut verdicts = step.attempts.iter().rev().filter_map(|attempt| attempt.verdict.as_ref());
        verdicts.find_map(|verdict| verdict.as_ref().err()).map(|failure| failure.why.clone())
    };
    let off = || faults.off.iter().find(|off| off.step == step.number).map(Off::words);
    lost.map(|lost| lost.why.clone()).or_else(unread).or_else(off)
}
