//! How alike two values of an attribute are, from 0 to 1; nothing if they cannot be compared.

mod background;
mod colour;
mod layers;
mod length;
mod shadow;
mod text;

use std::borrow::Cow;

use super::python::strip;
use super::rules::{PaperRule, Rules};
use super::table::Kind;
use super::view::View;

use colour::Colour;
use length::Length;
use text::Text;

/// Beyond every value that the numbers of a browser give: they have single precision.
const LARGEST: f64 = 1e100;

/// The value of an attribute of one element, parsed.
#[derive(Debug)]
pub(super) enum Reading<'a> {
    /// Equal to every other.
    Constant,
    HasText(bool),
    Text(Text<'a>),
    Colour(Colour<'a>),
    Length(Length<'a>),
    Word(Cow<'a, str>),
    /// A kind that cannot be a filter.
    List(Kind, &'a str),
}

impl<'a> Reading<'a> {
    /// Reads an attribute. A text with more than `limit` different words has nothing in common with any other.
    pub(super) fn new(kind: Kind, view: View<'a>, rules: Rules, limit: usize) -> Self {
        let source = view.source(kind, rules);
        match kind {
            Kind::HasText if rules.has(PaperRule::RealAttributes) => Self::HasText(!strip(source).is_empty()),
            Kind::HasText => Self::Constant,
            Kind::Text | Kind::Field(_) => Self::Text(Text::new(source, limit)),
            Kind::Colour(_) => Self::Colour(Colour::new(source)),
            Kind::Length(_) | Kind::TopWidth => Self::Length(Length::new(source)),
            Kind::Html(_) | Kind::Word(_) => Self::Word(view.relative(source, rules)),
            Kind::Class => Self::Word(Cow::Borrowed(source)),
            Kind::TextShadow | Kind::BoxShadow | Kind::Gradient | Kind::BackgroundSize => {
                Self::List(kind, source)
            }
        }
    }

    /// The most different words that a text may have to be as alike as a filter demands.
    pub(super) fn word_limit(&self, rules: Rules) -> usize {
        match self {
            Self::Text(text) => text.word_limit(rules),
            _ => 0,
        }
    }

    /// How alike the generated value is to this one of the target.
    pub(super) fn likeness(&self, generated: &Self, rules: Rules) -> Option<f64> {
        self.compare(generated, rules).filter(|value| value.abs() <= LARGEST)
    }

    /// The same, infinite or not a number if the values are.
    fn compare(&self, generated: &Self, rules: Rules) -> Option<f64> {
        match (self, generated) {
            (Self::Constant, Self::Constant) => Some(1.0),
            (Self::HasText(target), Self::HasText(generated)) => Some(equal(target, generated)),
            (Self::Text(target), Self::Text(generated)) => Some(target.likeness(generated, rules)),
            (Self::Colour(target), Self::Colour(generated)) => target.likeness(generated, rules),
            (Self::Length(target), Self::Length(generated)) => target.likeness(generated, rules),
            (Self::Word(target), Self::Word(generated)) => Some(equal(target, generated)),
            (Self::List(kind, target), Self::List(_, generated)) => list(*kind, target, generated, rules),
            _ => None,
        }
    }

    /// Whether the generated value passes as a filter of this one of the target; nothing if they cannot be compared.
    pub(super) fn passes(&self, generated: &Self, rules: Rules) -> Option<bool> {
        let least = match self {
            Self::Text(_) => 0.6,
            Self::Colour(_) | Self::Length(_) => 0.01,
            _ => 0.5,
        };
        self.compare(generated, rules).map(|value| value > least)
    }
}

fn equal<T: PartialEq>(target: &T, generated: &T) -> f64 {
    f64::from(target == generated)
}

fn list(kind: Kind, target: &str, generated: &str, rules: Rules) -> Option<f64> {
    let compare = match (kind, rules.has(PaperRule::CompareMissing)) {
        (Kind::TextShadow, false) => shadow::text_shadow,
        (Kind::BoxShadow, false) => shadow::box_shadow,
        (Kind::Gradient, false) => background::gradient,
        (Kind::BackgroundSize, false) => background::size,
        (Kind::TextShadow | Kind::BoxShadow, true) => layers::shadows,
        (Kind::Gradient, true) => layers::colours,
        (Kind::BackgroundSize, true) => layers::sizes,
        _ => return None,
    };
    compare(target, generated, rules)
}
