//! Football: eleven against eleven; the agent directs the controlled player of the left team (`MageBench`, section
//! 3.3). `docs/football.md` has the rules.
//!
//! All of it is pure but [`grf`], which plays with the real engine in a process of its own. Start with `world` (a decision of
//! several frames), `rules` (rewards and ends, which judge states of any engine), [`sim`] (the simulator) and
//! [`picture`]. `tools/football-validation` compares the simulator with recordings of the real engine.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod action;
mod capabilities;
mod claims;
mod distances;
mod environment;
mod figures;
mod frame_state;
mod game_engine;
pub mod grf;
mod inspector;
mod misread;
mod mistakes;
#[cfg(test)]
mod perception_tests;
pub mod picture;
mod policies;
mod probes;
mod program;
mod program_check;
mod prompt_import;
mod random;
mod ranges;
mod reported;
mod rules;
mod scene;
pub mod sim;
mod speed;
mod world;

pub use action::EngineAction;
pub use environment::Football;
pub use frame_state::{FrameState, GameMode, MAX_PLAYERS, METRES, Owner, PlayerRole, Squad, Sticky, Team};
pub use game_engine::GameEngine;
pub use program::Program;
pub use random::{Purpose, Random};
pub use rules::{
    Decided, FRAME_LIMIT, FrameReward, GameEnding, RewardRules, Rewards, SkipRules, Skipping, Stop, Umpire,
};
pub use scene::{Placed, Scene};

use mageyard_domain::{Level, LevelError, OptionError, Options};

/// The scene of a level.
///
/// # Errors
///
/// What is wrong in the text, and in which line.
pub fn scene_of(level: &Level) -> Result<Scene, LevelError> {
    scene::read_one(level.text())
}

/// The program of the real engine, if these options choose it.
///
/// # Errors
///
/// The option that is wrong.
pub fn real_engine(options: &Options) -> Result<Option<Program>, OptionError> {
    let settings = world::Settings::read(options)?;
    Ok((settings.engine == world::Engine::Grf).then_some(settings.program))
}
