//! The best policy: it writes the target without its annotations.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use std::sync::atomic::AtomicBool;

use super::files::Files;
use super::solution::{SOLUTION_MEDIA, Solution};
use mageyard_domain::{Action, ActionSpace, Digest, Observation, ObservationPart, Policy, PolicyError};

const REASON: &str = "These are the files of the target without its annotations.";

/// Writes the solution.
#[derive(Debug)]
pub(super) struct Oracle;

/// The solution that an observation has for agents without a model.
pub(super) fn solution(seen: &Observation) -> Option<Files> {
    let handles = seen.parts().iter().filter_map(|part| match part {
        ObservationPart::Data(handle) => Some(handle),
        _ => None,
    });
    let handle = handles.into_iter().find(|handle| &*handle.blob().media_type == SOLUTION_MEDIA)?;
    let stored: Solution = serde_json::from_slice(&handle.load().ok()?).ok()?;
    Some(stored.files())
}

/// Whether the present files are these.
fn is_written(seen: &Observation, files: &Files) -> bool {
    let present = &seen.facts()["files"];
    let mut all = files.written();
    all.all(|(kind, text)| present[kind.parameter]["digest"] == Digest::of(text.as_bytes()).to_string())
}

impl Policy for Oracle {
    fn next_action(
        &mut self,
        _: u32,
        seen: &Observation,
        _: &ActionSpace,
        _: &AtomicBool,
    ) -> Result<Option<(Action, String)>, PolicyError> {
        let files = solution(seen).ok_or_else(no_solution)?;
        Ok((!is_written(seen, &files)).then(|| (files.action(), REASON.to_owned())))
    }

    fn plan(
        &mut self,
        seen: &Observation,
        _: &ActionSpace,
        _: u32,
        _: &AtomicBool,
    ) -> Result<(Vec<Action>, String), PolicyError> {
        let files = solution(seen).ok_or_else(no_solution)?;
        Ok((vec![files.action()], REASON.to_owned()))
    }
}

fn no_solution() -> PolicyError {
    PolicyError::GaveUp("the observation has no solution".to_owned())
}
