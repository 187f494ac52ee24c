//! One element of a page.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};

use super::{ElementFault, MAX_LENGTH};

/// The HTML attributes of an element that has any of `src`, `type`, `placeholder` and `value`.
pub type Attributes = BTreeMap<String, String>;

/// An element that is shown, or an annotated one that is not.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Element {
    /// The name of its tag in small letters.
    pub tag: String,
    /// The raw attribute `id`, or nothing.
    pub id: String,
    /// The left edge in pixels from that of the document.
    pub x: f64,
    /// The upper edge in pixels from that of the document.
    pub y: f64,
    /// The width in pixels.
    pub w: f64,
    /// The height in pixels.
    pub h: f64,
    /// How many elements it contains, at all depths.
    pub descendants: u32,
    /// The raw attribute `class`, or nothing.
    pub class: String,
    /// The annotation `data-filter-by`.
    #[serde(deserialize_with = "present")]
    pub filter: Option<String>,
    /// The annotation `data-evalby`.
    #[serde(deserialize_with = "present")]
    pub evalby: Option<String>,
    /// The visible text.
    #[serde(default)]
    pub text: String,
    /// The computed styles, in the order of the snapshot's properties.
    #[serde(default)]
    pub styles: Vec<String>,
    /// Whether a person could see it.
    #[serde(default = "yes")]
    pub shown: bool,
    /// The HTML attributes; empty if it has none of them.
    #[serde(default)]
    pub attributes: Attributes,
    /// A digest of the outer HTML, or nothing.
    #[serde(default)]
    pub html: String,
}

impl Element {
    /// Whether it has an annotation.
    pub fn is_annotated(&self) -> bool {
        self.filter.is_some() || self.evalby.is_some()
    }

    pub(super) fn fault(&self, properties: usize) -> Option<ElementFault> {
        let outside = |length: f64| length.is_nan() || length.abs() > MAX_LENGTH;
        if [self.x, self.y, self.w, self.h].into_iter().any(outside) || self.w < 0.0 || self.h < 0.0 {
            return Some(ElementFault::Box);
        }
        if !self.shown {
            return (!self.is_annotated()).then_some(ElementFault::HiddenAndPlain);
        }
        let found = self.styles.len();
        (found != properties).then_some(ElementFault::Styles { found, expected: properties })
    }
}

fn yes() -> bool {
    true
}

/// A value that may be null and must not be missing.
pub(super) fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Option::deserialize(deserializer)
}
