//! The view of a sweep as its files have it.

use mageyard_lab::recorded_episode;
use std::path::Path;

use mageyard_cli::exit::Failure;
use mageyard_domain::table_label;
use mageyard_lab::Lab;
use mageyard_screen::{CellPhase, CellView, SweepView};
use mageyard_sweep::claims::{State, cell_states};
use mageyard_sweep::{PlannedCell, SweepPlan, cell_journals, claims, control_state, orders};

/// The view of a plan and of what is in the folder of the sweep.
pub(crate) fn view(plan: &SweepPlan, folder: &Path, lab: &Lab) -> Result<SweepView, Failure> {
    newer(plan, folder, lab, &SweepView::default())
}

/// The view after this one. The episodes of a cell that was done before are not read again.
pub(crate) fn newer(
    plan: &SweepPlan,
    folder: &Path,
    lab: &Lab,
    before: &SweepView,
) -> Result<SweepView, Failure> {
    let mut view = without_results(plan, folder)?;
    for (index, cell) in view.cells.iter_mut().enumerate() {
        match before.cells.get(index).filter(|before| is_final(before, cell)) {
            Some(before) => *cell = before.clone(),
            None => add_results(cell, folder, lab)?,
        }
    }
    Ok(view)
}

/// Whether the results of a cell cannot have changed.
fn is_final(before: &CellView, now: &CellView) -> bool {
    let is_done = |cell: &CellView| cell.state == CellPhase::Done && cell.name == now.name;
    is_done(before) && is_done(now) && before.finished >= before.planned
}

/// The states of the cells, without reading any episode.
pub(crate) fn without_results(plan: &SweepPlan, folder: &Path) -> Result<SweepView, Failure> {
    let states = cell_states(folder).map_err(Failure::running)?;
    let mut columns: Vec<&str> = Vec::new();
    for (name, _) in plan.cells.iter().flat_map(|cell| &cell.coordinates) {
        if !columns.contains(&name.as_str()) {
            columns.push(name);
        }
    }
    let cell = |cell: &PlannedCell| cell_view(cell, &columns, states.get(&cell.name));
    let cells = plan.cells.iter().map(cell).collect();
    let short = |name: &&str| name.rsplit('.').next().unwrap_or(name).to_owned();
    let columns = columns.iter().map(short).collect();
    let orders = orders(folder).map_err(Failure::running)?;
    let control = control_state(&orders).lines(&plan.name);
    Ok(SweepView { name: plan.name.clone(), columns, cells, control, is_run: true, ..SweepView::default() })
}

fn cell_view(cell: &PlannedCell, columns: &[&str], known: Option<&claims::CellState>) -> CellView {
    let state = match known.map(|known| known.state) {
        None | Some(State::Queued | State::Missing) => CellPhase::Queued,
        Some(State::Claimed) => CellPhase::Running,
        Some(State::Done) => CellPhase::Done,
        Some(State::Failed) => CellPhase::Failed,
        Some(State::Parked) => CellPhase::Parked,
    };
    let worker = known.and_then(|known| known.worker.as_deref()).filter(|_| state == CellPhase::Running);
    let reason = known.and_then(|known| known.reason.as_ref());
    let note = match (worker, reason) {
        (_, Some(reason)) => format!("{}: {}", reason.class, reason.text),
        (Some(worker), None) => format!("worker {worker}"),
        (None, None) => String::new(),
    };
    CellView {
        name: cell.name.clone(),
        values: columns.iter().map(|column| value(cell, column)).collect(),
        state,
        finished: 0,
        planned: cell.episodes(),
        won: None,
        score: None,
        note,
    }
}

fn value(cell: &PlannedCell, column: &str) -> String {
    let found = cell.coordinates.iter().find(|(name, _)| name == column);
    found.map_or_else(|| "–".to_owned(), |(_, value)| table_label(value))
}

/// Adds the results of the episodes that are over.
fn add_results(view: &mut CellView, folder: &Path, lab: &Lab) -> Result<(), Failure> {
    if !folder.join(&view.name).is_dir() {
        return Ok(());
    }
    let journals = cell_journals(folder, &view.name)?;
    let summaries = journals.iter().filter_map(|journal| recorded_episode(lab, journal).summary());
    let over: Vec<_> = summaries.filter(|summary| summary.ending.is_some()).collect();
    view.finished = over.len();
    view.won = Some(over.iter().filter(|summary| summary.is_solved()).count());
    let scores: Vec<f64> = over.iter().filter_map(|summary| summary.score).collect();
    view.score = mageyard_statistics::mean(scores.iter().copied());
    Ok(())
}
