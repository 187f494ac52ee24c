//! The players without judgement that a simulator is measured with: idle, random, sprint to the right, and the
//! engine's own AI.

mod episode;
mod policy;
mod table;

pub use episode::{Episode, play};
pub use policy::Baseline;
pub use table::BaselineRow;
