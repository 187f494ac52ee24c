//! Football: eleven against eleven; the agent directs the controlled player of the left team (`MageBench`, section
//! 3.3). The simulator, the rules, the recordings and their comparison are in folders of their own.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod action;
pub mod baseline;
mod environment;
mod figures;
mod frame_state;
mod inspector;
pub mod picture;
mod policies;
mod random;
pub mod recording;
mod rules;
mod scene;
pub mod sim;
mod statistics;
pub mod validation;
mod world;

pub use action::EngineAction;
pub use environment::Football;
pub use frame_state::FrameState;
pub use frame_state::GameMode;
pub use frame_state::MAX_PLAYERS;
pub use frame_state::METRES;
pub use frame_state::Owner;
pub use frame_state::Role;
pub use frame_state::Squad;
pub use frame_state::Sticky;
pub use frame_state::Team;
pub use rules::Ending;
pub use rules::FRAME_LIMIT;
pub use rules::FrameReward;
pub use rules::RewardRules;
pub use rules::Rewards;
pub use rules::SkipRules;
pub use rules::Skipping;
pub use rules::Stop;
pub use scene::Placed;
pub use scene::Scene;

use crate::domain::Level;
use crate::domain::LevelError;

/// The scene of a level.
///
/// # Errors
///
/// What is wrong in the text, and in which line.
pub fn scene_of(level: &Level) -> Result<Scene, LevelError> {
    scene::read_one(level.text())
}
