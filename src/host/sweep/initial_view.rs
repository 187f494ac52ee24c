//! The view of a sweep as its files have it.

use std::collections::BTreeMap;
use std::path::Path;

use super::cell_results::CellResults;
use mageyard_cli::exit::Failure;
use mageyard_config::Config;
use mageyard_domain::{Amount, Prices, table_label, with_thousands};
use mageyard_lab::{Lab, recorded_episode};
use mageyard_screen::{CellPhase, CellView, Incident, IncidentKind, SweepView};
use mageyard_sweep::claims::{State, cell_states};
use mageyard_sweep::{PlannedCell, SweepPlan, cell_journals, cell_model, claims, control_state, orders};

/// What the view of a sweep is read from.
#[derive(Clone, Copy)]
pub(crate) struct SweepFiles<'a> {
    pub(crate) plan: &'a SweepPlan,
    pub(crate) folder: &'a Path,
    pub(crate) lab: &'a Lab,
    pub(crate) prices: &'a Prices,
}

impl SweepFiles<'_> {
    /// The view of the plan and of what is in the folder of the sweep.
    pub(crate) fn view(self) -> Result<SweepView, Failure> {
        self.newer(&SweepView::default())
    }

    /// The view after this one. The episodes of a cell that was done before are not read again.
    pub(crate) fn newer(self, before: &SweepView) -> Result<SweepView, Failure> {
        let mut view = without_results(self.plan, self.folder)?;
        for (index, cell) in view.cells.iter_mut().enumerate() {
            match before.cells.get(index).filter(|before| is_final(before, cell)) {
                Some(before) => *cell = before.clone(),
                None => self.add_results(&self.plan.cells[index], cell)?,
            }
        }
        Ok(view)
    }

    /// Adds the results of the episodes that are over.
    fn add_results(self, planned: &PlannedCell, view: &mut CellView) -> Result<(), Failure> {
        if !self.folder.join(&view.name).is_dir() {
            return Ok(());
        }
        let journals = cell_journals(self.folder, &view.name)?;
        let summaries = journals.iter().filter_map(|journal| recorded_episode(self.lab, journal).summary());
        let model = cell_model(self.lab, planned).ok().flatten();
        let mut results = CellResults::default();
        for summary in summaries.filter(|summary| summary.ending.is_some()) {
            results.add(&summary, model.as_deref(), self.prices);
        }
        results.write_into(view);
        Ok(())
    }
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
    let mut incidents = Vec::new();
    for known in plan.cells.iter().filter_map(|cell| states.get(&cell.name)) {
        if let (Some(kind), Some(reason)) = (incident_kind(known.state), &known.reason) {
            Incident::count_in(&mut incidents, kind, &reason.class, &reason.text);
        }
    }
    let columns = columns.iter().map(|name| short_name(name)).collect();
    let orders = orders(folder).map_err(Failure::running)?;
    let control = control_state(&orders).lines(&plan.name);
    Ok(SweepView {
        name: plan.name.clone(),
        address: folder.display().to_string(),
        columns,
        cells,
        incidents,
        control,
        is_run: true,
        ..SweepView::default()
    })
}

/// The name of a setting without its table; a model is called so.
pub(crate) fn short_name(setting: &str) -> String {
    match setting {
        "model.name" => "model".to_owned(),
        setting => setting.rsplit('.').next().unwrap_or(setting).to_owned(),
    }
}

/// How verbs name the sweep of this plan in this folder: by its name if it is in the store, otherwise by the folder.
pub(crate) fn address(plan: &SweepPlan, folder: &Path, config: &Config) -> String {
    let is_in_store = plan.folder(&config.store_folder()) == folder;
    if is_in_store { plan.name.clone() } else { folder.display().to_string() }
}

fn incident_kind(state: State) -> Option<IncidentKind> {
    match state {
        State::Failed => Some(IncidentKind::Failed),
        State::Parked => Some(IncidentKind::Parked),
        State::Queued | State::Claimed | State::Done | State::Missing => None,
    }
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
        planned: cell.episodes(),
        note,
        ..CellView::default()
    }
}

fn value(cell: &PlannedCell, column: &str) -> String {
    let found = cell.coordinates.iter().find(|(name, _)| name == column);
    found.map_or_else(|| "–".to_owned(), |(_, value)| table_label(value))
}

/// What the finished episodes of all cells have spent, in words; empty without requests.
pub(crate) fn spent_of(view: &SweepView) -> String {
    let tokens: u64 = view.cells.iter().filter_map(|cell| cell.tokens).sum();
    if tokens == 0 {
        return String::new();
    }
    let mut costs: BTreeMap<&str, Amount> = BTreeMap::new();
    for (amount, currency) in view.cells.iter().filter_map(|cell| cell.cost.as_ref()) {
        let sum = costs.entry(currency).or_default();
        *sum = sum.plus(*amount);
    }
    #[expect(clippy::cast_precision_loss, reason = "a number to read")]
    let tokens = with_thousands(tokens as f64);
    let costs = costs.iter().map(|(currency, amount)| format!(", {} {currency}", amount.rounded()));
    format!("finished episodes: {tokens} tokens{}", costs.collect::<String>())
}
