//! The cells that a worker can run, in the order of their plan.

use rustc_hash::FxHashMap;

use super::error::ClaimError;
use super::name::check_cell_name;

/// The cells of a plan, and the place of each.
#[derive(Debug, Default)]
pub(super) struct CellOrder {
    cells: Vec<String>,
    places: FxHashMap<String, usize>,
}

impl CellOrder {
    /// These cells in this order; a cell that occurs twice has its first place.
    pub(super) fn new<'a>(cells: impl IntoIterator<Item = &'a str>) -> Result<Self, ClaimError> {
        let mut order = Self::default();
        for cell in cells {
            check_cell_name(cell)?;
            if !order.places.contains_key(cell) {
                order.places.insert(cell.to_owned(), order.cells.len());
                order.cells.push(cell.to_owned());
            }
        }
        Ok(order)
    }

    pub(super) fn cells(&self) -> &[String] {
        &self.cells
    }

    /// The place of a cell, from 0; `None` if it is not of this plan.
    pub(super) fn place(&self, cell: &str) -> Option<usize> {
        self.places.get(cell).copied()
    }
}
