//! Opening a level, and the runtimes that verbs wait in.

use tokio::runtime::Builder;
use tokio::runtime::Runtime;

use super::exit::Failure;
use super::level_ref::SelectedLevel;
use crate::config::Config;
use crate::config::Problem;
use crate::domain::Environment;
use crate::domain::EnvironmentSpec;
use crate::domain::Level;
use crate::domain::Options;

/// A setting that an environment refuses: its name, such as `sokoban.tile`, and name and reason
/// together.
pub(crate) type RefusedOption = (String, String);

/// The environment of a level with these settings, not opened yet.
pub(crate) fn create_environment(
    kind: &dyn EnvironmentSpec,
    level: &Level,
    options: &Options,
) -> Result<Box<dyn Environment>, RefusedOption> {
    kind.open(level, options).map_err(|error| {
        let name = format!("{}.{}", kind.name(), error.name);
        (name.clone(), format!("{name}: {}", error.why))
    })
}

/// The environment of a level as the settings have it, not opened yet. A setting that it refuses is
/// shown where it was written.
pub(crate) fn create_for_level(
    chosen: &SelectedLevel,
    config: &Config,
) -> Result<Box<dyn Environment>, Problem> {
    let options = config.settings().options(chosen.spec.name());
    create_environment(chosen.spec, &chosen.level, &options)
        .map_err(|(name, why)| config.problem_with(&name, why))
}

/// A runtime for a verb that waits for one thing at a time.
pub(crate) fn single_thread_runtime() -> Result<Runtime, Failure> {
    Builder::new_current_thread().enable_all().build().map_err(Failure::running)
}

/// A runtime for the screen: what takes long in a session must not hold up a key.
pub(crate) fn multi_thread_runtime() -> Result<Runtime, Failure> {
    Builder::new_multi_thread().worker_threads(2).enable_all().build().map_err(Failure::running)
}
