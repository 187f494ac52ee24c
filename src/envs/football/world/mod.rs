//! The episode as a world: one step is one decision, which may take many frames (`MageBench`, section 3.3). Only the last
//! frame is observed; the others are a film for people.

mod actions;
mod drawing;
mod facts;
mod film;
mod goal;
mod list;
mod map;
mod note;
mod pitch_view;
mod play;
mod presenter;
mod recorded;
mod seen;
mod settings;
#[cfg(test)]
mod tests;
mod text;
mod view;
#[cfg(test)]
pub(super) mod view_tests;

use std::sync::Arc;

pub(super) use self::actions::space;
pub(super) use self::drawing::PitchDrawing;
pub(super) use self::facts::engine_facts as state_facts;
pub(super) use self::map::PitchMap;
pub(super) use self::note::note;
pub(super) use self::pitch_view::{PitchView, VIEWS};
pub(super) use self::play::Play;
pub(super) use self::presenter::{Presenter, status};
pub(super) use self::recorded::{show, view_of};
pub(super) use self::settings::{ACTIONS, ActionSet, Engine, FULL, LOCAL_SETTINGS, Settings};
pub(super) use self::view::View;

use super::{EngineAction, Scene};
use mageyard_domain::{Action, ActionSpace, EnvironmentError, Observation, Status, World};

/// A scene that is played by the simulator.
#[derive(Clone)]
pub(super) struct FootballWorld {
    play: Arc<Play>,
    presenter: Presenter,
    space: ActionSpace,
}

impl FootballWorld {
    /// The start of a scene.
    pub(super) fn new(scene: &Scene, settings: &Settings, seed: u64) -> Self {
        let play = Play::new(scene, seed, (settings.reward, settings.skip));
        let presenter = Presenter::new(&scene.name, play.state(), settings, None);
        Self { play: Arc::new(play), presenter, space: space(settings.actions) }
    }
}

impl World for FootballWorld {
    fn space(&self) -> ActionSpace {
        self.space.clone()
    }

    fn observe(&mut self) -> Observation {
        self.presenter.observe(self.play.umpire(), Arc::downgrade(&self.play), None)
    }

    fn status(&self) -> Status {
        status(self.play.ending())
    }

    fn step(&mut self, action: &Action) -> Result<(f64, Option<String>), EnvironmentError> {
        self.space.check(action)?;
        let action = engine_action(action)?;
        let mut film = self.presenter.film(self.play.state());
        let play = Arc::make_mut(&mut self.play);
        let decided = play.decide(action, |state| film.frame(state));
        self.presenter.decided(action, play.umpire(), film);
        Ok((decided.reward(), Some(note(&decided, play.ending()))))
    }
}

/// The engine's action of an allowed one.
pub(super) fn engine_action(action: &Action) -> Result<EngineAction, EnvironmentError> {
    let known = EngineAction::named(&action.name);
    known.ok_or_else(|| EnvironmentError::Failed("the action has no code".into()))
}
