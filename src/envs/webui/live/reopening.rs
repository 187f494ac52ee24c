//! Coming back to a recorded state: its files, and how the page differs from the recorded one.

use serde_json::Value;

use super::failed;
use super::judgement::Judged;
use crate::details::{DETAILS_MEDIA, Details};
use crate::files::{Files, KINDS};
use crate::snapshot::Snapshot;
use mageyard_domain::{BlobRef, EnvironmentContext, EnvironmentError, Observation, ObservationPart};

/// The files that an observation names.
pub(super) fn files(last: &Observation, context: &EnvironmentContext) -> Result<Files, EnvironmentError> {
    let mut texts = [None, None, None];
    for (text, kind) in texts.iter_mut().zip(KINDS) {
        let named = &last.facts()["files"][kind.parameter];
        if !named.is_null() {
            let blob: BlobRef = serde_json::from_value(named.clone()).map_err(failed)?;
            let bytes = context.blobs.get(&blob).map_err(failed)?;
            *text = Some(String::from_utf8_lossy(&bytes).into());
        }
    }
    Ok(Files::new(texts))
}

/// The details that an observation has.
fn details(seen: &Observation) -> Option<Details> {
    let handles = seen.parts().iter().filter_map(|part| match part {
        ObservationPart::Data(handle) => Some(handle),
        _ => None,
    });
    let handle = handles.rev().find(|handle| &*handle.blob().media_type == DETAILS_MEDIA)?;
    serde_json::from_slice(&handle.load().ok()?).ok()
}

/// How a page differs from the recorded one; `None` if all its snapshots are equal.
pub(super) fn difference(
    last: &Observation,
    judged: &Judged,
    context: &EnvironmentContext,
) -> Result<Option<String>, EnvironmentError> {
    let Some(recorded) = details(last) else { return Ok(Some("its details were not recorded".to_owned())) };
    let mut differing = Vec::new();
    for (index, state) in recorded.states.iter().enumerate() {
        let before = match &state.generated.snapshot {
            Some(blob) => {
                let bytes = context.blobs.get(blob).map_err(failed)?;
                Snapshot::parse(&String::from_utf8_lossy(&bytes)).ok()
            }
            None => None,
        };
        let now = judged.generated.get(index).and_then(|state| state.as_ref().ok());
        if before.as_ref() != now.map(|view| &view.snapshot) {
            differing.push(state.name.as_str());
        }
    }
    let browsers = (&recorded.result.rendering.browser, &judged.details.result.rendering.browser);
    let other = if browsers.0 == browsers.1 {
        String::new()
    } else {
        format!(" (recorded with {}, now {})", browsers.0, browsers.1)
    };
    let said = || format!("the page differs from the recorded one at {}{other}", differing.join(", "));
    Ok((!differing.is_empty()).then(said))
}

/// The observation with a remark among its facts.
pub(super) fn with_remark(seen: &Observation, remark: &str) -> Observation {
    let mut facts = seen.facts().clone();
    facts["reopened"] = Value::from(remark);
    Observation::from_parts(seen.parts().to_vec(), seen.text().clone(), facts)
}
