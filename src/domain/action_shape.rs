//! Where an action acts on a picture, for people who look at it: an environment says what to draw.

use super::PixelBox;

/// A mark of an action, in pixels of a picture. It may lie outside of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ActionShape {
    /// From one place to another, such as a move.
    Arrow {
        /// Where it begins.
        from: (i64, i64),
        /// Its tip.
        to: (i64, i64),
    },
    /// A part of the picture.
    Area(PixelBox),
    /// A place with a short label, such as a click with a button.
    Point {
        /// The place.
        at: (i64, i64),
        /// The label, which may be empty. It may come from a reply, so viewers escape it.
        label: String,
    },
}
