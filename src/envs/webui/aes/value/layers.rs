//! Lists of shadows, colours and sizes, compared layer by layer; one that is missing on either side counts 0. The
//! paper compares them, the released code skips most.

use super::super::rules::Rules;
use super::{colour, length};

/// The mean over the shadows: colour with weight 2, each length with weight 1, and 0 if one is inset and one is not.
pub(super) fn shadows(target: &str, generated: &str, rules: Rules) -> Option<f64> {
    mean(&present(target), &present(generated), |target, generated| {
        Shadow::new(target).likeness(&Shadow::new(generated), rules)
    })
}

/// The mean over the colours of two gradients.
pub(super) fn colours(target: &str, generated: &str, rules: Rules) -> Option<f64> {
    mean(&colours_of(target), &colours_of(generated), |target, generated| {
        colour::likeness(target, generated, rules)
    })
}

/// The mean over the sizes of a background's layers.
pub(super) fn sizes(target: &str, generated: &str, rules: Rules) -> Option<f64> {
    mean(&outer_pieces(target, ','), &outer_pieces(generated, ','), |target, generated| {
        let target = two(target);
        let generated = two(generated);
        let width = length::likeness(target.0, generated.0, rules)?;
        Some(f64::midpoint(width, length::likeness(target.1, generated.1, rules)?))
    })
}

/// The mean over the longer list; two empty lists are equal.
#[expect(clippy::cast_precision_loss, reason = "a style has fewer layers than a float has whole numbers")]
fn mean(target: &[&str], generated: &[&str], value: impl Fn(&str, &str) -> Option<f64>) -> Option<f64> {
    let count = target.len().max(generated.len());
    let values = target.iter().zip(generated).map(|(target, generated)| value(target, generated));
    let sum: f64 = values.sum::<Option<f64>>()?;
    Some(if count == 0 { 1.0 } else { sum / count as f64 })
}

/// The parts of one shadow in any order.
struct Shadow<'a> {
    inset: bool,
    colour: &'a str,
    lengths: Vec<&'a str>,
}

impl<'a> Shadow<'a> {
    fn new(text: &'a str) -> Self {
        let pieces = outer_pieces(text, ' ');
        let (colours, others): (Vec<_>, Vec<_>) = pieces.into_iter().partition(|piece| piece.contains('('));
        let (insets, lengths): (Vec<_>, Vec<_>) = others.into_iter().partition(|piece| *piece == "inset");
        Self { inset: !insets.is_empty(), colour: colours.first().copied().unwrap_or_default(), lengths }
    }

    #[expect(clippy::cast_precision_loss, reason = "a shadow has four lengths")]
    fn likeness(&self, other: &Self, rules: Rules) -> Option<f64> {
        if self.inset != other.inset {
            return Some(0.0);
        }
        let mut sum = 2.0 * colour::likeness(self.colour, other.colour, rules)?;
        for (target, generated) in self.lengths.iter().zip(&other.lengths) {
            sum += length::likeness(target, generated, rules)?;
        }
        Some(sum / (2 + self.lengths.len().max(other.lengths.len())) as f64)
    }
}

/// The layers of a list that may be `none`.
fn present(list: &str) -> Vec<&str> {
    if list == "none" { Vec::new() } else { outer_pieces(list, ',') }
}

/// The trimmed pieces between separators outside parentheses, without empty ones.
fn outer_pieces(text: &str, separator: char) -> Vec<&str> {
    let mut depth = 0_usize;
    let outside = |letter: char| {
        depth = if letter == '(' { depth + 1 } else { depth.saturating_sub(usize::from(letter == ')')) };
        depth == 0 && letter == separator
    };
    text.split(outside).map(str::trim).filter(|piece| !piece.is_empty()).collect()
}

/// The colours in red, green and blue.
fn colours_of(image: &str) -> Vec<&str> {
    let mut colours = Vec::new();
    let mut rest = image;
    while let Some((_, from)) = rest.find("rgb").map(|start| rest.split_at(start)) {
        let Some(end) = from.find(')') else { break };
        let (colour, after) = from.split_at(end + 1);
        colours.push(colour);
        rest = after;
    }
    colours
}

/// Width and height; one value sets both.
fn two(size: &str) -> (&str, &str) {
    size.split_once(' ').unwrap_or((size, size))
}
