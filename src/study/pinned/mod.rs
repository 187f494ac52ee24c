//! Versions of a prompt on a few pinned states: the request that a text makes in each of them, what its versions were answered
//! there, and whether the newest is better than the one before. Pinned states are the states of a suite; what is asked about them
//! is an ask about that suite, and nothing is asked here.

mod better;
mod states;
#[cfg(test)]
mod tests;
mod versions;

pub use self::better::{MoreStates, VersionComparison};
pub use self::states::{PinnedState, PinnedStates, present_suite};
pub use self::versions::{AskedVersion, VersionCell, VersionRow, VersionTable};
