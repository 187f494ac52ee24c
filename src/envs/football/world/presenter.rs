//! What is observed of an episode beside its state: the number of the decision, what the terms earned so far, the camera,
//! and the film of the last decision. It does not know who plays the frames.

use std::sync::{Arc, Weak};

use super::film::{Film, PackedFrame};
use super::goal;
use super::play::Play;
use super::seen::Seen;
use super::settings::Settings;
use super::view::{LazyPainter, View};
use crate::picture::{Focus, Shown};
use crate::{EngineAction, FRAME_LIMIT, FrameState, GameEnding, Team, Umpire};
use mageyard_domain::{Observation, ObservationBuffer, Picture, Status};

/// An episode as it is observed.
#[derive(Clone)]
pub(crate) struct Presenter {
    decision: u32,
    terms: [f64; 6],
    shown: Shown,
    /// The state that the frame shows: that of the game, except after a goal.
    pictured: FrameState,
    film: Film,
    /// Whether the last decision was a pass that no player has yet.
    passing: bool,
    /// The frame of this state, where the real engine has drawn it.
    drawn: Option<Arc<Picture>>,
    observations: ObservationBuffer<View>,
}

/// The film of a decision while it is played.
pub(crate) struct Filming {
    frames: Vec<PackedFrame>,
    /// The game after the last frame.
    state: FrameState,
    pictured: FrameState,
    scorer: Option<Team>,
    focus: Focus,
}

impl Filming {
    /// Adds a frame: the state after it.
    pub(crate) fn frame(&mut self, state: &FrameState) {
        self.pictured = goal::shown(&self.state, state);
        self.scorer = goal::scorer(&self.state, state);
        self.state = *state;
        self.focus = self.focus.after(&self.pictured);
        self.frames.push(PackedFrame::of(&self.pictured));
    }
}

impl Presenter {
    /// The start of a scene with this name. `version` names the engine's version, where it has one of its own.
    pub(crate) fn new(scene: &str, first: &FrameState, settings: &Settings, version: Option<&str>) -> Self {
        let shown = Shown::first(first, FRAME_LIMIT);
        let opening = Seen {
            engine: settings.engine,
            version: version.map(Into::into),
            scene: scene.into(),
            state: *first,
            decision: 1,
            frames: 0,
            ending: None,
            terms: [0.0; 6],
            remark: None,
            is_drawn: false,
        };
        let view = View {
            seen: opening,
            shown,
            pictured: *first,
            film: Film::default(),
            play: Weak::new(),
            painter: Arc::new(LazyPainter::new(settings.view, settings.minimal)),
            drawn: None,
        };
        Self {
            decision: 1,
            terms: [0.0; 6],
            shown,
            pictured: *first,
            film: Film::default(),
            passing: false,
            drawn: None,
            observations: ObservationBuffer::new(view),
        }
    }

    /// Begins the film of the next decision, in this state.
    pub(crate) fn film(&self, state: &FrameState) -> Filming {
        let Shown { scorer, focus, .. } = self.shown;
        Filming { frames: Vec::new(), state: *state, pictured: self.pictured, scorer, focus }
    }

    /// A decision was played to its end.
    pub(crate) fn decided(&mut self, action: EngineAction, umpire: &Umpire, film: Filming) {
        let decided = umpire.decided();
        let state = umpire.state();
        self.pictured = film.pictured;
        self.drawn = None;
        if decided.frames > 0 {
            self.decision += 1;
            self.film = Film::new(film.frames, self.shown.focus, action.is_pass());
            for (sum, term) in self.terms.iter_mut().zip(decided.terms) {
                *sum += term;
            }
        }
        self.passing = (self.passing || action.is_pass()) && state.owner.is_none();
        let receiver = self.passing.then_some(state.active);
        self.shown =
            Shown { decision: self.decision, receiver, focus: film.focus, scorer: film.scorer, ..self.shown };
    }

    /// The real engine has drawn this state.
    pub(crate) fn drawn(&mut self, frame: Picture) {
        self.drawn = Some(Arc::new(frame));
    }

    /// What the frame shows beside the state.
    #[cfg(test)]
    pub(super) fn shown(&self) -> &Shown {
        &self.shown
    }

    /// The observation now. `play` is the game, where policies can try decisions on clones of it.
    pub(crate) fn observe(
        &mut self,
        umpire: &Umpire,
        play: Weak<Play>,
        remark: Option<&Arc<str>>,
    ) -> Observation {
        let Self { decision, terms, shown, pictured, film, drawn, observations, .. } = self;
        observations.update(|view| {
            let seen = &mut view.seen;
            seen.state = *umpire.state();
            (seen.frames, seen.ending) = (umpire.frames(), umpire.ending());
            (seen.decision, seen.terms) = (*decision, *terms);
            (seen.remark, seen.is_drawn) = (remark.cloned(), drawn.is_some());
            (view.shown, view.pictured, view.film) = (*shown, *pictured, film.clone());
            (view.play, view.drawn) = (play, drawn.clone());
        })
    }
}

/// The status of an episode that has ended so, or goes on.
pub(crate) fn status(ending: Option<GameEnding>) -> Status {
    match ending {
        None => Status::Running,
        Some(GameEnding::Goal) => Status::Won,
        Some(GameEnding::Conceded | GameEnding::Possession | GameEnding::Out(_)) => Status::Lost,
        Some(GameEnding::Limit) => Status::TimeUp,
    }
}
