//! The protocol that compares the simulator with recordings of the real engine: rules without physics, physics by
//! repeating measurements, behaviour by the statistics of episodes.

mod behaviour;
mod check;
mod histogram;
mod observed;
mod physics;
mod replay;
mod rules;

pub use behaviour::Behaviour;
pub use behaviour::Job;
pub use behaviour::Simulated;
pub use check::Accepts;
pub use check::Check;
pub use check::Level;
pub use physics::physics;
pub use replay::Replay;
pub use replay::ReplayedReward;
pub use replay::replay;
pub use rules::rules;
