//! What is observed: a state with what belongs to it, from which text, facts and frame are computed on demand.

use std::any::Any;
use std::sync::{Arc, OnceLock, Weak};

use serde_json::Value;

use super::drawing::PitchDrawing;
use super::film::Film;
use super::map::PitchMap;
use super::pitch_view::PitchView;
use super::play::Play;
use super::seen::Seen;
use super::settings::Engine;
use super::{facts, list, text};
use crate::picture::Shown;
use crate::{EngineAction, FrameState, picture};
use mageyard_domain::{ActionShape, FilmFrame, ObservationPart, ObservationSource, Picture, SharedDrawing};

/// The metres of the arrows of a run and of a pass.
const RUN: f64 = 8.0;
const PASS: f64 = 16.0;
/// The middle of the goal at which the agent shoots, in public units.
const OPPONENTS_GOAL: [f64; 2] = [1.0, 0.0];

/// A state as it is observed.
#[derive(Clone)]
pub(crate) struct View {
    /// What text and facts say.
    pub(super) seen: Seen,
    /// What the frame shows beside the state.
    pub(super) shown: Shown,
    /// The state that the frame shows: that of `seen`, except after a goal.
    pub(super) pictured: FrameState,
    /// The frames of the last decision.
    pub(super) film: Film,
    /// The game, for policies that try decisions; gone once the world has moved on.
    pub(super) play: Weak<Play>,
    pub(super) painter: Arc<LazyPainter>,
    /// The frame, where the real engine has drawn it.
    pub(super) drawn: Option<Arc<Picture>>,
}

/// A painter that is made when the first frame is painted: an episode without eyes needs none.
pub(super) struct LazyPainter {
    /// What the parts of observations are.
    shown: PitchView,
    view: picture::View,
    minimal: bool,
    made: OnceLock<Option<picture::Painter>>,
}

impl LazyPainter {
    pub(super) fn new(shown: PitchView, minimal: bool) -> Self {
        let view = match shown {
            // A list has no picture, and its films are those of the board.
            PitchView::Board | PitchView::List => picture::View::Board,
            // Films of the real engine: it draws the frames of observations only.
            PitchView::Broadcast | PitchView::Engine => picture::View::Broadcast,
        };
        Self { shown, view, minimal, made: OnceLock::new() }
    }

    /// The frame of a state, painted when its pixels are needed.
    fn picture(self: &Arc<Self>, state: &FrameState, shown: Shown) -> Option<Picture> {
        let [width, height] = self.view.size();
        let painter = self.clone();
        let state = *state;
        let frame = Picture::painted(width, height, 1, move |rgb: &mut [u8]| {
            let made = painter.made.get_or_init(|| picture::Painter::new(painter.view, painter.minimal));
            if let Some(made) = made {
                made.paint(&state, &shown, rgb);
            }
        });
        frame.map(|frame| frame.with_detail(picture::View::DETAIL))
    }
}

impl View {
    /// Which program plays.
    pub(crate) fn engine(&self) -> Engine {
        self.seen.engine
    }

    /// The game, if the world still stands where this was observed.
    pub(crate) fn play(&self) -> Option<Arc<Play>> {
        self.play.upgrade()
    }

    /// The map of what the frame shows.
    pub(crate) fn map(&self) -> PitchMap {
        PitchMap::of(&self.pictured)
    }

    /// What the frame shows in cells, with the way of the ball in the last decision.
    pub(crate) fn drawing(&self) -> SharedDrawing {
        let trail = self.film.states(&self.pictured).map(|state| [state.ball[0], state.ball[1]]);
        let title = format!("decision {}", self.seen.decision);
        SharedDrawing::new(PitchDrawing::of(&self.pictured, trail.collect()).titled(&title))
    }

    /// The state that the parts show, in words.
    pub(crate) fn list(&self) -> String {
        list::list(&self.pictured, &self.shown, self.painter.minimal)
    }

    /// The state that the parts show.
    pub(crate) fn pictured(&self) -> &FrameState {
        &self.pictured
    }

    /// The same moment with another state, which no game has.
    pub(crate) fn with_state(self, state: &FrameState) -> Self {
        let shown = Shown { receiver: None, ..self.shown };
        let seen = Seen { state: *state, is_drawn: false, ..self.seen };
        Self { seen, shown, pictured: *state, film: Film::default(), play: Weak::new(), drawn: None, ..self }
    }

    /// The pixel of a place so many metres from one in public units, if this program painted the picture.
    pub(crate) fn pixel(&self, place: [f64; 2], ahead: [f64; 2]) -> Option<(i64, i64)> {
        if self.drawn.is_some() || self.painter.shown == PitchView::List {
            return None;
        }
        let [x, y] = picture::pixel(self.painter.view, &self.shown, place, ahead)?;
        Some((whole(x), whole(y)))
    }

    /// What an action looks like on the frame: the direction of a run, a pass or a shot, otherwise its name beside the
    /// controlled player. The real engine does not say where its camera is.
    pub(crate) fn action_shape(&self, action: EngineAction) -> Option<ActionShape> {
        let state = &self.pictured;
        let player = *state.left.positions.get(state.active)?;
        let pixel = |place: [f64; 2], ahead: [f64; 2]| self.pixel(place, ahead);
        let arrow = |from: [f64; 2], way: [f64; 2], metres: f64| {
            let to = pixel(from, way.map(|part| part * metres))?;
            Some(ActionShape::Arrow { from: pixel(from, [0.0; 2])?, to })
        };
        if let Some(way) = action.direction() {
            return arrow(player, way, RUN);
        }
        let held = state.sticky.direction().and_then(EngineAction::direction);
        match held {
            Some(way) if action.is_pass() => arrow(player, way, PASS),
            _ if action == EngineAction::Shot => {
                let to = pixel(OPPONENTS_GOAL, [0.0; 2])?;
                Some(ActionShape::Arrow { from: pixel(player, [0.0; 2])?, to })
            }
            _ => {
                let name = action.name();
                let label = name.strip_prefix("action_").unwrap_or(name).replace('_', " ");
                Some(ActionShape::Point { at: pixel(player, [0.0; 2])?, label })
            }
        }
    }

    /// The frames of the last decision; the last one is that of the observation.
    pub(crate) fn film(&self) -> Vec<FilmFrame> {
        let mut focus = self.film.focus().unwrap_or(self.shown.focus);
        let decision = self.seen.decision.saturating_sub(1);
        let mut trail = Vec::new();
        let frame = |state: FrameState| {
            focus = focus.after(&state);
            let receiver = (self.film.is_pass() && state.owner.is_none()).then_some(state.active);
            let scorer = self.shown.scorer.filter(|_| state.score == self.pictured.score);
            let shown = Shown { decision, receiver, scorer, focus, ..self.shown };
            let picture = Arc::new(self.painter.picture(&state, shown)?);
            trail.push([state.ball[0], state.ball[1]]);
            let drawing = PitchDrawing::of(&state, trail.clone()).titled(&format!("decision {decision}"));
            let drawing = Some(SharedDrawing::new(drawing));
            Some(FilmFrame { picture, text: Arc::new(PitchMap::of(&state)), drawing })
        };
        let mut frames: Vec<FilmFrame> = self.film.states(&self.pictured).filter_map(frame).collect();
        if let (Some(last), Some(drawn)) = (frames.last_mut(), &self.drawn) {
            last.picture = drawn.clone();
        }
        frames
    }
}

impl ObservationSource for View {
    fn parts(&self) -> Vec<ObservationPart> {
        if self.painter.shown == PitchView::List {
            return vec![ObservationPart::Text(self.list().into())];
        }
        let painted = || self.painter.picture(&self.pictured, self.shown).map(Arc::new);
        let picture = self.drawn.clone().or_else(painted);
        picture.map(ObservationPart::Image).into_iter().collect()
    }

    fn text(&self) -> String {
        text::text(&self.seen)
    }

    fn facts(&self) -> Value {
        facts::facts(&self.seen)
    }

    fn as_any(&self) -> Option<&dyn Any> {
        Some(self)
    }
}

/// The pixel that contains a place.
#[expect(clippy::cast_possible_truncation, reason = "a conversion to an integer saturates")]
fn whole(pixel: f64) -> i64 {
    pixel.floor() as i64
}
