//! `diff SESSION`: where the repeats of one cell part, each choice with its count and its results.

use super::diff_records::RepeatsRecord;
use super::exit::{Exit, Failure};
use super::output::Output;
use mageyard_config::Problem;
use mageyard_engine::Store;
use mageyard_lab::{Repeats, choice_words, compare_repeats, parting_text, repeats_title, step_reference};

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
    out.line(format!("{}: {}", repeats_title(cell), parting_text(cell.parting.as_ref())))?;
    let Some(parting) = &cell.parting else { return Ok(()) };
    let rows = parting.choices.iter().map(|choice| {
        let runs =
            choice.journals.iter().map(|journal| step_reference(&store.reference(journal), parting.step));
        let runs = runs.collect::<Vec<_>>().join(" ");
        let [action, rest @ ..] = choice_words(choice, cell.episodes);
        [vec![format!("  {action}")], rest.to_vec(), vec![runs]].concat()
    });
    out.table(&rows.collect::<Vec<_>>())
}
