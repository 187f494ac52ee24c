//! What people see of a table beside its frame: a drawing in cells.

use super::drawing::TableDrawing;
use super::oracle;
use mageyard_domain::{DetailsError, Observation, ObservationDetails, ObservationInspector, SharedDrawing};

/// Draws the table of the facts of an observation.
#[derive(Debug)]
pub(super) struct Inspector;

impl ObservationInspector for Inspector {
    fn inspect(&self, _: &Observation) -> Result<ObservationDetails, DetailsError> {
        Ok(ObservationDetails::default())
    }

    fn drawing(&self, observation: &Observation) -> Option<SharedDrawing> {
        let table = oracle::table_from_facts(observation).ok()?;
        Some(SharedDrawing::new(TableDrawing(table)))
    }
}
