//! What an analysis says of a state, compared with it.

use std::ops::Range;

use crate::ActionShape;

/// A statement of an analysis about a state that the rules of the environment can read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The bytes of the analysis that say it.
    pub at: Range<usize>,
    /// What is said, in the words of the program, such as `player at row 2, column 3`.
    pub says: String,
    /// Whether that is so.
    pub holds: bool,
    /// Where it is said to be, in pixels of the first picture of the observation.
    pub claimed: Vec<ActionShape>,
    /// Where it is, if that is another place.
    pub actual: Vec<ActionShape>,
}
