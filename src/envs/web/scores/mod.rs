//! Scores of tasks and of sets of tasks (`WebCanvas`, section 3.3 and appendix E, and the released code): from what was
//! achieved, pure functions.

mod formulas;
mod status;
mod summary;
#[cfg(test)]
mod tests;
mod verdict;

pub use self::formulas::TaskScore;
pub use self::status::TaskStatus;
pub use self::summary::{Mean, Summary};
pub use self::verdict::{EpisodeFacts, METRICS, verdict};
