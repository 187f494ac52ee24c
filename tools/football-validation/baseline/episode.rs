//! One episode of a baseline.

use super::Baseline;
use mageyard_football::{EngineAction, FrameState, GameEnding, GameEngine, Random, RewardRules, Umpire};

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
    pub ending: GameEnding,
}

impl Episode {
    /// The sum of the rewards.
    pub fn reward(&self) -> f64 {
        self.terms.iter().sum()
    }
}

/// Plays an episode by the rules of the released code. `watch` is called with each action that the engine executed and
/// the state after it.
///
/// # Errors
///
/// Those of the engine.
pub fn play<E: GameEngine>(
    game: &mut E,
    baseline: Baseline,
    seed: u64,
    mut watch: impl FnMut(EngineAction, &FrameState),
) -> Result<Episode, E::Failure> {
    let mut umpire = Umpire::new(game.state(), (RewardRules::Coded, baseline.skipping()));
    let mut random = Random::new(seed);
    let mut episode = Episode { terms: [0.0; 6], frames: 0, decisions: 0, ending: GameEnding::Limit };
    loop {
        let chosen = baseline.choose(episode.decisions, &mut random);
        let decided =
            umpire.decide(chosen, |action| game.frame(action).inspect(|state| watch(action, state)))?;
        episode.decisions += 1;
        episode.frames += decided.frames;
        for (sum, term) in episode.terms.iter_mut().zip(decided.terms) {
            *sum += term;
        }
        if let Some(ending) = umpire.ending() {
            return Ok(Episode { ending, ..episode });
        }
    }
}
