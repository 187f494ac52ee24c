//! What is observed: a state with what belongs to it, from which text, facts and frame are computed on demand.

use std::any::Any;
use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::Weak;

use serde_json::Value;

use super::facts;
use super::film::Film;
use super::map;
use super::play::Play;
use super::seen::Seen;
use super::settings::PictureView;
use super::settings::Settings;
use super::text;
use crate::domain::FilmFrame;
use crate::domain::ObservationPart;
use crate::domain::ObservationSource;
use crate::domain::Picture;
use crate::envs::football::FrameState;
use crate::envs::football::picture;
use crate::envs::football::picture::Shown;

/// A state as it is observed.
#[derive(Clone)]
pub(in crate::envs::football) struct View {
    /// What text and facts say.
    pub(super) seen: Seen,
    /// What the frame shows beside the state.
    pub(super) shown: Shown,
    /// The frames of the last decision.
    pub(super) film: Film,
    /// The game, for policies that try decisions; gone once the world has moved on.
    pub(super) play: Weak<Play>,
    pub(super) painter: Arc<LazyPainter>,
}

/// A painter that is made when the first frame is painted: an episode without eyes needs none.
pub(super) struct LazyPainter {
    view: picture::View,
    minimal: bool,
    made: OnceLock<Option<picture::Painter>>,
}

impl LazyPainter {
    pub(super) fn new(settings: Settings) -> Self {
        let view = match settings.picture {
            PictureView::Board => picture::View::Board,
            PictureView::Broadcast => picture::View::Broadcast,
        };
        Self { view, minimal: settings.minimal, made: OnceLock::new() }
    }

    /// The frame of a state, painted when its pixels are needed.
    fn picture(self: &Arc<Self>, state: &FrameState, shown: Shown) -> Option<Picture> {
        let ([width, height], painter, state) = (self.view.size(), self.clone(), *state);
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
    /// The game, if the world still stands where this was observed.
    pub(in crate::envs::football) fn play(&self) -> Option<Arc<Play>> {
        self.play.upgrade()
    }

    /// The frames of the last decision; the last one is that of the observation.
    pub(in crate::envs::football) fn film(&self) -> Vec<FilmFrame> {
        let mut focus = self.film.focus().unwrap_or(self.shown.focus);
        let decision = self.seen.decision.saturating_sub(1);
        let frame = |state: FrameState| {
            focus = focus.after(&state);
            let receiver = (self.film.is_pass() && state.owner.is_none()).then_some(state.active);
            let shown = Shown { decision, receiver, focus, ..self.shown };
            let picture = self.painter.picture(&state, shown)?;
            Some(FilmFrame { picture: Arc::new(picture), text: map::map(&state).into() })
        };
        self.film.states(&self.seen.state).filter_map(frame).collect()
    }
}

impl ObservationSource for View {
    fn parts(&self) -> Vec<ObservationPart> {
        let picture = self.painter.picture(&self.seen.state, self.shown);
        picture.map(|picture| ObservationPart::Image(Arc::new(picture))).into_iter().collect()
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
