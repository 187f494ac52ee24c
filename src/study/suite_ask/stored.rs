//! The asks about a suite that are stored: those of its states that ask the same.

use super::plan::combination;
use super::state::JudgedState;
use crate::ask::{action_verdicts, frozen_state};
use crate::suite::known_states;
use crate::{AnswerJudge, OpenedState, StoredAsk, Suite, stored_asks};
use mageyard_config::Config;
use mageyard_engine::Store;
use mageyard_lab::{Lab, LabError, step_reference};

/// Asks of several states with the same variants, samples and seed.
pub struct StoredSuiteAsk {
    /// The states that were asked.
    pub states: Vec<JudgedState>,
    /// The ask of each of them.
    pub asks: Vec<StoredAsk>,
}

impl StoredSuiteAsk {
    fn asks_the_same(&self, ask: &StoredAsk) -> bool {
        let plain = |ask: &StoredAsk| {
            let names = ask.record.variants.iter().map(|variant| {
                let (prompt, am, om, model, changes) = combination(variant);
                (prompt.to_owned(), am, om, model.clone(), changes.clone(), variant.settings)
            });
            (names.collect::<Vec<_>>(), ask.record.samples, ask.record.seed, ask.record.reader_rules)
        };
        self.asks.first().is_some_and(|first| plain(first) == plain(ask))
    }
}

/// The stored asks about the states of a suite that ask the same, without a target or a part left out. Nothing is
/// sent, played or written.
pub async fn stored_suite_asks(
    lab: &Lab,
    suite: &Suite,
    store: &Store,
    config: &Config,
) -> Result<Vec<StoredSuiteAsk>, LabError> {
    let mut all: Vec<StoredSuiteAsk> = Vec::new();
    for (index, opened) in known_states(lab, suite, store, config).await?.into_iter().enumerate() {
        let Some(opened) = opened else { continue };
        let address = step_reference(&store.reference(&opened.journal), opened.step);
        for ask in stored_asks(&opened.journal, opened.step)? {
            let record = &ask.record;
            if record.target.is_some()
                || record.leaves_out()
                || record.from_text.is_some()
                || record.is_diagnosis()
            {
                continue;
            }
            let state = judged_state(lab, (suite, index), (&opened, &address), &ask, config).await?;
            match all.iter_mut().find(|one| one.asks_the_same(&ask)) {
                Some(one) => {
                    one.states.push(state);
                    one.asks.push(ask);
                }
                None => all.push(StoredSuiteAsk { states: vec![state], asks: vec![ask] }),
            }
        }
    }
    Ok(all)
}

/// A state as its stored ask has it; it is judged now if it was not.
async fn judged_state(
    lab: &Lab,
    (suite, index): (&Suite, usize),
    (opened, address): (&OpenedState, &str),
    ask: &StoredAsk,
    config: &Config,
) -> Result<JudgedState, LabError> {
    let state = frozen_state(lab, &opened.journal, opened.step, &[], config).await?;
    let verdicts = match &ask.record.verdicts {
        Some(verdicts) => Some(verdicts.clone()),
        None => action_verdicts(lab, &state, config).await?,
    };
    let read = |action: &str| {
        let parsed = state.step.space.parse_line(action);
        parsed.map(|action| action.to_string()).map_err(|error| error.to_string())
    };
    let judge = AnswerJudge::of(&state);
    Ok(JudgedState::new(
        (suite, index),
        (opened, address),
        (verdicts, ask.record.taken.as_ref()),
        judge,
        &read,
    )?)
}
