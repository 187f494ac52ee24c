//! `doctor --model`: where the API key is from, and whether it is removed from what is shown.

use super::finding::Finding;
use mageyard_agents::KeyReport;
use mageyard_config::Config;
use mageyard_lab::{Lab, key_report};

const NAME: &str = "model, key";

/// The finding about the key and other values from variables.
pub(super) fn finding(lab: &Lab, config: &Config) -> Finding {
    match key_report(lab, config) {
        Ok(report) => describe(&report),
        Err(problem) => Finding::fail(NAME, problem),
    }
}

fn describe(report: &KeyReport) -> Finding {
    let KeyReport { source, is_missing, is_local, plain } = report;
    if *is_missing && !is_local {
        return Finding::warn(
            NAME,
            source,
            "set it to the key, or model.key_variable to \"\" if none is needed",
        );
    }
    if *is_missing {
        return Finding::ok(NAME, format!("{source}; a server on this machine seldom needs a key"));
    }
    match plain.as_slice() {
        [] => Finding::ok(NAME, source),
        [variable] => Finding::ok(
            NAME,
            format!("{source}; {variable}: it is a plain word, so it is not removed from replies and errors"),
        ),
        several => Finding::ok(
            NAME,
            format!(
                "{source}; {}: they are plain words, so they are not removed from replies and errors",
                several.join(", ")
            ),
        ),
    }
}
