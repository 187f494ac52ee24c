//! What people see of an observation beside its parts: the frames of the decision before it, and a map of letters.

use std::sync::Arc;
use std::time::Duration;

use super::world::{PitchDrawing, PitchMap, View};
use super::{EngineAction, Football};
use mageyard_domain::{
    Action, ActionShape, DetailsError, Film, FittedText, Observation, ObservationDetails,
    ObservationInspector, RealTime, RewardTerms, ScoreRow, SharedDrawing,
};

/// The time of a frame.
const FRAME: Duration = Duration::from_millis(100);

/// Reads the film from the source of an observation.
#[derive(Debug)]
pub(super) struct Inspector;

impl ObservationInspector for Inspector {
    /// What each term of the reward has earned so far.
    fn inspect(&self, observation: &Observation) -> Result<ObservationDetails, DetailsError> {
        let terms = RewardTerms::up_to(&Football, observation);
        let row = |(name, earned): (&str, f64)| ScoreRow::new(name, format!("{earned:+.1}"));
        let score = terms.iter().flat_map(RewardTerms::iter).map(row).collect();
        Ok(ObservationDetails { score, ..ObservationDetails::default() })
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

    /// A recorded observation without the game has the places of its facts.
    fn drawing(&self, observation: &Observation) -> Option<SharedDrawing> {
        let view = observation.source::<View>().map(View::drawing);
        let facts = || PitchDrawing::of_facts(observation.facts()).map(SharedDrawing::new);
        view.or_else(facts)
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
