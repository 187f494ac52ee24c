//! Async runtimes for verbs.

use tokio::runtime::{Builder, Runtime};

use super::exit::Failure;
use mageyard_config::Config;
use mageyard_domain::{ActionSpace, Environment, EnvironmentContext, Opening};
use mageyard_lab::SelectedLevel;

/// Opens an environment, and closes it again.
pub(crate) async fn observe(environment: &mut dyn Environment) -> Result<Opening, Failure> {
    let opening = environment.open(&EnvironmentContext::default()).await;
    environment.close().await;
    opening.map_err(Failure::running)
}

/// The actions of the first state of a level.
pub(crate) fn first_space(level: &SelectedLevel, config: &Config) -> Result<ActionSpace, Failure> {
    let mut world = mageyard_lab::create_for_level(level, config)?;
    Ok(single_thread_runtime()?.block_on(observe(world.as_mut()))?.space)
}

/// A single-threaded runtime, for verbs that do one thing at a time.
pub fn single_thread_runtime() -> Result<Runtime, Failure> {
    Builder::new_current_thread().enable_all().build().map_err(Failure::running)
}

/// A multi-threaded runtime for the screen, where a session must not delay key presses.
pub fn multi_thread_runtime() -> Result<Runtime, Failure> {
    Builder::new_multi_thread().worker_threads(2).enable_all().build().map_err(Failure::running)
}

/// A runtime with a thread for each processor core, for many episodes at once.
///
/// # Errors
///
/// The threads cannot be started.
pub fn parallel_runtime() -> Result<Runtime, Failure> {
    Builder::new_multi_thread().enable_all().build().map_err(Failure::running)
}
