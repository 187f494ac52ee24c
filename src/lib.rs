//! Mageyard: a terminal playground for multimodal agents.
//!
//! The layers, from bottom to top. A layer may only use the layers below it; a test enforces this.
//!
//! - [`domain`]: core types and the traits of environments and agents
//! - [`dialog`]: the reply reader and the memory window, as pure text
//! - [`config`]: the files that users edit
//! - [`browser`]: pages of a real browser, for live environments
//! - [`envs`], [`agents`], [`engine`]: three sibling layers that do not use each other
//! - [`lab`]: puts the others together: opens, resumes and restores episodes, reads recordings; prints nothing
//! - [`tui`]: the screen, a thin view of snapshots
//! - [`cli`]: the verbs: parse, ask the lab, print

pub mod agents;
pub mod browser;
pub mod cli;
pub mod config;
pub mod dialog;
pub mod domain;
pub mod engine;
pub mod envs;
pub mod lab;
pub mod tui;
