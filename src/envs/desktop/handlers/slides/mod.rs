//! `slides`: presentations, compared with a reference (section 5 of the rules, row `slides`; section 11, Slides).
//!
//! Slides and shapes are compared in pairs, in their order. Under [`Rules::Code`] a comparison ends with the shorter presentation,
//! slide, text or paragraph, formatting is what runs say themselves, and backgrounds are never compared. Under [`Rules::Standard`]
//! everything must be there, and formatting is what a person sees, whether a run, a layout, a master or the theme says it.

mod code;
mod examine;
mod standard;

use self::examine::Examine;
use super::docs::{Role, decoded, read};
use super::{Case, Finding, Handler, Param, ParamType, Params, Phase, Rules};
use crate::office::pptx::Presentation;

pub(super) const HANDLERS: &[Handler] = &[Handler {
    evaluator: "slides",
    function: "compare_pptx_files",
    phase: Phase::Evaluation,
    params: &[
        Param::required("expected", ParamType::Reference),
        Param::required("result", ParamType::Made),
        Param::optional("options", ParamType::Flags(examine::NAMES)),
    ],
    destroys: false,
    call: compare_pptx_files,
}];

/// The shape that `examine_title_bottom_position` is about has this text.
const TITLE: &str = "Product Comparison";
/// The shape that `examine_shape_for_shift_size` is about has this text.
const RESIZED: &str = "Elaborate on what you want to discuss.";
/// The number of the slide that `examine_table_bottom_position` is about.
const TABLE_SLIDE: usize = 3;
/// The number of the slide that `examine_right_position` and `examine_top_position` are about.
const MOVED_SLIDE: usize = 2;
/// The bottom of a slide is from here on, in EMU.
const BOTTOM: i64 = 3_600_000;
/// The right side of a slide is from here on, in EMU.
const RIGHT: i64 = 4_320_000;
/// The top of a slide is up to here, in EMU.
const TOP: i64 = 1_980_000;

/// The presentations agree in all that the options name. The released code fails for a reference too that it cannot read.
fn compare_pptx_files(params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    let examine = Examine::read(params)?;
    let reference = if case.rules == Rules::Code { Role::Made } else { Role::Reference };
    let expected = read(case, params.text("expected")?, reference, Presentation::read)?;
    let found = read(case, params.text("result")?, Role::Made, Presentation::read)?;
    verdict(&expected, &found, &examine, case.rules)
}

fn verdict(
    expected: &Presentation,
    found: &Presentation,
    examine: &Examine,
    rules: Rules,
) -> Result<(), Finding> {
    let wanted = expected.slides.len();
    let given = found.slides.len();
    if wanted != given && examine.number_of_slides {
        return Err(Finding::Fail(format!("there are {given} slides, expected are {wanted}")));
    }
    match rules {
        Rules::Standard => standard::compare(expected, found, examine),
        Rules::Code => code::compare(expected, found, examine),
    }
}

/// A place for sentences.
fn place(slide: usize, shape: usize, name: &str) -> String {
    format!("shape {shape} ({}) of slide {slide}", crate::office::quote(name))
}

#[cfg(test)]
mod tests;
