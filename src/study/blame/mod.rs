//! Blame: the step after which the goal of an episode was out of reach. A solver proves it without a request; without one, the
//! episode is played on from several of its steps.

mod by_playing;
mod by_solver;
mod request;
#[cfg(test)]
mod tests;

pub use self::by_playing::PlayedBlame;
pub use self::by_playing::PlayedVerdict;
pub use self::by_playing::Probe;
pub use self::by_playing::ProbeEvent;
pub use self::by_playing::ProbeReport;
pub use self::by_playing::blame_by_playing;
pub use self::by_playing::blame_steps;
pub use self::by_playing::plan_probe;
pub use self::by_solver::SolverVerdict;
pub use self::by_solver::blame_by_solver;
pub use self::request::BlameRequest;
pub use self::request::WrittenBlame;
pub use self::request::read_blame;
