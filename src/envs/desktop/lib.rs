//! Tasks on a computer, judged by programs (`AgentStudio`, ICLR 2025). `docs/desktop.md` has the rules.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod handlers;
mod office;
