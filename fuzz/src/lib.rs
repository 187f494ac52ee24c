//! Invariants shared by the targets. A broken invariant panics, which the fuzzer reports.

#[path = "../../src/envs/tests/readers/invariants.rs"]
mod invariants;
mod level;
mod level_format;
mod office;

use std::pin::pin;
use std::task::Context;
use std::task::Poll;
use std::task::Waker;

use mageyard::dialog::ParseOutcome;
use mageyard::dialog::ReaderRules;
use mageyard::domain::ActionSpace;
use mageyard::domain::ReplyFormat;

pub use level::check_level_file;
pub use level::check_levels;
pub use level_format::check_level_import;
pub use office::office_file;

/// Parses a reply and checks the invariants of the project's own tests.
pub fn parse_and_check(
    rules: &ReaderRules,
    format: &ReplyFormat,
    reply: &str,
    space: &ActionSpace,
) -> ParseOutcome {
    invariants::assert_invariants(rules, format, reply, space)
}

/// The output of a future that never waits.
pub fn poll_once<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    match future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(outcome) => outcome,
        Poll::Pending => panic!("a pure environment must not wait"),
    }
}
