//! A lab for unit tests, with the environments and agents of the program.

use std::sync::Arc;

use super::Lab;
use mageyard_domain::EnvironmentSpec;

/// The lab of the program, with no secrets.
pub(crate) fn lab() -> Lab {
    Lab::new(mageyard_envs::environments(), mageyard_agents::AGENTS, Arc::new(|_| None))
}

/// The environment `sokoban`.
pub(crate) fn sokoban() -> &'static dyn EnvironmentSpec {
    lab().environment("sokoban").unwrap()
}
