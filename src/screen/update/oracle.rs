//! What the oracle would have done at steps that were taken: asked for when such a step is shown, and never before.

use super::Effect;
use crate::model::Model;
use crate::requests::{OracleQuestion, Request};
use mageyard_domain::Digest;

/// Shows the opinions of the oracle, or no longer.
pub(super) fn toggle(model: &mut Model) {
    model.oracle.is_shown = !model.oracle.is_shown;
    let words = if model.oracle.is_shown {
        "the agent pane says what the oracle would have done, once a step was taken"
    } else {
        "the oracle's opinion is not shown any more"
    };
    model.notify(words);
}

/// Asks for the opinion on the step in view, or on the one before it, whose replies may be shown.
pub(super) fn ask(model: &mut Model, effects: &mut Vec<Effect>) {
    if !model.oracle.is_shown {
        return;
    }
    let Some(viewed) = model.episode() else { return };
    let before = viewed.index().checked_sub(1).and_then(|index| viewed.snapshot.steps.get(index));
    let shown = viewed.snapshot.steps.get(viewed.index()).into_iter().chain(before);
    let mut due = shown.filter(|step| step.is_done() && !model.oracle.knows(step.state));
    let Some(step) = due.next().cloned() else { return };
    let environment = viewed.snapshot.head.environment.clone();
    model.oracle.begin(step.state);
    effects.push(Effect::Request(Request::AskOracle(OracleQuestion { environment, step })));
}

/// The oracle has said what it would have done in a state.
pub(super) fn said(model: &mut Model, state: Digest, answer: Result<String, String>) {
    let is_linear = model.appearance.settings.linear;
    let words = match &answer {
        Ok(opinion) => format!("oracle: {opinion}"),
        Err(why) => why.clone(),
    };
    if is_linear || answer.is_err() {
        model.notify(mageyard_domain::sanitize(&words).into_owned());
    }
    model.oracle.end(state, answer.ok());
}
