//! `find`: the steps with a mark, over sessions, each with the reference that `view` opens.

use serde_json::json;

use super::complaint::say;
use super::exit::Exit;
use super::exit::Failure;
use super::house::House;
use super::open::runtime;
use super::output::Output;
use super::output::columns;
use super::stage;
use super::trouble;
use crate::domain::Thresholds;
use crate::engine::Episode;
use crate::engine::Faults;
use crate::engine::Mark;
use crate::engine::Marked;
use crate::engine::Step;
use crate::engine::Store;
use crate::engine::faults;
use crate::engine::read;

/// List the steps with a mark: parse errors, IA, RA, dead states
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The marks, with commas: parse, ia, ra, same, dead, edited; or any
    #[arg(value_name = "MARKS", value_parser = str::parse::<Marked>)]
    marks: Marked,
    /// Sessions: names, beginnings of names, `last`, folders or journals
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<String>,
    /// Judge by the [faults] settings that hold now, not by those an episode was begun with
    #[arg(long)]
    anew: bool,
    /// Print one object a line
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, house: &House) -> Result<Exit, Failure> {
    let config = house.config()?;
    let anew = args.anew.then(|| config.settings().faults.thresholds());
    let store = Store::new(config.store());
    let found = runtime()?.block_on(gather(&store, args, anew))?;
    let mut out = Output::open();
    if args.json {
        found.iter().try_for_each(|found| out.object(&found.object()))?;
        return Ok(Exit::Done);
    }
    if found.is_empty() {
        say(&format!("no step has the mark {}", args.marks));
    }
    let rows: Vec<_> = found.iter().map(Found::cells).collect();
    columns(&rows).iter().try_for_each(|line| out.line(line))?;
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
}

async fn gather(store: &Store, args: &Args, anew: Option<Thresholds>) -> Result<Vec<Found>, Failure> {
    let mut all = Vec::new();
    for run in &args.runs {
        for journal in store.find(run).map_err(|error| trouble::unfound(&error))? {
            let recorded = read(&journal).map_err(|error| trouble::refused(&error))?;
            let (kind, episode, _) = stage::relive(&journal, &recorded).await?;
            let thresholds = anew.unwrap_or(episode.head().conduct.thresholds);
            let faults = faults(&episode, kind, thresholds);
            let marked =
                episode.steps().iter().zip(&faults.marks).filter(|(_, marks)| marks.meets(args.marks));
            let run = store.reference(&journal);
            all.extend(marked.map(|(step, marks)| Found::of(&run, &episode, step, *marks, &faults)));
        }
    }
    Ok(all)
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
        }
    }

    fn object(&self) -> serde_json::Value {
        json!({
            "type": "found", "run": self.run, "reference": self.level, "agent": self.agent,
            "step": self.step, "marks": self.marks, "action": self.action, "note": self.note,
        })
    }

    fn cells(&self) -> Vec<String> {
        vec![
            self.run.clone(),
            self.marks.iter().map(Mark::name).collect::<Vec<_>>().join(","),
            self.action.clone().unwrap_or_else(|| "(none)".to_owned()),
            self.note.clone().unwrap_or_default(),
        ]
    }
}

/// The reason that is this step's own: what lost the level, or why a reply could not be read.
fn note(step: &Step, marks: Marked, faults: &Faults) -> Option<String> {
    let lost = faults.lost.as_ref().filter(|lost| marks.has(Mark::Dead) && lost.step.max(1) == step.number);
    let unread = || {
        let mut verdicts = step.attempts.iter().rev().filter_map(|attempt| attempt.verdict.as_ref());
        verdicts.find_map(|verdict| verdict.as_ref().err()).map(|failure| failure.why.clone())
    };
    lost.map(|lost| lost.why.clone()).or_else(unread)
}
