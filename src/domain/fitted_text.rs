//! A drawing of characters that can have several sizes, for viewers: the map of a state fits narrow and wide panes.

use std::fmt;

use super::Glyph;

/// A drawing of characters.
pub trait FittedText: fmt::Debug + Send + Sync {
    /// The drawing in at most so many columns and rows, unless it would not be legible then. Lines end with a line feed.
    fn draw(&self, columns: usize, rows: usize) -> String;
    /// What a character of it means, for its colour; `None` for an ordinary one.
    fn glyph(&self, character: char) -> Option<Glyph>;
}
