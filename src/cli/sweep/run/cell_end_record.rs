//! The object `sweep_cell_end`.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::records::Record;

/// The end of the work of one process on a cell (`sweep run`, `sweep work`).
///
/// Episodes that end have objects of type `episode` before it.
#[derive(Serialize, JsonSchema)]
pub(crate) struct CellEndRecord<'a> {
    /// Name of the sweep.
    pub(super) sweep: &'a str,
    /// Name of the cell, also that of its session.
    pub(super) cell: &'a str,
    /// `done`, `failed`, `parked`, or `queued` if the run was stopped first.
    pub(super) state: &'static str,
    /// Why it failed or was parked.
    pub(super) reason: Option<ReasonRecord<'a>>,
    /// Settings that differ between cells, with the values of this one.
    pub(super) coordinates: Map<String, Value>,
    /// All episodes of the cell.
    pub(super) planned: usize,
    /// Episodes that are over, those of earlier runs included.
    pub(super) episodes: usize,
    /// Solved ones among them.
    pub(super) solved: usize,
    /// Mean of their known scores.
    pub(super) score: Option<f64>,
}

impl Record for CellEndRecord<'_> {
    const TYPE: &'static str = "sweep_cell_end";
}

/// Why a cell failed or was parked.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "reason")]
pub(crate) struct ReasonRecord<'a> {
    /// Class of failures.
    pub(super) class: &'a str,
    /// As a sentence.
    pub(super) text: &'a str,
}
