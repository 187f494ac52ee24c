//! A game with the rules above it: what one decision does. It is plain data, so that a policy can try decisions on clones.

use crate::envs::football::Ending;
use crate::envs::football::EngineAction;
use crate::envs::football::FrameState;
use crate::envs::football::RewardRules;
use crate::envs::football::Rewards;
use crate::envs::football::Scene;
use crate::envs::football::SkipRules;
use crate::envs::football::Skipping;
use crate::envs::football::Stop;
use crate::envs::football::sim::DIFFICULTY;
use crate::envs::football::sim::Game;
use crate::envs::football::sim::Setup;

/// An episode as it stands.
#[derive(Clone)]
pub(in crate::envs::football) struct Play {
    game: Game,
    rewards: Rewards,
    skipping: Skipping,
    state: FrameState,
    ending: Option<Ending>,
}

/// What a decision did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::envs::football) struct Decided {
    /// The frames that it took, 0 if the episode was over before.
    pub(in crate::envs::football) frames: u32,
    /// Why it ended.
    pub(in crate::envs::football) stop: Stop,
    /// The six terms of its reward, over its frames.
    pub(in crate::envs::football) terms: [f64; 6],
}

impl Decided {
    /// Its reward.
    pub(in crate::envs::football) fn reward(&self) -> f64 {
        self.terms.iter().sum()
    }
}

impl Play {
    /// The start of a scene.
    pub(in crate::envs::football) fn new(scene: &Scene, seed: u64, rules: (RewardRules, SkipRules)) -> Self {
        let game = Game::new(scene, Setup { seed, difficulty: DIFFICULTY });
        let (rewards, skipping) = (Rewards::new(rules.0), Skipping::new(rules.1));
        Self { state: game.state(), game, rewards, skipping, ending: None }
    }

    /// The state after the last frame.
    pub(in crate::envs::football) fn state(&self) -> &FrameState {
        &self.state
    }

    /// Why the episode is over, if it is.
    pub(in crate::envs::football) fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// The frames played.
    pub(in crate::envs::football) fn frames(&self) -> u32 {
        self.rewards.frames()
    }

    /// Plays a decision to its end. `watch` sees the state after each of its frames.
    pub(in crate::envs::football) fn decide(
        &mut self,
        action: EngineAction,
        mut watch: impl FnMut(&FrameState),
    ) -> Decided {
        let mut decided = Decided { frames: 0, stop: Stop::Over, terms: [0.0; 6] };
        if self.ending.is_some() {
            return decided;
        }
        self.skipping.decide(action, &self.state);
        loop {
            let executed = match self.skipping.next(&self.state, self.ending.is_some()) {
                Ok(executed) => executed,
                Err(stop) => return Decided { stop, ..decided },
            };
            self.game.frame(executed);
            self.state = self.game.state();
            let earned = self.rewards.frame(executed, &self.state);
            self.ending = earned.ending;
            decided.frames += 1;
            decided.terms.iter_mut().zip(earned.terms).for_each(|(sum, term)| *sum += term);
            watch(&self.state);
        }
    }
}
