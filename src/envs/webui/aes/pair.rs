//! The score of a matched pair: its attributes and its position, weighed.

use super::bounds::Bounds;
use super::rules::{PaperRule, Rules};
use super::table;
use super::table::{Attribute, Kind, Meaning, Meanings};
use super::value::Reading;
use super::view::View;

/// The weight of the position beside the attributes.
const POSITION_WEIGHT: f64 = 46.0;

/// A compared attribute of a pair.
#[derive(Debug)]
pub(super) struct Part<'a> {
    /// The name in `data-evalby`.
    pub(super) name: &'a str,
    /// The attribute that it stands for; nothing if the name has no effect.
    pub(super) attribute: Option<&'static Attribute>,
    /// How alike the values are; nothing if they cannot be compared.
    pub(super) value: Option<f64>,
    /// Its share of the weights of the pair: of a shorthand, the weight through the number of compared parts.
    pub(super) weight: f64,
}

/// A matched pair.
#[derive(Debug)]
pub(super) struct Comparison<'a> {
    pub(super) parts: Vec<Part<'a>>,
    /// How well the positions agree.
    pub(super) position: f64,
    pub(super) position_weight: f64,
    /// All weights together.
    pub(super) weight: f64,
    /// The score, the weighed mean of all values.
    pub(super) score: f64,
}

impl<'a> Comparison<'a> {
    pub(super) fn new(target: View<'a>, generated: View<'_>, meanings: &Meanings<'_>, rules: Rules) -> Self {
        let mut comparison = Self::without_parts(target, generated, rules);
        let mut sum = 0.0;
        let mut weight = 0.0;
        for name in table::names(target.element) {
            let named = (name, meanings.of(name));
            let (value, weighed) = comparison.add(named, target, generated, rules);
            sum += value;
            weight += weighed;
        }
        sum += comparison.position * comparison.position_weight;
        comparison.weight = weight + comparison.position_weight;
        // Nothing to compare: the match is all that the annotation demands.
        comparison.score = if comparison.weight > 0.0 { sum / comparison.weight } else { 1.0 };
        comparison
    }

    fn without_parts(target: View<'_>, generated: View<'_>, rules: Rules) -> Self {
        let position = Bounds::of(target.element).position(&Bounds::of(generated.element));
        let position_weight = if rules.has(PaperRule::NoPositionWeight) { 0.0 } else { POSITION_WEIGHT };
        Self { parts: Vec::new(), position, position_weight, weight: 0.0, score: 0.0 }
    }

    /// Adds what a name stands for; the means of value times weight and of weight over what can be compared.
    fn add(
        &mut self,
        (name, meaning): (&'a str, &Meaning),
        target: View<'_>,
        generated: View<'_>,
        rules: Rules,
    ) -> (f64, f64) {
        let start = self.parts.len();
        let attributes = meaning.attributes(target.style("background"));
        self.parts.extend(attributes.iter().map(|attribute| part(name, attribute, target, generated, rules)));
        if self.parts.len() == start {
            self.parts.push(Part { name, attribute: None, value: None, weight: 0.0 });
        }
        mean(&mut self.parts[start..])
    }

    /// The part of the score that the position costs.
    pub(super) fn lost_by_position(&self) -> f64 {
        if self.weight > 0.0 { self.position_weight * (1.0 - self.position) / self.weight } else { 0.0 }
    }
}

fn part<'a>(
    name: &'a str,
    attribute: &'static Attribute,
    target: View<'_>,
    generated: View<'_>,
    rules: Rules,
) -> Part<'a> {
    let reading = |view| Reading::new(attribute.kind, view, rules, usize::MAX);
    let compared = attribute.kind != Kind::Class;
    let value = compared.then(|| reading(target).likeness(&reading(generated), rules)).flatten();
    Part { name, attribute: Some(attribute), value, weight: 0.0 }
}

/// The means of value times weight and of weight over the compared parts, which then have their share of the weight.
fn mean(parts: &mut [Part<'_>]) -> (f64, f64) {
    let mut sum = 0.0;
    let mut weight = 0.0;
    let mut count = 0.0;
    for part in &*parts {
        if let (Some(value), Some(attribute)) = (part.value, part.attribute) {
            sum += value * attribute.weight;
            weight += attribute.weight;
            count += 1.0;
        }
    }
    if count == 0.0 {
        return (0.0, 0.0);
    }
    for part in parts.iter_mut().filter(|part| part.value.is_some()) {
        part.weight = part.attribute.map_or(0.0, |attribute| attribute.weight / count);
    }
    (sum / count, weight / count)
}
