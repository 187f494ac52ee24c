//! The bridge to the real engine: a Python process with Google Research Football, which the user has installed. It plays
//! frames and nothing else: rules, texts and pictures are those of the simulator.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "it starts a process and waits")]

mod blocking;
mod drawing;
mod environment;
mod failure;
mod last_words;
mod process;
mod saved;
#[cfg(test)]
mod tests;
mod wire;

pub use self::blocking::{EngineUsage, RealGame};
pub(super) use self::environment::RealFootball;
pub use self::failure::EngineFailure;
pub use self::process::{EngineReport, probe};
