//! What plays frames: the simulator, or a process of the real engine.

use std::convert::Infallible;

use super::sim::Game;
use super::{EngineAction, FrameState};

/// A game that runs frame by frame.
pub trait GameEngine {
    /// Why a frame cannot be played.
    type Failure;

    /// The game after the last frame.
    fn state(&self) -> FrameState;

    /// Plays a frame with this action of the controlled player, and returns the state after it.
    ///
    /// # Errors
    ///
    /// What is wrong with the engine. A simulator has no errors.
    fn frame(&mut self, action: EngineAction) -> Result<FrameState, Self::Failure>;
}

impl GameEngine for Game {
    type Failure = Infallible;

    fn state(&self) -> FrameState {
        Self::state(self)
    }

    fn frame(&mut self, action: EngineAction) -> Result<FrameState, Infallible> {
        Self::frame(self, action);
        Ok(Self::state(self))
    }
}
