//! What people see of an observation beside its parts: the frames of the decision before it, and a map of letters.

use std::sync::Arc;
use std::time::Duration;

use super::EngineAction;
use super::world::{PitchMap, View};
use mageyard_domain::{
    Action, ActionShape, DetailsError, Film, FittedText, Observation, ObservationDetails,
    ObservationInspector, RealTime,
};

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
        let frames = observation.source::<View>()?.film();
        (!frames.is_empty()).then_some(Film { frames, interval: FRAME })
    }

    /// A recorded observation without the game has the map of its facts.
    fn fitted_text(&self, observation: &Observation) -> Option<Arc<dyn FittedText>> {
        let view = observation.source::<View>().map(View::map);
        let map = view.or_else(|| PitchMap::of_facts(observation.facts()))?;
        Some(Arc::new(map))
    }

    fn action_shapes(&self, observation: &Observation, action: &Action) -> Vec<ActionShape> {
        let action = EngineAction::named(&action.name);
        let shape = || observation.source::<View>()?.action_shape(action?);
        shape().into_iter().collect()
    }

    fn real_time(&self) -> Option<RealTime> {
        let settings = "football.actions = \"default\" and football.skip = \"off\"";
        Some(RealTime { interval: FRAME, idle: "action_idle", settings })
    }
}
