//! Blame: the step after which the goal of an episode was out of reach. A solver proves it without a request; without one, the
//! episode is played on from several of its steps.

mod by_playing;
mod by_solver;
mod request;
mod study;
#[cfg(test)]
mod tests;
mod text;

pub use self::by_playing::{
    PlayedBlame, PlayedVerdict, Probe, ProbeEvent, ProbeReport, blame_by_playing, blame_steps, plan_probe,
};
pub use self::by_solver::{SolverVerdict, blame_by_solver};
pub use self::request::BlameArgs;
pub use self::study::{BlameStudy, Judged, judge_blame};
pub use self::text::{most_steps_of_probes, played_hint, solver_hint, solver_lines};
