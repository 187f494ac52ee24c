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
pub use self::add::add_to_suite;
pub(crate) use self::address::recorded_state;
pub use self::catalog::suite_catalog;
pub use self::catalog::suite_file;
pub use self::collect::CollectedSuite;
pub use self::collect::SuiteStep;
pub use self::collect::collect_suite;
pub(crate) use self::collect::keep_leading_actions;
pub use self::file::Suite;
pub use self::file::SuiteLevel;
pub use self::file::SuiteState;
pub use self::file::checked_suite_name;
pub(crate) use self::head::suite_head;
pub use self::open::OpenedState;
pub use self::open::check_suite_state;
pub(crate) use self::open::known_states;
pub use self::open::open_suite;
pub(crate) use self::open::reached_digest;
pub(crate) use self::play::play_state;
pub use self::reader::parse_suite;
