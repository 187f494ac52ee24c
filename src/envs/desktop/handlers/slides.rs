//! `slides`: presentations. They are recognised, so that a suite can be read, and not compared yet.

use super::{Case, Finding, Handler, Param, ParamType, Params, Phase};

pub(super) const HANDLERS: &[Handler] = &[Handler {
    evaluator: "slides",
    function: "compare_pptx_files",
    phase: Phase::Evaluation,
    params: &[
        Param::required("expected", ParamType::Reference),
        Param::required("result", ParamType::Made),
        Param::optional("options", ParamType::Table),
    ],
    destroys: false,
    call: compare,
}];

fn compare(_: &Params<'_>, _: &mut Case<'_>) -> Result<(), Finding> {
    Err(Finding::error("the comparison of presentations is not built"))
}
