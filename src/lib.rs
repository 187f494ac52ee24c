//! Mageyard: a terminal playground for multimodal agents.
//!
//! The layers, from bottom to top. A layer may only use the layers below it; a test enforces this.
//!
//! - [`domain`]: core types and the traits of environments and agents
//! - [`dialog`]: the reply reader and the memory window, as pure text
//! - [`config`]: the files that users edit
//! - [`envs`], [`agents`], [`engine`]: three sibling layers that do not use each other
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
