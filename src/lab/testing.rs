//! A lab for unit tests, with the environments and agents of the program.

use std::sync::Arc;

use super::Lab;
use crate::agents;
use crate::domain::EnvironmentSpec;
use crate::envs;

/// The lab of the program, with no secrets.
pub(crate) fn lab() -> Lab {
    Lab::new(envs::environments(), agents::AGENTS, Arc::new(|_| None))
}

/// The environment `sokoban`.
pub(crate) fn sokoban() -> &'static dyn EnvironmentSpec {
    lab().environment("sokoban").unwrap()
}
