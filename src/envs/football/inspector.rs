//! What people see of an observation beside its parts: the frames of the decision before it.

use std::sync::Arc;
use std::time::Duration;

use super::world::View;
use crate::domain::DetailsError;
use crate::domain::Film;
use crate::domain::Observation;
use crate::domain::ObservationDetails;
use crate::domain::ObservationInspector;

/// The time of a frame.
const FRAME: Duration = Duration::from_millis(100);

/// Reads the film from the source of an observation.
#[derive(Debug)]
pub(super) struct Inspector;

impl ObservationInspector for Inspector {
    fn inspect(&self, _observation: &Observation) -> Result<ObservationDetails, DetailsError> {
        Ok(ObservationDetails::default())
    }

    fn film(&self, observation: &Observation) -> Option<Film> {
        let pictures: Vec<_> = observation.source::<View>()?.film().into_iter().map(Arc::new).collect();
        (!pictures.is_empty()).then_some(Film { pictures, interval: FRAME })
    }
}
