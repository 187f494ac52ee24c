//! One episode of a baseline.

use super::Baseline;
use crate::envs::football::Ending;
use crate::envs::football::EngineAction;
use crate::envs::football::FRAME_LIMIT;
use crate::envs::football::FrameState;
use crate::envs::football::RewardRules;
use crate::envs::football::Rewards;
use crate::envs::football::Skipping;
use crate::envs::football::random::Random;
use crate::envs::football::sim::Game;

/// A game that runs frame by frame.
pub trait Engine {
    /// Plays a frame with this action of the controlled player.
    fn frame(&mut self, action: EngineAction);

    /// The game after the last frame.
    fn state(&self) -> FrameState;
}

impl Engine for Game {
    fn frame(&mut self, action: EngineAction) {
        Self::frame(self, action);
    }

    fn state(&self) -> FrameState {
        Self::state(self)
    }
}

/// How an episode went.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Episode {
    /// The six terms of the reward, summed over the frames.
    pub terms: [f64; 6],
    /// How many frames were played.
    pub frames: u32,
    /// How many decisions were taken.
    pub decisions: u32,
    /// Why it ended.
    pub ending: Ending,
}

impl Episode {
    /// The sum of the rewards.
    pub fn reward(&self) -> f64 {
        self.terms.iter().sum()
    }
}

/// Plays an episode by the rules of the released code. `watch` is called with each action that the engine executed and
/// the state after it.
pub fn play(
    game: &mut impl Engine,
    baseline: Baseline,
    seed: u64,
    mut watch: impl FnMut(EngineAction, &FrameState),
) -> Episode {
    let (mut rewards, mut skipping) = (Rewards::new(RewardRules::Coded), Skipping::new(baseline.skipping()));
    let mut random = Random::new(seed);
    let mut state = game.state();
    let mut episode = Episode { terms: [0.0; 6], frames: 0, decisions: 0, ending: Ending::Limit };
    while episode.frames < FRAME_LIMIT {
        skipping.decide(baseline.choose(episode.decisions, &mut random), &state);
        episode.decisions += 1;
        while let Ok(action) = skipping.next(&state, false) {
            game.frame(action);
            state = game.state();
            watch(action, &state);
            let reward = rewards.frame(action, &state);
            episode.frames += 1;
            for (sum, term) in episode.terms.iter_mut().zip(reward.terms) {
                *sum += term;
            }
            if let Some(ending) = reward.ending {
                return Episode { ending, ..episode };
            }
        }
    }
    episode
}
