//! A game of the simulator with the rules above it: what one decision does. It is plain data, so that a policy can try
//! decisions on clones.

use std::convert::Infallible;

use crate::sim::{DIFFICULTY, Game, Setup};
use crate::{Decided, EngineAction, FrameState, GameEnding, RewardRules, Scene, SkipRules, Umpire};

/// An episode as it stands.
#[derive(Clone)]
pub(crate) struct Play {
    game: Game,
    umpire: Umpire,
}

impl Play {
    /// The start of a scene.
    pub(crate) fn new(scene: &Scene, seed: u64, rules: (RewardRules, SkipRules)) -> Self {
        let game = Game::new(scene, Setup { seed, difficulty: DIFFICULTY });
        Self { umpire: Umpire::new(game.state(), rules), game }
    }

    /// What the rules say of it.
    pub(crate) fn umpire(&self) -> &Umpire {
        &self.umpire
    }

    /// The state after the last frame.
    pub(crate) fn state(&self) -> &FrameState {
        self.umpire.state()
    }

    /// Why the episode is over, if it is.
    pub(crate) fn ending(&self) -> Option<GameEnding> {
        self.umpire.ending()
    }

    /// The frames played.
    pub(crate) fn frames(&self) -> u32 {
        self.umpire.frames()
    }

    /// Plays a decision to its end. `watch` sees the state after each of its frames.
    pub(crate) fn decide(&mut self, action: EngineAction, mut watch: impl FnMut(&FrameState)) -> Decided {
        let Self { game, umpire } = self;
        let frame = |executed| {
            game.frame(executed);
            let after = game.state();
            watch(&after);
            Ok::<_, Infallible>(after)
        };
        let Ok(decided) = umpire.decide(action, frame);
        decided
    }
}
