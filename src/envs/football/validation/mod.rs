//! The protocol that compares the simulator with recordings of the real engine.

mod replay;

pub use replay::Replay;
pub use replay::ReplayedReward;
pub use replay::replay;
