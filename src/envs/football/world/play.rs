//! A game of the simulator with the rules above it: what one decision does. It is plain data, so that a policy can try
//! decisions on clones.

use std::convert::Infallible;

use crate::envs::football::Decided;
use crate::envs::football::Ending;
use crate::envs::football::EngineAction;
use crate::envs::football::FrameState;
use crate::envs::football::RewardRules;
use crate::envs::football::Scene;
use crate::envs::football::SkipRules;
use crate::envs::football::Umpire;
use crate::envs::football::sim::DIFFICULTY;
use crate::envs::football::sim::Game;
use crate::envs::football::sim::Setup;

/// An episode as it stands.
#[derive(Clone)]
pub(in crate::envs::football) struct Play {
    game: Game,
    umpire: Umpire,
}

impl Play {
    /// The start of a scene.
    pub(in crate::envs::football) fn new(scene: &Scene, seed: u64, rules: (RewardRules, SkipRules)) -> Self {
        let game = Game::new(scene, Setup { seed, difficulty: DIFFICULTY });
        Self { umpire: Umpire::new(game.state(), rules), game }
    }

    /// What the rules say of it.
    pub(in crate::envs::football) fn umpire(&self) -> &Umpire {
        &self.umpire
    }

    /// The state after the last frame.
    pub(in crate::envs::football) fn state(&self) -> &FrameState {
        self.umpire.state()
    }

    /// Why the episode is over, if it is.
    pub(in crate::envs::football) fn ending(&self) -> Option<Ending> {
        self.umpire.ending()
    }

    /// The frames played.
    pub(in crate::envs::football) fn frames(&self) -> u32 {
        self.umpire.frames()
    }

    /// Plays a decision to its end. `watch` sees the state after each of its frames.
    pub(in crate::envs::football) fn decide(
        &mut self,
        action: EngineAction,
        mut watch: impl FnMut(&FrameState),
    ) -> Decided {
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
