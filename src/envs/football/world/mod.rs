//! The episode as a world: one step is one decision, which may take many frames (`MageBench`, section 3.3). Only the last
//! frame is observed; the others are a film for people.

mod actions;
mod facts;
mod film;
mod map;
mod note;
mod play;
mod seen;
mod settings;
#[cfg(test)]
mod tests;
mod text;
mod view;

use std::sync::Arc;
use std::sync::Weak;

pub(super) use self::actions::space;
pub(super) use self::play::Decided;
pub(super) use self::play::Play;
pub(super) use self::settings::ACTIONS;
pub(super) use self::settings::ActionSet;
pub(super) use self::settings::FULL;
pub(super) use self::settings::PictureView;
pub(super) use self::settings::Settings;
pub(super) use self::view::View;

use self::film::Film;
use self::film::PackedFrame;
use self::seen::Seen;
use self::settings::Engine;
use self::view::LazyPainter;
use super::Ending;
use super::EngineAction;
use super::FRAME_LIMIT;
use super::picture::Shown;
use super::scene;
use crate::domain::Action;
use crate::domain::ActionSpace;
use crate::domain::EnvironmentError;
use crate::domain::Level;
use crate::domain::Observation;
use crate::domain::ObservationBuffer;
use crate::domain::OptionError;
use crate::domain::Options;
use crate::domain::Status;
use crate::domain::World;

/// A scene that is played.
#[derive(Clone)]
pub(super) struct FootballWorld {
    play: Arc<Play>,
    /// What is observed now, beside the game.
    decision: u32,
    terms: [f64; 6],
    shown: Shown,
    film: Film,
    /// Whether the last decision was a pass that no player has yet.
    passing: bool,
    observations: ObservationBuffer<View>,
    space: ActionSpace,
}

impl FootballWorld {
    /// Opens a level. An error names the setting that is wrong, or `level` for a text that is not a scene.
    pub(super) fn new(level: &Level, options: &Options, seed: u64) -> Result<Self, OptionError> {
        let settings = Settings::read(options)?;
        if settings.engine == Engine::Grf {
            let why = "grf: this program has no bridge to the real engine; only lite can be played";
            return Err(OptionError { name: "engine".into(), why: why.into() });
        }
        let scene = scene::read_one(level.text())
            .map_err(|error| OptionError { name: "level".into(), why: error.to_string() })?;
        let play = Play::new(&scene, seed, (settings.reward, settings.skip));
        let shown = Shown::first(play.state(), FRAME_LIMIT);
        let opening = Seen {
            scene: scene.name.into(),
            state: *play.state(),
            decision: 1,
            frames: 0,
            ending: None,
            terms: [0.0; 6],
        };
        let view = View {
            seen: opening,
            shown,
            film: Film::default(),
            play: Weak::new(),
            painter: Arc::new(LazyPainter::new(settings)),
        };
        Ok(Self {
            play: Arc::new(play),
            decision: 1,
            terms: [0.0; 6],
            shown,
            film: Film::default(),
            passing: false,
            observations: ObservationBuffer::new(view),
            space: space(settings.actions),
        })
    }

    fn decide(&mut self, action: EngineAction) -> Decided {
        let (mut film, mut focus) = (Vec::new(), self.shown.focus);
        let decided = Arc::make_mut(&mut self.play).decide(action, |state| {
            focus = focus.after(state);
            film.push(PackedFrame::of(state));
        });
        if decided.frames > 0 {
            self.decision += 1;
            self.film = Film::new(film, self.shown.focus, action.is_pass());
            self.terms.iter_mut().zip(decided.terms).for_each(|(sum, term)| *sum += term);
        }
        let state = self.play.state();
        self.passing = (self.passing || action.is_pass()) && state.owner.is_none();
        let receiver = self.passing.then_some(state.active);
        self.shown = Shown { decision: self.decision, receiver, focus, ..self.shown };
        decided
    }
}

impl World for FootballWorld {
    fn space(&self) -> ActionSpace {
        self.space.clone()
    }

    fn observe(&mut self) -> Observation {
        let Self { play, decision, terms, shown, film, .. } = self;
        self.observations.update(|view| {
            let seen = &mut view.seen;
            seen.state = *play.state();
            (seen.frames, seen.ending) = (play.frames(), play.ending());
            (seen.decision, seen.terms) = (*decision, *terms);
            (view.shown, view.film) = (*shown, film.clone());
            view.play = Arc::downgrade(play);
        })
    }

    fn status(&self) -> Status {
        match self.play.ending() {
            None => Status::Running,
            Some(Ending::Goal) => Status::Won,
            Some(Ending::Conceded | Ending::Possession | Ending::Out(_)) => Status::Lost,
            Some(Ending::Limit) => Status::TimeUp,
        }
    }

    fn step(&mut self, action: &Action) -> Result<(f64, Option<String>), EnvironmentError> {
        self.space.check(action)?;
        let known = EngineAction::named(&action.name);
        let known = known.ok_or_else(|| EnvironmentError::Failed("the action has no code".into()))?;
        let decided = self.decide(known);
        Ok((decided.reward(), Some(note::note(&decided, self.play.ending()))))
    }
}
