//! Web pages, rebuilt from a description and scored element by element (MageBench, `WebUI`).
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod aes;
pub mod figures;
pub mod import;
pub mod prompts;
pub mod snapshot;
