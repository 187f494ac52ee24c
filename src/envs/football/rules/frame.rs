//! A frame as the terms of the reward see it.

use super::ending::GameEnding;
use crate::{EngineAction, FrameState};

/// A frame and its place in the episode.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame<'a> {
    /// Its number, from 1.
    pub(super) number: u32,
    /// The action that the engine executed.
    pub(super) executed: EngineAction,
    /// The state after it.
    pub(super) after: &'a FrameState,
    /// Why the episode ends with it.
    pub(super) ending: Option<GameEnding>,
}

impl Frame<'_> {
    /// The ball on the pitch.
    pub(super) fn ball(&self) -> [f64; 2] {
        [self.after.ball[0], self.after.ball[1]]
    }

    /// How many opponents, the keeper included, have a smaller x than the ball.
    pub(super) fn passed(&self) -> u32 {
        let ball = self.after.ball[0];
        let passed = self.after.right.positions().iter().filter(|opponent| opponent[0] < ball);
        passed.map(|_| 1).sum()
    }
}
