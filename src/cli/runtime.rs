//! Async runtimes for verbs, and creating environments.

use tokio::runtime::Builder;
use tokio::runtime::Runtime;

use super::exit::Failure;
use super::level_ref::SelectedLevel;
use crate::config::Config;
use crate::config::Problem;
use crate::domain::Environment;
use crate::domain::EnvironmentContext;
use crate::domain::EnvironmentSpec;
use crate::domain::Level;
use crate::domain::Opening;
use crate::domain::Options;

/// A setting that an environment rejects: its name, such as `sokoban.tile`, and a message with name and
/// reason.
pub(crate) type RefusedOption = (String, String);

/// Creates the environment of a level with these options; it is not opened yet.
pub(crate) fn create_environment(
    spec: &dyn EnvironmentSpec,
    level: &Level,
    options: &Options,
) -> Result<Box<dyn Environment>, RefusedOption> {
    spec.open(level, options).map_err(|error| {
        let name = format!("{}.{}", spec.name(), error.name);
        (name.clone(), format!("{name}: {}", error.why))
    })
}

/// Creates the environment of a level with the configured options; it is not opened yet. A rejected setting
/// is reported at the place where it was set.
pub(crate) fn create_for_level(
    selected: &SelectedLevel,
    config: &Config,
) -> Result<Box<dyn Environment>, Problem> {
    let options = config.settings().options(selected.spec.name());
    create_environment(selected.spec, &selected.level, &options)
        .map_err(|(name, why)| config.problem_with(&name, why))
}

/// Opens an environment, and closes it again.
pub(crate) async fn observe(environment: &mut dyn Environment) -> Result<Opening, Failure> {
    let opening = environment.open(&EnvironmentContext::default()).await;
    environment.close().await;
    opening.map_err(Failure::running)
}

/// A single-threaded runtime, for verbs that do one thing at a time.
pub(crate) fn single_thread_runtime() -> Result<Runtime, Failure> {
    Builder::new_current_thread().enable_all().build().map_err(Failure::running)
}

/// A multi-threaded runtime for the screen, where a session must not delay key presses.
pub(crate) fn multi_thread_runtime() -> Result<Runtime, Failure> {
    Builder::new_multi_thread().worker_threads(2).enable_all().build().map_err(Failure::running)
}
