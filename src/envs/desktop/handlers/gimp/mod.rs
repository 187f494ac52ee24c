//! `gimp`: pictures that were edited or exported, judged by measures of their pixels. PNG and JPEG are read.

mod color;
mod edges;
mod marks;
mod picture;
mod plane;
mod resize;
mod similarity;
#[cfg(test)]
mod tests;

use self::picture::Picture;
use super::{Case, Finding, Handler, Param, ParamType, Params, Phase, Rules};

const SOURCE: Param = Param::required("src_path", ParamType::Made);
const TARGET: Param = Param::required("tgt_path", ParamType::Reference);
const BOTH: &[Param] = &[SOURCE, TARGET];
/// The published files have `rule`; `rules` is read too.
const RULE: [Param; 2] =
    [Param::optional("rule", ParamType::Table), Param::optional("rules", ParamType::Table)];
const SOURCE_AND_RULE: &[Param] = &[SOURCE, RULE[0], RULE[1]];

pub(super) const HANDLERS: &[Handler] = &[
    judge("check_brightness_decrease_and_structure_sim", BOTH, similarity::brightness_decrease),
    judge("check_saturation_increase_and_structure_sim", BOTH, similarity::saturation_increase),
    judge("check_contrast_increase_and_structure_sim", BOTH, similarity::contrast_increase),
    judge("check_file_exists_and_structure_sim", BOTH, similarity::structure),
    judge("check_structure_sim", BOTH, similarity::structure),
    judge("check_structure_sim_resized", BOTH, similarity::structure_resized),
    judge("check_palette_and_structure_sim", BOTH, similarity::palette),
    judge("check_image_mirror", BOTH, similarity::mirror),
    judge(
        "check_triangle_position",
        &[Param::required("tgt_path", ParamType::Made)],
        marks::triangle_position,
    ),
    judge("check_image_size", SOURCE_AND_RULE, edges::image_size),
    judge("check_image_file_size", SOURCE_AND_RULE, edges::file_size),
    judge("check_textbox_on_leftside", &[SOURCE], marks::textbox_on_left),
    judge("check_green_background", BOTH, marks::green_background),
];

const fn judge(
    function: &'static str,
    params: &'static [Param],
    call: fn(&Params<'_>, &mut Case<'_>) -> Result<(), Finding>,
) -> Handler {
    Handler { evaluator: "gimp", function, phase: Phase::Evaluation, params, destroys: false, call }
}

/// The picture of the agent. One that cannot be read is a fail; the released code has an error.
fn made(params: &Params<'_>, case: &mut Case<'_>, name: &str) -> Result<Picture, Finding> {
    let path = params.text(name)?;
    let bytes = case.made(path)?;
    Picture::decode(&bytes).map_err(|reason| match case.rules {
        Rules::Standard => Finding::Fail(format!("{path} {reason}")),
        Rules::Code => Finding::Error(format!("{path} {reason}")),
    })
}

/// The picture to compare with.
fn reference(params: &Params<'_>, case: &mut Case<'_>) -> Result<Picture, Finding> {
    let path = params.text("tgt_path")?;
    let bytes = case.reference(path)?;
    Picture::decode(&bytes).map_err(|reason| Finding::Error(format!("{path} {reason}")))
}
