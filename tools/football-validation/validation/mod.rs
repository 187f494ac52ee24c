//! The protocol that compares the simulator with recordings of the real engine: rules without physics, physics by
//! repeating measurements, behaviour by the statistics of episodes.

mod behaviour;
mod check;
mod histogram;
mod observed;
mod physics;
mod replay;
mod rules;

pub use behaviour::{Behaviour, Job, Simulated};
pub use check::{Accepts, Check, Level};
pub use physics::physics;
pub use replay::{Replay, ReplayedReward, replay};
pub use rules::rules;
