//! Why a pair has its score: every attribute with both values, and the points that it costs.

use serde::{Deserialize, Serialize};

use super::super::snapshot::Snapshot;
use super::bounds::Bounds;
use super::pair::{Comparison, Part};
use super::rules::Rules;
use super::table::Meanings;
use super::view::{Page, View};

/// The maximum length of a value, in characters; a longer one is cut and ends with `…`.
const SHOWN_CHARACTERS: usize = 300;

/// Why a matched pair has its score. The score and everything that is lost sum to 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Explanation {
    /// The index of the target in its snapshot.
    pub target: usize,
    /// The index of the generated element in its snapshot.
    pub generated: usize,
    /// The score of the pair.
    pub score: f64,
    /// The generalized intersection over union of the rectangles, from -1 to 1, which the pairing uses.
    pub giou: f64,
    /// How well the positions agree.
    pub position: PositionPart,
    /// The names in `data-evalby`, in order, shorthands part by part.
    pub attributes: Vec<AttributePart>,
}

/// The position of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PositionPart {
    /// From 0 to 1.
    pub value: f64,
    /// Its weight, in the unit of the attributes' weights.
    pub weight: f64,
    /// The part of the score that it costs.
    pub lost: f64,
}

/// An attribute of a pair.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AttributePart {
    /// The attribute, or a name that adds nothing.
    pub name: String,
    /// The shorthand that it is a part of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shorthand: Option<String>,
    /// The target's value.
    pub target: String,
    /// The generated value.
    pub generated: String,
    /// How alike the values are; nothing if they were not compared, so that the attribute does not count.
    pub value: Option<f64>,
    /// Its weight; of a part of a shorthand, divided by the number of compared parts.
    pub weight: f64,
    /// The part of the score that it costs.
    pub lost: f64,
}

/// Why a pair has its score; nothing if a snapshot has no such element.
pub fn explain(
    target: &Snapshot,
    generated: &Snapshot,
    pair: (usize, usize),
    rules: Rules,
) -> Option<Explanation> {
    let pages = (Page::new(target), Page::new(generated));
    let meanings = Meanings::new(std::slice::from_ref(target.elements.get(pair.0)?), rules);
    let target = pages.0.view(pair.0)?;
    let generated = pages.1.view(pair.1)?;
    let comparison = Comparison::new(target, generated, &meanings, rules);
    let part = |part| attribute(part, &comparison, target, generated, rules);
    Some(Explanation {
        target: pair.0,
        generated: pair.1,
        score: comparison.score,
        giou: Bounds::of(target.element).giou(&Bounds::of(generated.element)),
        position: PositionPart {
            value: comparison.position,
            weight: comparison.position_weight,
            lost: comparison.lost_by_position(),
        },
        attributes: comparison.parts.iter().map(part).collect(),
    })
}

fn attribute(
    part: &Part<'_>,
    whole: &Comparison<'_>,
    target: View<'_>,
    generated: View<'_>,
    rules: Rules,
) -> AttributePart {
    let name = part.attribute.map_or(part.name, |attribute| attribute.name);
    let kind = part.attribute.map(|attribute| attribute.kind);
    let source = |view: View<'_>| kind.map_or_else(String::new, |kind| short(view.source(kind, rules)));
    AttributePart {
        name: short(name),
        shorthand: (name != part.name).then(|| part.name.to_owned()),
        target: source(target),
        generated: source(generated),
        value: part.value,
        weight: part.weight,
        lost: part.value.map_or(0.0, |value| part.weight * (1.0 - value) / whole.weight),
    }
}

fn short(text: &str) -> String {
    match text.char_indices().nth(SHOWN_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
