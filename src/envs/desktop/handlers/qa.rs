//! `qa`: what the agent answers in its last reply.

use super::{Case, Finding, Handler, Param, ParamType, Params, Phase, Rules};

pub(super) const HANDLERS: &[Handler] = &[Handler {
    evaluator: "qa",
    function: "string_match",
    phase: Phase::Evaluation,
    params: &[Param::required("answer", ParamType::Text)],
    destroys: false,
    call: string_match,
}];

/// The text in the first `[[[…]]]` of the last reply equals the answer (`AgentStudio`, section 5 of the rules). The released
/// code always fails with an error.
fn string_match(params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    let expected = params.text("answer")?;
    if case.rules == Rules::Code {
        return Err(Finding::error("the released code cannot judge answers"));
    }
    let found = case.reply.and_then(marked);
    match found {
        Some(found) if found == expected => Ok(()),
        Some(found) => Err(Finding::fail(format!("the answer is {found:?}, expected is {expected:?}"))),
        None => Err(Finding::fail(format!("the last reply has no [[[answer]]], expected is {expected:?}"))),
    }
}

fn marked(reply: &str) -> Option<&str> {
    let (_, rest) = reply.split_once("[[[")?;
    rest.split_once("]]]").map(|(answer, _)| answer)
}
