//! Backgrounds as the released code takes them apart.

use super::super::rules::Rules;
use super::shadow::whole_colours;
use super::{colour, length};

/// The mean over the opaque colours of two whole backgrounds, as many as the shorter list has.
pub(super) fn gradient(target: &str, generated: &str, rules: Rules) -> Option<f64> {
    let mut sum = 0.0;
    let mut count = 0.0;
    for (target, generated) in opaque_colours(target).zip(opaque_colours(generated)) {
        sum += colour::likeness(target, generated, rules)?;
        count += 1.0;
    }
    (count > 0.0).then(|| sum / count)
}

fn opaque_colours(background: &str) -> impl Iterator<Item = &str> {
    whole_colours(background, "rgb(", 3)
}

/// The mean of width and height, both in pixels on both sides.
pub(super) fn size(target: &str, generated: &str, rules: Rules) -> Option<f64> {
    let target = two(target)?;
    let generated = two(generated)?;
    let width = length::likeness(target.0, generated.0, rules)?;
    let height = length::likeness(target.1, generated.1, rules)?;
    Some(f64::midpoint(width, height))
}

fn two(size: &str) -> Option<(&str, &str)> {
    size.split_once(' ').filter(|(_, height)| !height.contains(' '))
}
