//! Who plays the episodes of a table: the simulator, or processes of the real engine, one for each thread.

use std::sync::{Mutex, PoisonError};

use super::exit::Failure;
use super::game;
use mageyard_domain::{EnvironmentSpec, Options};
use mageyard_football::grf::{EngineFailure, RealGame};
use mageyard_football::{Football, Program, Scene, real_engine};
use mageyard_football_validation::baseline::{Baseline, Episode, play};

/// An engine of football.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Engine {
    /// The built-in simulator
    Lite,
    /// Google Research Football, if it is installed
    Grf,
}

impl Engine {
    /// The value of the setting.
    pub(super) fn value(self) -> &'static str {
        match self {
            Self::Lite => "lite",
            Self::Grf => "grf",
        }
    }
}

/// The settings of this engine, whose interpreter may be named.
pub(super) fn football_options(engine: Engine, python: Option<&str>) -> Options {
    let mut options = Options::from([("engine".to_owned(), engine.value().into())]);
    options.extend(python.map(|python| ("python".to_owned(), python.into())));
    options
}

/// The players of one table.
pub(super) struct Players {
    /// The name of the engine, as every result has it.
    pub(super) engine: &'static str,
    program: Option<Program>,
    idle: Mutex<Vec<RealGame>>,
    failure: Mutex<Option<EngineFailure>>,
}

impl Players {
    /// The players that these settings choose.
    pub(super) fn new(options: &Options) -> Result<Self, Failure> {
        let program = real_engine(options)?;
        let engines = Football.capabilities().engines;
        let engine = engines.and_then(|engines| (engines.chosen)(options)).unwrap_or(super::ENGINE);
        Ok(Self { engine, program, idle: Mutex::default(), failure: Mutex::default() })
    }

    /// An episode; `None` after a failure of the real engine.
    pub(super) fn play(&self, scene: &Scene, baseline: Baseline, seed: u64) -> Option<Episode> {
        let Some(program) = &self.program else {
            let Ok(episode) = play(&mut game(scene, seed), baseline, seed, |_, _| {});
            return Some(episode);
        };
        if locked(&self.failure).is_some() {
            return None;
        }
        match self.play_really(program, scene, baseline, seed) {
            Ok(episode) => Some(episode),
            Err(failure) => {
                locked(&self.failure).get_or_insert(failure);
                None
            }
        }
    }

    fn play_really(
        &self,
        program: &Program,
        scene: &Scene,
        baseline: Baseline,
        seed: u64,
    ) -> Result<Episode, EngineFailure> {
        let idle = locked(&self.idle).pop();
        let mut game = match idle {
            Some(mut game) => game.load(scene, seed).map(|()| game)?,
            None => RealGame::start(program, scene, seed)?,
        };
        let episode = play(&mut game, baseline, seed, |_, _| {})?;
        locked(&self.idle).push(game);
        Ok(episode)
    }

    /// The failure of the real engine, if it has failed.
    pub(super) fn finish(self) -> Result<(), EngineFailure> {
        let failure = self.failure.into_inner().unwrap_or_else(PoisonError::into_inner);
        failure.map_or(Ok(()), Err)
    }
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
