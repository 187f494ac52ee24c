//! Handlers that compare the structure of two pictures.
//!
//! The standard rules see pictures over white, in red, green and blue, by windows of 7 x 7 (smaller for a smaller
//! picture), and a picture of another size is a fail. The released code compares the channels that the files store; those
//! of grey pictures and of hue and value column by column, and another size, another number of channels, a palette or a
//! black picture is an error (section 11 of the rules).

use super::color::{brightened, brightness, deviation, hsv, mean, squared_error};
use super::picture::{Form, Picture};
use super::plane::{self, Plane, SIDE, Window};
use super::resize::resized;
use super::{made, reference};
use crate::handlers::{Case, Finding, Params, Rules};

/// The least similarity of pictures that are the same to a person.
const SIMILAR: f64 = 0.9;
/// The least similarity of a mirrored picture.
const MIRRORED: f64 = 0.99;
/// The least similarity of a picture with another contrast.
const SIMILAR_IN_CONTRAST: f64 = 0.65;
/// The most squared difference of pictures with the same structure.
const MOST_ERROR: f64 = 0.03;
/// The mean brightness that both pictures get before they are compared.
const BRIGHTNESS: f64 = 128.0;

/// Both pictures, as the rules see them.
fn both(params: &Params<'_>, case: &mut Case<'_>) -> Result<(Picture, Picture), Finding> {
    let expected = reference(params, case)?;
    let found = made(params, case, "src_path")?;
    match case.rules {
        Rules::Standard => Ok((found.over_white(), expected.over_white())),
        Rules::Code => Ok((found, expected)),
    }
}

/// The channels that are compared.
fn channels(picture: &Picture) -> Result<Vec<Plane>, Finding> {
    picture.stored().ok_or_else(|| Finding::error("the released code cannot compare pictures with a palette"))
}

/// Another size, or another number of channels.
fn incomparable(found: &[Plane], expected: &[Plane], rules: Rules) -> Finding {
    let words = |planes: &[Plane]| match planes.first() {
        Some(plane) => format!("{} x {} in {} channels", plane.width, plane.height, planes.len()),
        None => "nothing".to_owned(),
    };
    let sentence = format!("the picture is {}, expected is {}", words(found), words(expected));
    match rules {
        Rules::Standard => Finding::Fail(sentence),
        Rules::Code => Finding::Error(sentence),
    }
}

/// The mean similarity of the channels of two pictures.
fn similarity(found: &[Plane], expected: &[Plane], rules: Rules) -> Result<f64, Finding> {
    let window = match (rules, expected) {
        (Rules::Code, [_]) => Window::COLUMN,
        (Rules::Code, _) => Window::SQUARE,
        (Rules::Standard, planes) => planes.first().map_or(Window::SQUARE, Window::fitting),
    };
    let measured = (found.len() == expected.len()).then(|| {
        found.iter().zip(expected).map(|(a, b)| plane::similarity(a, b, window)).collect::<Option<Vec<f64>>>()
    });
    let measured = measured.flatten().filter(|measured| !measured.is_empty());
    let is_small = found.iter().chain(expected).any(|plane| plane.width.min(plane.height) < SIDE);
    #[expect(clippy::cast_precision_loss, reason = "there are at most four channels")]
    match measured {
        Some(measured) => Ok(measured.iter().sum::<f64>() / measured.len() as f64),
        None if is_small && rules == Rules::Code => {
            Err(Finding::error(format!("the released code cannot compare pictures below {SIDE} pixels")))
        }
        None => Err(incomparable(found, expected, rules)),
    }
}

fn at_least(found: &[Plane], expected: &[Plane], least: f64, rules: Rules) -> Result<(), Finding> {
    let similarity = similarity(found, expected, rules)?;
    if similarity >= least {
        return Ok(());
    }
    Err(Finding::fail(format!("the structural similarity is {similarity:.4}, expected is at least {least}")))
}

/// The structure is the same (`AgentStudio`, section 5 of the rules).
pub(super) fn structure(params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    let (found, expected) = both(params, case)?;
    at_least(&channels(&found)?, &channels(&expected)?, SIMILAR, case.rules)
}

/// The structure is the same after the picture got the size of the other one (`AgentStudio`, section 5 of the rules).
pub(super) fn structure_resized(params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    let (found, expected) = both(params, case)?;
    let same_size = resized(&channels(&found)?, expected.width, expected.height);
    at_least(&same_size, &channels(&expected)?, SIMILAR, case.rules)
}

/// The picture is the other one with left and right exchanged (`AgentStudio`, section 5 of the rules).
pub(super) fn mirror(params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    let (found, expected) = both(params, case)?;
    at_least(&channels(&found.mirrored())?, &channels(&expected)?, MIRRORED, case.rules)
}

/// The file has a palette, and the structure is the same (`AgentStudio`, section 5 of the rules).
pub(super) fn palette(params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    let expected = reference(params, case)?;
    let found = made(params, case, "src_path")?;
    if found.form != Form::Palette {
        return Err(Finding::fail("the colours of the picture are not in a palette"));
    }
    match case.rules {
        Rules::Standard => {
            at_least(&found.over_white().rgb(), &expected.over_white().rgb(), SIMILAR, case.rules)
        }
        Rules::Code => at_least(&found.rgb(), &channels(&expected)?, SIMILAR, case.rules),
    }
}

/// The picture is darker, and the same after both are scaled to one mean brightness (`AgentStudio`, section 5 of the
/// rules).
pub(super) fn brightness_decrease(params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    let (found, expected) = both(params, case)?;
    let dark = mean(&[brightness(&found)]);
    let light = mean(&[brightness(&expected)]);
    if case.rules == Rules::Code && dark.min(light) == 0.0 {
        return Err(Finding::error("the released code cannot judge a black picture"));
    }
    if dark >= light {
        return Err(Finding::fail(format!("the mean brightness is {dark:.2}, expected is below {light:.2}")));
    }
    if dark == 0.0 {
        return Err(Finding::fail("the picture is black, expected is a darker one with the same structure"));
    }
    let scaled = |picture: &Picture, mean: f64| -> Result<Vec<Plane>, Finding> {
        Ok(channels(picture)?.iter().map(|plane| brightened(plane, BRIGHTNESS / mean)).collect())
    };
    let (found, expected) = (scaled(&found, dark)?, scaled(&expected, light)?);
    let error = squared_error(&found, &expected);
    let error = error.ok_or_else(|| incomparable(&found, &expected, case.rules))?;
    if error < MOST_ERROR {
        return Ok(());
    }
    Err(Finding::fail(format!("the squared difference is {error:.4}, expected is below {MOST_ERROR}")))
}

/// The picture has more saturation, and the structure of hue and value is the same (`AgentStudio`, section 5 of the
/// rules).
pub(super) fn saturation_increase(params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    let (found, expected) = both(params, case)?;
    let [hue, saturation, value] = hsv(&found);
    let [other_hue, other_saturation, other_value] = hsv(&expected);
    let high = mean(&[saturation]);
    let low = mean(&[other_saturation]);
    if high <= low {
        return Err(Finding::fail(format!("the mean saturation is {high:.2}, expected is above {low:.2}")));
    }
    at_least(&[hue], &[other_hue], SIMILAR, case.rules)?;
    at_least(&[value], &[other_value], SIMILAR, case.rules)
}

/// The picture has more contrast, the deviation of its samples, and nearly the same structure (`AgentStudio`, section 5
/// of the rules).
pub(super) fn contrast_increase(params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    let (found, expected) = both(params, case)?;
    let (found, expected) = (channels(&found)?, channels(&expected)?);
    let high = deviation(&found);
    let low = deviation(&expected);
    if high <= low {
        return Err(Finding::fail(format!("the contrast is {high:.2}, expected is above {low:.2}")));
    }
    at_least(&found, &expected, SIMILAR_IN_CONTRAST, case.rules)
}
