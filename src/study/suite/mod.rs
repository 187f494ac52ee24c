//! Suites: named lists of recorded states, each with what it takes to open it elsewhere, so that prompts can be compared on the
//! same states. A suite is a small file; what is asked about its states is stored beside their recordings, as for a single state.

mod add;
mod address;
mod catalog;
mod collect;
mod file;
mod head;
mod open;
mod play;
mod raw;
mod reader;
mod remove;
mod script;
#[cfg(test)]
mod tests;
mod writer;

pub use self::add::{ExtendedSuite, add_to_suite};
pub(crate) use self::address::recorded_state;
pub use self::catalog::{suite_catalog, suite_file};
pub(crate) use self::collect::keep_leading_actions;
pub use self::collect::{CollectedSuite, SuiteStep, collect_suite};
pub use self::file::{Suite, SuiteLevel, SuiteState, checked_suite_name};
pub(crate) use self::head::{decided_values, laid_out_values, suite_head};
pub use self::open::{OpenedState, check_suite_state, open_suite};
pub(crate) use self::open::{known_states, reached_digest};
use self::play::play_state;
pub use self::reader::parse_suite;
pub use self::remove::remove_from_suite;
