//! The attributes by name: weights, kinds, shorthands, and names without effect.
//!
//! The weights come from a particle swarm that was fitted to rankings by people (MageBench, supplement A.1.3).

use rustc_hash::FxHashMap;

use super::super::snapshot::Element;
use super::rules::{PaperRule, Rules};

/// An attribute that can be compared.
#[derive(Debug)]
pub(super) struct Attribute {
    pub(super) name: &'static str,
    pub(super) weight: f64,
    pub(super) kind: Kind,
}

/// What an attribute reads and how it is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Whether there is text.
    HasText,
    /// The visible text.
    Text,
    /// A field's text in the HTML.
    Field(&'static str),
    /// A word in the HTML.
    Html(&'static str),
    /// A computed colour.
    Colour(&'static str),
    /// A computed length in pixels.
    Length(&'static str),
    /// The width of the top border, which the released code reads on the left.
    TopWidth,
    /// A computed style that is equal or not.
    Word(&'static str),
    /// The raw attribute `class`, only as a filter.
    Class,
    TextShadow,
    BoxShadow,
    /// The colours of a gradient.
    Gradient,
    BackgroundSize,
}

impl Kind {
    /// Whether it can choose partners.
    pub(super) fn is_filter(self) -> bool {
        !matches!(self, Self::TextShadow | Self::BoxShadow | Self::Gradient | Self::BackgroundSize)
    }
}

const fn row(name: &'static str, weight: f64, kind: Kind) -> Attribute {
    Attribute { name, weight, kind }
}

const fn colour(name: &'static str, weight: f64) -> Attribute {
    row(name, weight, Kind::Colour(name))
}

const fn length(name: &'static str, weight: f64) -> Attribute {
    row(name, weight, Kind::Length(name))
}

const fn word(name: &'static str, weight: f64) -> Attribute {
    row(name, weight, Kind::Word(name))
}

static ATTRIBUTES: [Attribute; 43] = [
    row("has_text", 44.0, Kind::HasText),
    row("text", 6.8, Kind::Text),
    row("placeholder", 6.8, Kind::Field("placeholder")),
    row("value", 6.8, Kind::Field("value")),
    row("src", 12.6, Kind::Html("src")),
    row("type", 18.9, Kind::Html("type")),
    row("class", 66.6, Kind::Class),
    colour("color", 30.0),
    colour("background-color", 59.0),
    colour("border-top-color", 16.9),
    colour("border-right-color", 16.9),
    colour("border-bottom-color", 16.9),
    colour("border-left-color", 16.9),
    colour("outline-color", 16.9),
    length("height", 31.92),
    length("width", 31.92),
    length("font-size", 9.8),
    length("letter-spacing", 67.0),
    length("border-top-left-radius", 100.0),
    length("border-top-right-radius", 100.0),
    length("border-bottom-right-radius", 100.0),
    length("border-bottom-left-radius", 100.0),
    row("border-top-width", 2.1, Kind::TopWidth),
    length("border-right-width", 2.1),
    length("border-bottom-width", 2.1),
    length("border-left-width", 2.1),
    word("font-family", 94.6),
    word("font-style", 94.6),
    word("border-top-style", 79.2),
    word("border-right-style", 79.2),
    word("border-bottom-style", 79.2),
    word("border-left-style", 79.2),
    word("outline-style", 79.2),
    word("outline-width", 2.1),
    word("display", 51.0),
    word("tab-size", 50.8),
    word("background-repeat", 24.5),
    word("background-image", 12.6),
    word("font-weight", 2.1),
    row("text-shadow", 83.0, Kind::TextShadow),
    row("box-shadow", 56.7, Kind::BoxShadow),
    row(GRADIENT, 18.0, Kind::Gradient),
    row("background-size", 14.3, Kind::BackgroundSize),
];

const GRADIENT: &str = "background-linear-gradient";

/// Names that stand for several attributes.
const SHORTHANDS: [(&str, &[&str]); 6] = [
    (
        "border-radius",
        &[
            "border-bottom-left-radius",
            "border-bottom-right-radius",
            "border-top-left-radius",
            "border-top-right-radius",
        ],
    ),
    ("border", &["border-bottom-width", "border-top-width", "border-left-width", "border-right-width"]),
    ("outline", &["outline-style", "outline-width", "outline-color"]),
    ("border-top", &["border-top-width", "border-top-color"]),
    ("border-left", &["border-left-width", "border-left-color"]),
    ("border-right", &["border-right-width", "border-right-color"]),
];

/// What the paper adds to the shorthands.
const PAPER_SHORTHANDS: [(&str, &[&str]); 2] = [
    (
        "border",
        &[
            "border-bottom-width",
            "border-top-width",
            "border-left-width",
            "border-right-width",
            "border-bottom-style",
            "border-top-style",
            "border-left-style",
            "border-right-style",
            "border-bottom-color",
            "border-top-color",
            "border-left-color",
            "border-right-color",
        ],
    ),
    ("border-bottom", &["border-bottom-width", "border-bottom-color"]),
];

const GRADIENT_BACKGROUND: &[&str] = &[GRADIENT, "background-color", "background-repeat"];
const PLAIN_BACKGROUND: &[&str] = &["background-color", "background-image", "background-repeat"];

/// Names that are never compared.
const IGNORED: [&str; 22] = [
    "padding",
    "padding-top",
    "padding-right",
    "padding-bottom",
    "padding-left",
    "margin",
    "margin-top",
    "margin-right",
    "margin-bottom",
    "margin-left",
    "left",
    "top",
    "position",
    "transition",
    "z-index",
    "flex-wrap",
    "justify-content",
    "align-items",
    "text-transform",
    "transform",
    "cursor",
    "overflow",
];

/// The attribute with exactly this name.
pub(super) fn attribute(name: &str) -> Option<&'static Attribute> {
    ATTRIBUTES.iter().find(|attribute| attribute.name == name)
}

/// What a name in `data-evalby` stands for.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    /// These attributes, of which the mean counts.
    Attributes(Vec<&'static Attribute>),
    /// The first if the target's background has a gradient, else the second.
    Background(Vec<&'static Attribute>, Vec<&'static Attribute>),
    Ignored,
    Unknown,
}

impl Meaning {
    fn new(name: &str, rules: Rules) -> Self {
        let complete = rules.has(PaperRule::CompleteShorthands);
        let paper: &[(&str, &[&str])] = if complete { &PAPER_SHORTHANDS } else { &[] };
        let shorthand = paper.iter().chain(&SHORTHANDS).find(|row| row.0 == name);
        match (name, shorthand) {
            (_, Some((_, parts))) => Self::Attributes(attributes(parts)),
            ("background", _) => {
                let plain = if complete { PLAIN_BACKGROUND } else { &[] };
                Self::Background(attributes(GRADIENT_BACKGROUND), attributes(plain))
            }
            _ if IGNORED.contains(&name) => Self::Ignored,
            _ => attribute(name).map_or(Self::Unknown, |attribute| Self::Attributes(vec![attribute])),
        }
    }

    /// The attributes for a target with this computed background.
    pub(super) fn attributes(&self, background: &str) -> &[&'static Attribute] {
        match self {
            Self::Attributes(attributes) => attributes,
            Self::Background(gradient, _) if background.contains("linear-gradient") => gradient,
            Self::Background(_, plain) => plain,
            Self::Ignored | Self::Unknown => &[],
        }
    }
}

fn attributes(names: &[&str]) -> Vec<&'static Attribute> {
    names.iter().filter_map(|name| attribute(name)).collect()
}

/// The meanings of the names that a target uses, each found once.
#[derive(Debug)]
pub(super) struct Meanings<'a>(FxHashMap<&'a str, Meaning>);

impl<'a> Meanings<'a> {
    pub(super) fn new(elements: &'a [Element], rules: Rules) -> Self {
        let mut meanings = FxHashMap::default();
        for name in elements.iter().flat_map(names) {
            meanings.entry(name).or_insert_with(|| Meaning::new(name, rules));
        }
        Self(meanings)
    }

    pub(super) fn of(&self, name: &str) -> &Meaning {
        self.0.get(name).unwrap_or(&Meaning::Unknown)
    }
}

/// The names in `data-evalby`.
pub(super) fn names(element: &Element) -> impl Iterator<Item = &str> {
    element.evalby.iter().flat_map(|names| names.split('|'))
}
