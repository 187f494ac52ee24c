//! Checks levels beyond their text: the files that they name, and what their environment checks, such as in a browser.

use crate::browser::shared_resources;
use futures_util::{StreamExt, stream};

use super::named_files::{check_level_files, level_problem, read_level_files};
use super::{LevelList, SelectedLevel};
use crate::Lab;
use mageyard_config::{Config, Problem};
use mageyard_domain::{EnvironmentContext, EnvironmentError, LevelCheck, Options};

/// How many levels are checked at once.
const AT_ONCE: usize = 3;

/// What is wrong with the levels of a file beyond their text. `None` if there is nothing more to check. An error if it
/// cannot be checked here.
pub async fn check_levels(
    lab: &Lab,
    source: &LevelList,
    config: &Config,
) -> Option<Result<Vec<Problem>, EnvironmentError>> {
    let files = source.spec.capabilities().files;
    if files.check.is_none() && files.records.is_none() {
        return None;
    }
    let options = config.settings().options(source.spec.name());
    let levels = match source.all() {
        Ok(chosen) => chosen.levels,
        Err(problem) => return Some(Ok(vec![problem])),
    };
    let of_level = async |one| check_level(one, files.check, &options, lab, config).await;
    let checked: Vec<_> = stream::iter(&levels).map(of_level).buffered(AT_ONCE).collect().await;
    let problems: Result<Vec<_>, _> = checked.into_iter().collect();
    Some(problems.map(|problems| problems.into_iter().flatten().collect()))
}

async fn check_level(
    one: &SelectedLevel,
    check: Option<&'static dyn LevelCheck>,
    options: &Options,
    lab: &Lab,
    config: &Config,
) -> Result<Vec<Problem>, EnvironmentError> {
    let problems = check_level_files(one.spec, &one.level, true);
    let Some(check) = check.filter(|_| problems.is_empty()) else { return Ok(problems) };
    // Its files are kept no longer than its check.
    let context =
        EnvironmentContext { resources: shared_resources(lab, config), ..EnvironmentContext::default() };
    let level = match read_level_files(one.spec, &one.level, context.blobs.as_ref()) {
        Ok(level) => level,
        Err(problem) => return Ok(vec![problem]),
    };
    let faults = check.check(&level, options, &context).await?;
    Ok(faults.into_iter().map(|fault| level_problem(&one.level, &fault)).collect())
}
