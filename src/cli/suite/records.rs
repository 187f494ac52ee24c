//! The objects of `suite`.

use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;

use crate::records::Record;
use mageyard_domain::Digest;
use mageyard_study::{Suite, SuiteState};

/// A suite that was made, or to which states were added (`suite new`, `suite add`).
#[derive(Serialize, JsonSchema)]
pub(crate) struct SuiteRecord<'a> {
    /// Its name.
    name: &'a str,
    /// Its file.
    path: &'a Path,
    /// Its states.
    states: usize,
    /// How many of them are new.
    added: usize,
    /// States that only their recording opens.
    recorded_only: usize,
    /// Steps that are not in it, each with the reason.
    left_out: &'a [String],
}

impl Record for SuiteRecord<'_> {
    const TYPE: &'static str = "suite";
}

impl<'a> SuiteRecord<'a> {
    pub(super) fn new(suite: &'a Suite, path: &'a Path, added: usize, left_out: &'a [String]) -> Self {
        Self {
            name: &suite.name,
            path,
            states: suite.states.len(),
            added,
            recorded_only: suite.states.iter().filter(|state| state.actions.is_none()).count(),
            left_out,
        }
    }
}

/// A suite by its name (`suite list`). What cannot be read is null.
#[derive(Serialize, JsonSchema)]
pub(crate) struct SuiteFileRecord<'a> {
    /// Its name.
    pub(super) name: &'a str,
    /// `shipped`, or the path of your file.
    pub(super) origin: String,
    /// What it is for.
    pub(super) about: Option<&'a str>,
    /// Environment of its states.
    pub(super) environment: Option<&'a str>,
    /// Number of its states.
    pub(super) states: Option<usize>,
    /// Why it cannot be read.
    pub(super) broken: Option<&'a str>,
}

impl Record for SuiteFileRecord<'_> {
    const TYPE: &'static str = "suite_file";
}

/// A state of a suite as its file has it (`suite show`). docs/suites.md describes the fields.
#[derive(Serialize, JsonSchema)]
pub(crate) struct SuiteStateRecord<'a> {
    /// Name of the suite.
    suite: &'a str,
    /// Number of the state.
    state: usize,
    /// Sort of state.
    category: Option<&'a str>,
    /// Why it is in the suite.
    why: &'a str,
    /// Recorded step.
    address: Option<&'a str>,
    /// Digest of the state.
    #[schemars(with = "String")]
    digest: Digest,
    /// Reference of the level.
    level: &'a str,
    /// Random seed.
    seed: u64,
    /// Actions that lead to it; null if only its recording opens it.
    actions: Option<&'a [String]>,
    /// Answers that are right, as a person listed them.
    accept: &'a [String],
    /// Answers that are the known mistake.
    mistake: &'a [String],
    /// Action that was recorded.
    taken: Option<&'a str>,
}

impl Record for SuiteStateRecord<'_> {
    const TYPE: &'static str = "suite_state";
}

impl<'a> SuiteStateRecord<'a> {
    pub(super) fn new(suite: &'a Suite, number: usize, state: &'a SuiteState) -> Self {
        Self {
            suite: &suite.name,
            state: number,
            category: state.category.as_deref(),
            why: &state.why,
            address: state.address.as_deref(),
            digest: state.digest,
            level: suite.level(state).map_or("", |level| &level.reference),
            seed: state.seed,
            actions: state.actions.as_deref(),
            accept: &state.accept,
            mistake: &state.mistake,
            taken: state.taken.as_deref(),
        }
    }
}
