//! Handlers of what is where in a picture: a triangle, a text, a background.

use std::collections::BTreeMap;

use super::color::brightness;
use super::picture::{Form, Picture};
use super::{made, reference};
use crate::handlers::{Case, Finding, Params, Rules};

/// How far from the centre the triangle, and from the left side the text may be, as a share of the side.
const NEAR: f64 = 0.05;
/// Pixels below this brightness are text.
const DARK: u8 = 128;

/// The centre of the triangle is within 5 % of the centre of the picture (`AgentStudio`, section 5 of the rules). By the
/// standard rules the triangle has the second most frequent colour of the picture over white, the background the most
/// frequent one. The released code takes the second-rarest colour, which is the background if there are two, and cannot
/// judge a grey picture or a palette (section 11).
pub(super) fn triangle_position(params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    let picture = made(params, case, "tgt_path")?;
    let picture = match (case.rules, picture.form) {
        (Rules::Standard, _) => picture.over_white(),
        (Rules::Code, Form::Grey | Form::Palette) => {
            return Err(Finding::error("the released code cannot judge a picture in grey or with a palette"));
        }
        (Rules::Code, _) => picture,
    };
    let mut colors: BTreeMap<[u8; 4], u64> = BTreeMap::new();
    for pixel in &picture.pixels {
        *colors.entry(*pixel).or_default() += 1;
    }
    let mut by_count: Vec<([u8; 4], u64)> = colors.into_iter().collect();
    by_count.sort_by_key(|(_, count)| *count);
    let color = match case.rules {
        Rules::Standard => by_count.iter().rev().nth(1),
        Rules::Code => by_count.get(1),
    };
    let Some((color, _)) = color else {
        return Err(match case.rules {
            Rules::Standard => Finding::fail("the picture has one colour, and no triangle"),
            Rules::Code => Finding::error("the released code cannot judge a picture with one colour"),
        });
    };
    let (right, down) = centroid(&picture, *color);
    if right.abs() < NEAR && down.abs() < NEAR {
        return Ok(());
    }
    let percent = |share: f64| 100.0 * share;
    Err(Finding::fail(format!(
        "the triangle is {:.1} % of the width and {:.1} % of the height away from the centre, expected is below 5 %",
        percent(right),
        percent(down)
    )))
}

/// The mean place of a colour, as shares of width and height from the centre.
#[expect(clippy::cast_precision_loss, reason = "a picture has fewer than 2^26 pixels")]
fn centroid(picture: &Picture, color: [u8; 4]) -> (f64, f64) {
    let (mut x, mut y, mut count) = (0_u64, 0_u64, 0_u64);
    for (row, pixels) in picture.pixels.chunks(picture.width).enumerate() {
        for (column, _) in pixels.iter().enumerate().filter(|(_, pixel)| **pixel == color) {
            x += column as u64;
            y += row as u64;
            count += 1;
        }
    }
    let share = |sum: u64, side: usize| (sum as f64 / count.max(1) as f64 - side as f64 / 2.0) / side as f64;
    (share(x, picture.width), share(y, picture.height))
}

/// The leftmost dark pixel is within 5 % of the left side (`AgentStudio`, section 5 of the rules). The standard rules see
/// the picture over white; in the released code a transparent pixel has the colour that is stored, mostly black.
pub(super) fn textbox_on_left(params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    let mut picture = made(params, case, "src_path")?;
    if case.rules == Rules::Standard {
        picture = picture.over_white();
    }
    let plane = brightness(&picture);
    let rows = plane.samples.chunks(plane.width);
    let leftmost = rows.filter_map(|row| row.iter().position(|sample| *sample < DARK)).min();
    #[expect(clippy::cast_precision_loss, reason = "a picture has fewer than 2^26 pixels")]
    match leftmost {
        Some(x) if (x as f64) < plane.width as f64 * NEAR => Ok(()),
        Some(x) => {
            let share = 100.0 * x as f64 / plane.width as f64;
            Err(Finding::fail(format!("the text begins at {share:.1} % of the width, expected is below 5 %")))
        }
        None => Err(Finding::fail("the picture has no dark text")),
    }
}

/// Every pixel that is not black in the other picture is more green than red and blue (`AgentStudio`, section 5 of the
/// rules). By the standard rules another size is a fail. The released code exchanges x and y, so a picture that is not
/// square is an error unless a pixel fails before; it cannot judge grey or a palette.
pub(super) fn green_background(params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    let expected = reference(params, case)?;
    let found = made(params, case, "src_path")?;
    match case.rules {
        Rules::Standard => {
            let size = |picture: &Picture| (picture.width, picture.height);
            if size(&found) != size(&expected) {
                let sentence =
                    format!("the picture is {:?}, expected is {:?}", size(&found), size(&expected));
                return Err(Finding::Fail(sentence));
            }
            let pairs = expected.pixels.iter().zip(&found.pixels);
            let wrong = pairs
                .enumerate()
                .find(|(_, (expected, found))| is_background(**expected) && !is_green(**found));
            wrong.map_or(Ok(()), |(index, _)| Err(not_green(index % found.width, index / found.width)))
        }
        Rules::Code => exchanged(&found, &expected),
    }
}

fn exchanged(found: &Picture, expected: &Picture) -> Result<(), Finding> {
    let is_scalar = |picture: &Picture| matches!(picture.form, Form::Grey | Form::GreyAlpha | Form::Palette);
    if is_scalar(found) || is_scalar(expected) {
        return Err(Finding::error("the released code cannot judge a picture in grey or with a palette"));
    }
    let at = |picture: &Picture, row: usize, column: usize| {
        let row = picture.pixels.chunks(picture.width).nth(row);
        let pixel = row.and_then(|row| row.get(column)).copied();
        pixel.ok_or_else(|| Finding::error("the released code leaves the picture"))
    };
    for x in 0..expected.width {
        for y in 0..expected.height {
            if is_background(at(expected, x, y)?) && !is_green(at(found, x, y)?) {
                return Err(not_green(x, y));
            }
        }
    }
    Ok(())
}

fn is_background(pixel: [u8; 4]) -> bool {
    !matches!(pixel, [0, 0, 0, _])
}

fn is_green(pixel: [u8; 4]) -> bool {
    let [red, green, blue, _] = pixel;
    green > red && green > blue
}

fn not_green(x: usize, y: usize) -> Finding {
    Finding::fail(format!("the background at ({x}, {y}) is not green"))
}
