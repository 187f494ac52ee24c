//! Finds a state of a suite where it was recorded.

use crate::ask::state_at;
use std::path::PathBuf;

use super::file::Suite;
use super::open::OpenedState;
use mageyard_config::Problem;
use mageyard_engine::{Store, StoreError};
use mageyard_lab::{Lab, LabError, parse_step_reference};

/// The recorded step of a state; `None` if its session is not in the store. A step with another state is refused.
pub(crate) async fn recorded_state(
    lab: &Lab,
    suite: &Suite,
    index: usize,
    store: &Store,
) -> Result<Option<OpenedState>, LabError> {
    let address = suite.states.get(index).and_then(|state| Some((state, state.address.as_deref()?)));
    let Some((state, address)) = address else { return Ok(None) };
    let Some((journal, step)) = place(address, store)? else { return Ok(None) };
    let found = state_at(lab, &journal, step).await;
    let found = found.map_err(|error| differs(suite, index, &format!("{address}: {error}")))?;
    if found == state.digest {
        return Ok(Some(OpenedState { journal, step, is_new: false }));
    }
    let what = format!("{address} has the state {found}, and not {}", state.digest);
    Err(differs(suite, index, &what).into())
}

/// The journal and the step that an address names; `None` if the store has no such session, episode or branch.
fn place(address: &str, store: &Store) -> Result<Option<(PathBuf, u32)>, LabError> {
    let (session, Some(step)) = parse_step_reference(address)? else { return Ok(None) };
    match store.find(session) {
        Ok(mut journals) if journals.len() == 1 => Ok(journals.pop().map(|journal| (journal, step))),
        Ok(_)
        | Err(
            StoreError::NotFound { .. }
            | StoreError::NoBranch { .. }
            | StoreError::NoJournal { .. }
            | StoreError::NotASession { .. },
        ) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn differs(suite: &Suite, index: usize, what: &str) -> Problem {
    suite.problem(index, what).with_help(
        "correct address or digest, or remove the address so that the state is reached by its actions",
    )
}
