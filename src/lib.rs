//! Mageyard: a terminal playground for multimodal agents.
//!
//! One crate a layer and one an environment; each is re-exported here under its short name. A crate names only what its
//! manifest lists, so the arrows point down. From bottom to top:
//!
//! - [`domain`]: core types and the traits of environments and agents
//! - [`statistics`]: intervals, tests and their special functions
//! - [`dialog`]: the reply reader and the memory window, as pure text
//! - [`config`]: the files that users edit
//! - [`browser`]: pages of a real browser, for live environments
//! - [`sandbox`]: programs and a kernel apart from the machine, for live environments
//! - [`envs`], [`agents`], [`engine`]: siblings that do not use each other
//! - [`lab`]: puts the others together: opens, resumes and restores episodes, reads recordings; prints nothing
//! - [`study`], [`sweep`], [`report`]: questions, grids and tables over many episodes
//! - [`terminal`]: cells, pictures, input and themes of a terminal
//! - [`screen`]: a thin view of snapshots
//! - [`cli`]: the verbs: parse, ask the lab, print; those for a single environment are in this crate
//! - [`host`]: opens the screen for the verbs

pub use mageyard_agents as agents;
pub use mageyard_browser as browser;
pub use mageyard_cli as cli;
pub use mageyard_config as config;
pub use mageyard_dialog as dialog;
pub use mageyard_domain as domain;
pub use mageyard_engine as engine;
pub use mageyard_host as host;
pub use mageyard_lab as lab;
pub use mageyard_report as report;
pub use mageyard_sandbox as sandbox;
pub use mageyard_screen as screen;
pub use mageyard_statistics as statistics;
pub use mageyard_study as study;
pub use mageyard_sweep as sweep;
pub use mageyard_terminal as terminal;

pub use mageyard_envs as envs;

mod aes;
mod desktop;
mod web;

/// The verbs that the program adds to those of [`cli`].
pub const VERBS: &[&dyn cli::Verb] = &[&aes::Aes, &web::Web, &desktop::Desktop];
