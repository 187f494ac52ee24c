//! The pinned states, opened.

use std::path::Path;

use super::versions::{AskedVersion, VersionTable};
use crate::ask::DraftState;
use crate::suite::collect_suite;
use crate::{
    AskRequest, CollectedSuite, DraftRequest, JudgedState, OpenedState, Suite, SuiteStep, Variant, open_suite,
};
use mageyard_config::{Config, Problem, load_prices};
use mageyard_dialog::Prompt;
use mageyard_domain::Prices;
use mageyard_engine::Store;
use mageyard_lab::{Lab, LabError, step_reference};

/// The states of a suite, on which versions of a prompt are compared.
pub struct PinnedStates {
    suite: Suite,
    opened: Vec<(OpenedState, String)>,
    states: Vec<DraftState>,
    /// One for each state that was judged.
    judged: Vec<Option<JudgedState>>,
    prices: Prices,
}

/// A pinned state as it is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PinnedState {
    /// The step that opens it.
    pub address: String,
    /// Why it is pinned.
    pub why: String,
    /// The prompt that it was recorded with.
    pub prompt: String,
    /// The model that is asked there, or why none is known.
    pub model: Result<String, Problem>,
}

/// A suite of one recorded step, which is not saved: the present state, where none are pinned.
pub async fn present_suite(
    lab: &Lab,
    name: &str,
    (journal, step): (&Path, u32),
    config: &Config,
) -> Result<Suite, LabError> {
    let address = step_reference(&Store::new(config.store_folder()).reference(journal), step);
    let steps = [SuiteStep::named(journal.to_owned(), address, step, None)];
    let CollectedSuite { suite, .. } = collect_suite(lab, (name, ""), None, &steps, config).await?;
    Ok(suite)
}

impl PinnedStates {
    /// Opens the states of a suite for what is asked there; those that are not recorded here are played. Nothing is sent.
    pub async fn open(
        lab: &Lab,
        suite: Suite,
        request: &AskRequest,
        config: &Config,
    ) -> Result<Self, LabError> {
        let store = Store::new(config.store_folder());
        let mut opened = Vec::new();
        let mut states = Vec::new();
        for place in open_suite(lab, &suite, &store, config).await? {
            let address = step_reference(&store.reference(&place.journal), place.step);
            states.push(DraftState::open(lab, (&place.journal, place.step), request, config).await?);
            opened.push((place, address));
        }
        let judged = states.iter().map(|_| None).collect();
        Ok(Self { suite, opened, states, judged, prices: load_prices(config)? })
    }

    /// The suite.
    pub fn suite(&self) -> &Suite {
        &self.suite
    }

    /// The states, in the order of the suite.
    pub fn listed(&self) -> Vec<PinnedState> {
        let state =
            |((_, address), (state, why)): (&(OpenedState, String), (&DraftState, &str))| PinnedState {
                address: address.clone(),
                why: why.to_owned(),
                prompt: state.prompt_name().to_owned(),
                model: state.model_name().map(str::to_owned).map_err(Clone::clone),
            };
        let why = self.suite.states.iter().map(|state| state.why.as_str());
        self.opened.iter().zip(self.states.iter().zip(why)).map(state).collect()
    }

    /// The request that a prompt makes in the state with this index; `None` if there is no such state.
    pub fn request(&self, index: usize, prompt: &Prompt) -> Option<DraftRequest> {
        Some(self.states.get(index)?.request(prompt, &self.prices))
    }

    /// What a prompt sends in each state, or why that is not possible; images are encoded for it.
    pub fn variant(&self, index: usize, prompt: &Prompt) -> Option<Result<Variant, Problem>> {
        Some(self.states.get(index)?.variant(prompt))
    }

    /// Finds out which answers are right in the state with this index; nothing if that is known.
    pub async fn judge(&mut self, index: usize, lab: &Lab, config: &Config) -> Result<(), LabError> {
        let (Some(state), Some((opened, address))) = (self.states.get(index), self.opened.get(index)) else {
            return Ok(());
        };
        if self.judged.get(index).is_some_and(Option::is_some) {
            return Ok(());
        }
        let verdicts = state.verdicts(lab, config).await?;
        let judged = state.judged((&self.suite, index), (opened, address), verdicts)?;
        if let Some(place) = self.judged.get_mut(index) {
            *place = Some(judged);
        }
        Ok(())
    }

    /// Reads the replies that are stored by now, of which so many samples of each state count.
    pub fn read_again(&mut self, samples: u32) -> Result<(), LabError> {
        for state in &mut self.states {
            state.set_samples(samples);
            state.read_again()?;
        }
        Ok(())
    }

    /// What versions were answered, the oldest first.
    pub fn table(&self, versions: &[AskedVersion]) -> VersionTable {
        let calls = |version: &AskedVersion| {
            let variants = self.states.iter().zip(&version.variants);
            variants.map(|(state, variant)| Some(state.replies(variant.as_ref()?.as_ref().ok()?))).collect()
        };
        let calls: Vec<Vec<_>> = versions.iter().map(calls).collect();
        VersionTable::of(versions, &calls, &self.judged, &self.prices)
    }
}
