//! Mageyard: the playground in the terminal for multimodal agents.
//!
//! The house, from the ground up; arrows point down only, and a test keeps it so:
//!
//! - [`domain`]: the nouns of the field and the traits of environments and agents
//! - [`dialog`]: the reader of replies and the memory window, as pure text
//! - [`config`]: the files that people edit
//! - [`envs`], [`agents`], [`engine`]: three neighbours who never name each other
//! - [`tui`]: the screen, a thin view of snapshots
//! - [`cli`]: the verbs, which put everything together

pub mod agents;
pub mod cli;
pub mod config;
pub mod dialog;
pub mod domain;
pub mod engine;
pub mod envs;
pub mod tui;
