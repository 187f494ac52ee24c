//! A page at one moment, as data: every shown element with its rectangle, text and computed styles.
//!
//! A script in the page writes it as JSON in one evaluation ([`Snapshot::parse`] has the format). The page may be
//! hostile, so the text is checked completely, and what exceeds a limit is an error and never cut.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod element;
mod error;
mod properties;
mod script;
#[cfg(test)]
mod tests;
mod written;

use written::Written;

pub use element::{Attributes, Element};
pub use error::{ElementFault, SnapshotError};
pub use properties::PROPERTIES;
pub use script::SCRIPT;

/// The version of the format.
pub const VERSION: u32 = 1;
/// The most elements of a page.
pub const MAX_ELEMENTS: usize = 5_000;
/// The most bytes of a snapshot.
pub const MAX_BYTES: usize = 32 << 20;
/// The largest coordinate and size, in pixels: the range of a browser's own numbers. Products of four stay finite.
pub const MAX_LENGTH: f64 = f32::MAX as f64;

/// A page at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// Width and height of the viewport in pixels, with scroll bars.
    pub viewport: [f64; 2],
    /// Width and height of the scrollable document in pixels.
    pub document: [f64; 2],
    /// The address that relative addresses of the page start with, up to and with its last slash; may be empty.
    pub base: String,
    /// The names of the computed styles, in the order of [`Element::styles`].
    pub properties: Vec<String>,
    /// The shown elements below `body` in document order, and the annotated ones that are not shown.
    pub elements: Vec<Element>,
}

impl Snapshot {
    /// Reads the text that the script returns:
    ///
    /// ```json
    /// {"version": 1, "viewport": [1920, 937], "document": [1905, 2400], "base": "file:///pages/a/",
    ///  "properties": ["color"], "limit": null, "elements": [
    ///   {"tag": "h1", "id": "", "x": 8, "y": 21.4, "w": 1889, "h": 37, "descendants": 0, "class": "big red",
    ///    "filter": "text", "evalby": "text|color", "text": "Hello", "styles": ["rgb(0, 0, 0)"],
    ///    "attributes": {"type": "text"}, "html": "digest"},
    ///   {"tag": "p", "id": "", "x": 0, "y": 0, "w": 0, "h": 0, "descendants": 0, "class": "", "filter": "text",
    ///    "evalby": null, "shown": false}]}
    /// ```
    ///
    /// `shown`, `base`, `attributes` and `html` may be missing. All [`PROPERTIES`] must be listed.
    ///
    /// # Errors
    ///
    /// The text is not such JSON, an element is inconsistent, or a limit is exceeded, by the script or here.
    pub fn parse(text: &str) -> Result<Self, SnapshotError> {
        if text.len() > MAX_BYTES {
            return Err(SnapshotError::TooLong { bytes: text.len() });
        }
        let written: Written = serde_json::from_str(text).map_err(|error| SnapshotError::json(&error))?;
        written.check()?;
        let Written { viewport, document, base, properties, elements, .. } = written;
        Ok(Self { viewport, document, base, properties, elements })
    }

    /// The position of a computed style in [`Element::styles`].
    pub fn column(&self, property: &str) -> Option<usize> {
        self.properties.iter().position(|name| name == property)
    }
}
