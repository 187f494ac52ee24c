//! The check of the API key: where it is from, and whether it is removed from what is shown.

use super::ModelCheck;
use crate::{Lab, key_report};
use mageyard_agents::KeyReport;
use mageyard_config::Config;

const NAME: &str = "model, key";

/// The check of the key and of other values from variables.
pub(super) fn check(lab: &Lab, config: &Config) -> ModelCheck {
    match key_report(lab, config) {
        Ok(report) => describe(&report),
        Err(problem) => ModelCheck::failed(NAME, problem),
    }
}

fn describe(report: &KeyReport) -> ModelCheck {
    let KeyReport { source, is_missing, is_local, plain } = report;
    if *is_missing && !is_local {
        let advice = "set it to the key, or model.key_variable to \"\" if none is needed";
        return ModelCheck::warned(NAME, source, advice);
    }
    if *is_missing {
        return ModelCheck::passed(NAME, format!("{source}; a server on this machine seldom needs a key"));
    }
    match plain.as_slice() {
        [] => ModelCheck::passed(NAME, source),
        [variable] => ModelCheck::passed(
            NAME,
            format!("{source}; {variable}: it is a plain word, so it is not removed from replies and errors"),
        ),
        several => ModelCheck::passed(
            NAME,
            format!(
                "{source}; {}: they are plain words, so they are not removed from replies and errors",
                several.join(", ")
            ),
        ),
    }
}
