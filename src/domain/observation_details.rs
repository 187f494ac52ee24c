//! What an environment shows people of an observation beside its parts. Agents never see it.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;

use super::{Action, ActionShape, FittedText, Observation, Picture, ScoreRow, SharedDrawing, ViewPage};

/// Details of an observation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ObservationDetails {
    /// Its pages with their views, in order.
    pub pages: Vec<ViewPage>,
    /// Where its score comes from.
    pub score: Vec<ScoreRow>,
    /// The text that each code parameter of an action would replace, by the name of the parameter.
    pub code: BTreeMap<String, Arc<str>>,
    /// What the numbers of a parameter are in this state, by the name of the parameter, in order: such as the elements of a
    /// page. The texts may be those of a page, so they are untrusted.
    pub numbers: BTreeMap<String, Arc<[(i64, String)]>>,
}

/// What happened between two observations, frame by frame.
#[derive(Clone, Debug)]
pub struct Film {
    /// The frames in order.
    pub frames: Vec<FilmFrame>,
    /// How long each is shown in real time.
    pub interval: Duration,
}

/// A frame of a film.
#[derive(Clone, Debug)]
pub struct FilmFrame {
    /// The picture, which is painted when its pixels are needed.
    pub picture: Arc<Picture>,
    /// The frame as text, for terminals without pictures.
    pub text: Arc<dyn FittedText>,
    /// The frame in cells, if it can be drawn so.
    pub drawing: Option<SharedDrawing>,
}

/// How a person plays in real time: an action every interval, whether a key was pressed or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RealTime {
    /// The time of an action.
    pub interval: Duration,
    /// The action while no key is pressed.
    pub idle: &'static str,
    /// The settings that allow it, for a notice.
    pub settings: &'static str,
}

/// Why there are no details.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the details of this observation cannot be shown: {0}")]
pub struct DetailsError(pub String);

/// Reads the details of observations. It may load blobs, so viewers call it once per observation and outside of
/// drawing.
pub trait ObservationInspector: fmt::Debug + Send + Sync {
    /// The details of this observation; empty ones if it has none.
    fn inspect(&self, observation: &Observation) -> Result<ObservationDetails, DetailsError>;
    /// The frames between the observation before and this one, if the step took several. The last one is this
    /// observation. A single frame is no film.
    fn film(&self, observation: &Observation) -> Option<Film> {
        let _ = observation;
        None
    }
    /// What the text of the observation begins with, up to its first empty line, where viewers can draw it in the size of
    /// a pane.
    fn fitted_text(&self, observation: &Observation) -> Option<Arc<dyn FittedText>> {
        let _ = observation;
        None
    }
    /// The observation in cells, for terminals without pixels. A page of the details may have one of its own, which is
    /// shown instead.
    fn drawing(&self, observation: &Observation) -> Option<SharedDrawing> {
        let _ = observation;
        None
    }
    /// What to draw of an action on the picture of the observation at which it was chosen; nothing if it has no place.
    fn action_shapes(&self, observation: &Observation, action: &Action) -> Vec<ActionShape> {
        let _ = (observation, action);
        Vec::new()
    }
    /// The action that a person answers with by a click at a pixel of the first picture, where an answer is a place.
    fn action_at(&self, observation: &Observation, at: (u32, u32)) -> Option<Action> {
        let _ = (observation, at);
        None
    }
    /// How a person plays in real time, where the environment has a clock.
    fn real_time(&self) -> Option<RealTime> {
        None
    }
}
