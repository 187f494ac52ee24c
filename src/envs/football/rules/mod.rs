//! The rules of the benchmark above the engine: rewards, ends and skipping of frames. They see states only, so that
//! a simulator, a recording and the real engine can drive them alike.
//!
//! Where the paper and its released code differ, the code is the default, for it made the published numbers; the
//! paper's text is the rule `printed`.

mod coded;
mod ending;
mod frame;
mod lanes;
mod obstacle;
mod printed;
mod reward;
mod skipping;
mod stop;
mod umpire;

pub use ending::GameEnding;
pub(crate) use reward::GOAL;
pub use reward::{FrameReward, RewardRules, Rewards};
pub use skipping::{SkipRules, Skipping};
pub use stop::Stop;
pub use umpire::{Decided, Umpire};

/// The frames of an episode.
pub const FRAME_LIMIT: u32 = 400;

#[cfg(test)]
mod tests;
