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
mod script;
#[cfg(test)]
mod tests;
mod writer;

pub use self::add::ExtendedSuite;
pub use self::catalog::{suite_catalog, suite_file};
pub use self::collect::{CollectedSuite, SuiteStep};
pub use self::file::{Suite, SuiteLevel, SuiteState, checked_suite_name};
pub use self::open::OpenedState;
pub use self::reader::parse_suite;
