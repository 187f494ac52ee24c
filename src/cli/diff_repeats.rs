//! `diff SESSION`: where the repeats of one cell part, each choice with its count and its results.

use super::diff_records::RepeatsRecord;
use super::exit::{Exit, Failure};
use super::output::{Output, count_noun};
use mageyard_config::Problem;
use mageyard_engine::Store;
use mageyard_lab::{Choice, Parting, Repeats, compare_repeats, step_reference};

pub(super) fn run(session: &str, store: &Store, json: bool) -> Result<Exit, Failure> {
    let cells = compare_repeats(&store.find(session)?)?;
    if cells.is_empty() {
        let problem = Problem::new(format!("{session} has no two episodes of the same level and settings"));
        return Err(problem.with_help("name a second recording to compare it with").into());
    }
    let mut out = Output::open();
    for cell in &cells {
        if json {
            out.record(&RepeatsRecord::new(cell, store))?;
        } else {
            print(cell, store, &mut out)?;
        }
    }
    Ok(Exit::Done)
}

fn print(cell: &Repeats, store: &Store, out: &mut Output) -> std::io::Result<()> {
    out.line(format!("{}: {}", title(cell), outcome(cell.parting.as_ref())))?;
    let Some(parting) = &cell.parting else { return Ok(()) };
    let rows = parting.choices.iter().map(|choice| {
        let runs =
            choice.journals.iter().map(|journal| step_reference(&store.reference(journal), parting.step));
        let runs = runs.collect::<Vec<_>>().join(" ");
        let [action, rest @ ..] = words(choice, cell.episodes);
        [vec![format!("  {action}")], rest.to_vec(), vec![runs]].concat()
    });
    out.table(&rows.collect::<Vec<_>>())
}

/// The level, the agent and the number of repeats.
pub fn title(cell: &Repeats) -> String {
    let agent = cell.head.agent.display_name();
    format!("{}, {agent}, {}", cell.head.reference, count_noun(cell.episodes, "repeat", "repeats"))
}

/// Where the repeats part, in words.
pub fn outcome(parting: Option<&Parting>) -> String {
    match parting {
        None => "every state and every action is equal".to_owned(),
        Some(Parting { step, is_same_state: true, .. }) => {
            format!("they part at step {step}, in the same state")
        }
        Some(Parting { step, .. }) => {
            format!("at step {step} the states differ, although every action before it was equal")
        }
    }
}

/// A choice: the action, its count and its results.
pub fn words(choice: &Choice, episodes: usize) -> [String; 4] {
    [
        choice.action.clone().unwrap_or_else(|| "no action".to_owned()),
        format!("{} of {episodes}", choice.journals.len()),
        format!("solved {} of {}", choice.solved, choice.ended),
        format!("mean sum {:+.2}", choice.mean_sum),
    ]
}
