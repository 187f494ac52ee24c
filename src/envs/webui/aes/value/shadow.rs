//! Shadows as the released code takes them apart: by spaces and by patterns of opaque colours.

use super::super::rules::Rules;
use super::{colour, length};

/// One outer shadow in an opaque colour on both sides; all others cannot be compared.
pub(super) fn box_shadow(target: &str, generated: &str, rules: Rules) -> Option<f64> {
    let target = parts(target)?;
    let generated = parts(generated)?;
    let mut sum = colour::likeness(target.0, generated.0, rules)? * 2.0;
    for (target, generated) in target.1.into_iter().zip(generated.1) {
        sum += length::likeness(target, generated, rules)?;
    }
    Some(sum / 6.0)
}

/// The colour, and the last four pieces. A translucent colour loses a piece and so cannot be read.
fn parts(shadow: &str) -> Option<(&str, [&str; 4])> {
    let mut pieces = shadow.rsplitn(5, ' ');
    let spread = pieces.next()?;
    let blur = pieces.next()?;
    let y = pieces.next()?;
    let x = pieces.next()?;
    let colour = pieces.next().unwrap_or_default();
    let cut = shadow.contains("rgba(");
    let colour = if cut { colour.rsplit_once(' ').map_or("", |(before, _)| before) } else { colour };
    Some((colour, [x, y, blur, spread]))
}

/// The first colour with weight 2, and each pair of lengths with weight 1. Different numbers of colours count 0.
pub(super) fn text_shadow(target: &str, generated: &str, rules: Rules) -> Option<f64> {
    let mut sum = 0.0;
    let mut weight = 0.0;
    if target.contains("rgb") {
        let target = shadow_colours(target);
        let generated = shadow_colours(generated);
        weight += 2.0;
        if target.len() == generated.len() {
            sum += colour::likeness(target.first()?, generated.first()?, rules)? * 2.0;
        }
    }
    for (target, generated) in pixel_pieces(target).zip(pixel_pieces(generated)) {
        sum += length::likeness(target, generated, rules)?;
        weight += 1.0;
    }
    (weight > 0.0).then(|| sum / weight)
}

fn pixel_pieces(shadow: &str) -> impl Iterator<Item = &str> {
    shadow.split(' ').filter(|piece| piece.ends_with("px"))
}

/// The colours with a whole alpha, then the opaque ones.
fn shadow_colours(shadow: &str) -> Vec<&str> {
    whole_colours(shadow, "rgba(", 4).chain(whole_colours(shadow, "rgb(", 3)).collect()
}

/// The colours of this form with `count` whole numbers.
pub(super) fn whole_colours<'a>(text: &'a str, form: &'a str, count: usize) -> impl Iterator<Item = &'a str> {
    text.match_indices(form).filter_map(move |(start, _)| {
        let length = numbers_length(&text[start + form.len()..], count)?;
        Some(&text[start..start + form.len() + length])
    })
}

/// The length of `count` whole numbers with commas and a closing parenthesis.
fn numbers_length(text: &str, count: usize) -> Option<usize> {
    let mut rest = text;
    for index in 0..count {
        let after = rest.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let end = if index + 1 == count { ")" } else { ", " };
        rest = after.strip_prefix(end).filter(|_| after.len() < rest.len())?;
    }
    Some(text.len() - rest.len())
}
