//! Checks levels beyond their text, such as in a browser.

use crate::browser::shared_resources;
use futures_util::{StreamExt, stream};

use super::{Lab, LevelList};
use mageyard_config::Config;
use mageyard_domain::{EnvironmentContext, EnvironmentError};

/// How many levels are checked at once.
const AT_ONCE: usize = 3;

/// What is wrong with the levels of a file beyond their text: the name of the level and a sentence each. `None` if
/// its environment checks nothing more. An error if it cannot be checked here.
pub async fn check_levels(
    lab: &Lab,
    source: &LevelList,
    config: &Config,
) -> Option<Result<Vec<(String, String)>, EnvironmentError>> {
    let check = source.spec.capabilities().files.check?;
    let options = config.settings().options(source.spec.name());
    let context =
        EnvironmentContext { resources: shared_resources(lab, config), ..EnvironmentContext::default() };
    let of_level = async |level| (level, check.check(level, &options, &context).await);
    let checked: Vec<_> = stream::iter(&source.levels).map(of_level).buffered(AT_ONCE).collect().await;
    let mut faults = Vec::new();
    for (level, result) in checked {
        match result {
            Ok(found) => faults.extend(found.into_iter().map(|fault| (level.label(), fault))),
            Err(error) => return Some(Err(error)),
        }
    }
    Some(Ok(faults))
}
