//! Opening a level as the settings say.

use tokio::runtime::Builder;
use tokio::runtime::Runtime;

use super::exit::Failure;
use super::reference::Chosen;
use crate::config::Config;
use crate::config::Problem;
use crate::domain::Environment;

/// The level's environment, not opened yet. A setting that the environment refuses is shown where
/// it was written.
pub(crate) fn environment(chosen: &Chosen, config: &Config) -> Result<Box<dyn Environment>, Problem> {
    let name = chosen.kind.name();
    let options = config.settings().options(name);
    chosen.kind.open(&chosen.level, &options).map_err(|error| {
        let setting = format!("{name}.{}", error.name);
        config.refuse(&setting, format!("{setting}: {}", error.why))
    })
}

/// A runtime for a verb that waits for one thing at a time.
pub(crate) fn runtime() -> Result<Runtime, Failure> {
    Builder::new_current_thread().enable_all().build().map_err(Failure::running)
}

/// A runtime for the screen: what takes long in a session must not hold up a key.
pub(crate) fn threads() -> Result<Runtime, Failure> {
    Builder::new_multi_thread().worker_threads(2).enable_all().build().map_err(Failure::running)
}
