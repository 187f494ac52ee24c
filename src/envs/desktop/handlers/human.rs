//! `human`: a person judges.

use super::{Case, Finding, Handler, Param, ParamType, Params, Phase};

pub(super) const HANDLERS: &[Handler] = &[Handler {
    evaluator: "human",
    function: "human",
    phase: Phase::Evaluation,
    params: &[Param::optional("prompt", ParamType::Text)],
    destroys: false,
    call: human,
}];

/// A person answers a question: nothing is success, a text is failure and the feedback (`AgentStudio`, section 5 of the
/// rules). Without an answer yet the question is returned.
fn human(params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    let prompt = if params.get("prompt").is_some() { params.text("prompt")? } else { "Is the task done?" };
    match case.answer.map(str::trim) {
        None => Err(Finding::Ask(prompt.to_owned())),
        Some("") => Ok(()),
        Some(feedback) => Err(Finding::fail(feedback)),
    }
}
