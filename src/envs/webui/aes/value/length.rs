//! Lengths: one minus the relative difference to the target's, at least 0.

use super::super::python::number;
use super::super::rules::{PaperRule, Rules};
use super::equal;

/// A computed length.
#[derive(Debug)]
pub(in super::super) struct Length<'a> {
    source: &'a str,
    pixels: Option<f64>,
}

impl<'a> Length<'a> {
    /// Keywords, percentages and several lengths are not numbers.
    pub(super) fn new(source: &'a str) -> Self {
        Self { source, pixels: number(source.trim_matches(['p', 'x'])) }
    }

    pub(super) fn likeness(&self, generated: &Self, rules: Rules) -> Option<f64> {
        if let (Some(target), Some(generated)) = (self.pixels, generated.pixels) {
            return Some(relative(target, generated, rules));
        }
        rules.has(PaperRule::CompareMissing).then(|| self.inexact(generated, rules))
    }

    fn inexact(&self, generated: &Self, rules: Rules) -> f64 {
        match (self.percent(), generated.percent()) {
            (Some(target), Some(generated)) => relative(target, generated, rules),
            _ => equal(&self.source, &generated.source),
        }
    }

    fn percent(&self) -> Option<f64> {
        number(self.source.strip_suffix('%')?)
    }
}

/// The same for two texts.
pub(super) fn likeness(target: &str, generated: &str, rules: Rules) -> Option<f64> {
    Length::new(target).likeness(&Length::new(generated), rules)
}

/// A negative length of the target gives 1 or more as released.
fn relative(target: f64, generated: f64, rules: Rules) -> f64 {
    let unit = if rules.has(PaperRule::BoundedLengths) { target.abs() } else { target };
    let difference =
        if target == 0.0 { f64::from(generated != 0.0) } else { (generated - target).abs() / unit };
    if difference < 1.0 { 1.0 - difference } else { 0.0 }
}
