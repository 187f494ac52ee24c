//! The list of elements as text.

use std::fmt::Write;

use super::list::{Listed, PageList};

/// What the lines of a list have, without the size of the page.
const COLUMNS: &str =
    "number, tag, text, place and size in pixels from the top left corner, and how it looks";

impl PageList {
    /// All elements, a line for each.
    pub(super) fn words(&self) -> String {
        let [width, height] = self.size;
        let mut words = format!(
            "The visible elements of the page in an area of {width} x {height} pixels, each with {COLUMNS}:"
        );
        for element in &self.elements {
            // Writing to a string does not fail.
            let _ = write!(words, "\n{element}");
        }
        if self.elements.is_empty() {
            words.push_str("\nnone");
        }
        words
    }
}

impl std::fmt::Display for Listed {
    /// Such as `3 button "Send" at 40, 100, 200 x 80, text #ffffff, background #143c78`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.number, self.tag)?;
        if !self.text.is_empty() {
            write!(f, " \"{}\"", self.text)?;
        }
        let [left, top, width, height] = self.area;
        write!(f, " at {left}, {top}, {width} x {height}")?;
        self.look.iter().try_for_each(|word| write!(f, ", {word}"))
    }
}
