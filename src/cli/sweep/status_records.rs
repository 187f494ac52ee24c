//! The objects of `sweep status`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use crate::records::{Record, UsageFields};
use mageyard_domain::Prices;
use mageyard_sweep::CellStatus;
use mageyard_sweep::claims::State;

/// The sums of a sweep that was started (`sweep status`), before its cells.
///
/// The usage is that of all episodes so far, without requests that have no reply.
#[derive(Serialize, JsonSchema)]
pub(crate) struct SweepStatusRecord<'a> {
    /// Name or folder of the sweep, as given.
    pub(super) sweep: &'a str,
    /// `running`, `paused` or `cancelled`, as people have ordered it. Workers may have ended all the same.
    pub(super) control: &'static str,
    /// Number of the order that paused or cancelled it.
    pub(super) control_order: Option<u32>,
    /// Cells that were ever queued.
    pub(super) cells: usize,
    /// Number of cells in each state: `claimed`, `queued`, `parked`, `failed`, `missing`, `done`.
    #[schemars(with = "BTreeMap<String, usize>")]
    pub(super) states: StateCounts,
    /// Planned episodes of the cells that were started.
    pub(super) episodes_planned: usize,
    /// Episodes that are over.
    pub(super) episodes_done: usize,
    /// Failed cells by class of failure.
    pub(super) failures: BTreeMap<&'a str, usize>,
    /// Cells with requests whose cost is unknown.
    pub(super) unpriced: usize,
    #[serde(flatten)]
    pub(super) usage: UsageFields,
}

impl Record for SweepStatusRecord<'_> {
    const TYPE: &'static str = "sweep_status";
}

/// Numbers of cells by state, in the order of the states.
pub(super) struct StateCounts(pub(super) Vec<(State, usize)>);

impl Serialize for StateCounts {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.iter().map(|(state, count)| (state.name(), count)))
    }
}

/// A cell of a sweep that was started (`sweep status`).
#[derive(Serialize, JsonSchema)]
pub(crate) struct CellStatusRecord<'a> {
    /// Stable name of the cell.
    cell: &'a str,
    /// `queued`, `claimed`, `done`, `failed`, `parked`, or `missing` if its control file was removed.
    state: &'static str,
    /// Worker that has the cell, or that ended it.
    worker: Option<&'a str>,
    /// How often it was claimed.
    claims: u32,
    /// Seconds since the last heartbeat of a claimed cell.
    heartbeat_age: Option<f64>,
    /// Class of the reason why it failed or is parked.
    class: Option<&'a str>,
    /// Why it failed or is parked.
    reason: Option<&'a str>,
    /// Planned episodes; null if not started.
    episodes_planned: Option<usize>,
    /// Episodes with a journal.
    episodes_started: usize,
    /// Episodes that are over.
    episodes_done: usize,
    /// Name of the model; null without requests.
    model: Option<&'a str>,
    #[serde(flatten)]
    usage: UsageFields,
}

impl Record for CellStatusRecord<'_> {
    const TYPE: &'static str = "cell_status";
}

impl<'a> CellStatusRecord<'a> {
    pub(super) fn new(cell: &'a CellStatus, prices: &Prices) -> Self {
        let state = &cell.state;
        let reason = state.reason.as_ref();
        let cost = prices.cost_of_models(&cell.models);
        Self {
            cell: &cell.name,
            state: state.state.name(),
            worker: state.worker.as_deref(),
            claims: state.claims,
            heartbeat_age: state.heartbeat_age.map(|age| age.as_secs_f64()),
            class: reason.map(|reason| reason.class.as_str()),
            reason: reason.map(|reason| reason.text.as_str()),
            episodes_planned: cell.planned,
            episodes_started: cell.started,
            episodes_done: cell.finished,
            model: cell.model.as_deref(),
            usage: UsageFields::new(cell.spent, &cost),
        }
    }
}
