//! Orders that move cells back to the queue.
//!
//! The order is recorded before the cells are moved, with the exact claims that have ended. So whoever reads it can move
//! them, any number of times, and each claim is moved once: a cell that fails again has another claim.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::error::OrderError;
use super::give::give_order;
use super::given::{GivenOrder, Order};
use crate::claims::{CellState, Claims, State, Timing, cell_states};
use mageyard_engine::{Store, StoreError};

/// The number of cells in one order, whose file has a limit of 64 KiB.
const MOST_CELLS: usize = 200;

/// A cell that has failed or is parked, with the claim that ended so.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RequeuedCell {
    /// Its name.
    pub cell: String,
    /// The worker that ended it.
    pub worker: String,
    /// How often it was claimed, that claim included.
    pub claims: u32,
}

/// Which cells are requeued.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Requeue {
    /// Cells by their name, by the beginning of it, or by the digits at its end; all cells if there are none.
    pub cells: Vec<String>,
    /// Only cells in this state, which is [`State::Failed`] or [`State::Parked`]; both if there is none.
    pub only: Option<State>,
}

/// Moves cells of the sweep in this folder that have failed or are parked back to the queue, and records it as one or more
/// orders. Returns none if there are no such cells. A named cell that is in another state is refused with its state, and
/// nothing is moved. `label` is part of the name of the worker that moves them, such as the host and the number of the
/// process.
pub fn requeue_cells(
    folder: &Path,
    wanted: &Requeue,
    label: &str,
    by: &str,
    why: Option<&str>,
) -> Result<Vec<GivenOrder>, OrderError> {
    let cells = wanted.find(folder)?;
    let mut claims = Claims::open(folder, label, Timing::default())?;
    let mut given = Vec::new();
    for part in cells.chunks(MOST_CELLS) {
        given.push(give_order(folder, Order::Requeue { cells: part.to_vec() }, by, why)?);
        claims.requeue_ended(part)?;
    }
    Ok(given)
}

impl Requeue {
    /// The cells that are moved.
    fn find(&self, folder: &Path) -> Result<Vec<RequeuedCell>, OrderError> {
        let states = cell_states(folder)?;
        let fits = |state: &CellState| self.states().contains(&state.state);
        if self.cells.is_empty() {
            let cells = states.iter().filter(|(_, state)| fits(state));
            return Ok(cells.filter_map(|(cell, state)| RequeuedCell::of(cell, state)).collect());
        }
        let store = Store::new(folder);
        let mut found = Vec::new();
        for given in &self.cells {
            let cell = store.full_cell_name(given).map_err(|error| refused(&error))?;
            let state = states.get(&cell).filter(|state| fits(state)).ok_or_else(|| {
                let state = states.get(&cell).map_or("not queued yet", |state| state.state.name());
                let wanted = self.states().map(State::name).join(" or ");
                OrderError::Refused(format!(
                    "the cell {cell} is {state}; only a cell that is {wanted} is requeued"
                ))
            })?;
            found.extend(RequeuedCell::of(&cell, state).filter(|cell| !found.contains(cell)));
        }
        Ok(found)
    }

    fn states(&self) -> [State; 2] {
        let only = self.only;
        [only.unwrap_or(State::Failed), only.unwrap_or(State::Parked)]
    }
}

impl RequeuedCell {
    fn of(cell: &str, state: &CellState) -> Option<Self> {
        let worker = state.worker.clone()?;
        Some(Self { cell: cell.to_owned(), worker, claims: state.claims })
    }
}

fn refused(error: &StoreError) -> OrderError {
    OrderError::Refused(error.to_string())
}
