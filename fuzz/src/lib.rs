//! What the targets share: the laws that more than one of them holds things to. A law that is broken panics, which
//! is how a fuzzer is told.

mod format;
#[path = "../../tests/it/readers/law.rs"]
mod law;
mod level;

use std::pin::pin;
use std::task::Context;
use std::task::Poll;
use std::task::Waker;

use mageyard::dialog::Reading;
use mageyard::dialog::Rules;
use mageyard::domain::ActionSpace;
use mageyard::domain::Form;

pub use format::format_file;
pub use level::level_file;
pub use level::levels;

/// Reads a reply as the project's own tests do, under the same law.
pub fn lawful(rules: &Rules, form: &Form, reply: &str, space: &ActionSpace) -> Reading {
    law::lawful(rules, form, reply, space)
}

/// The outcome of what never waits.
pub fn now<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    match future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(outcome) => outcome,
        Poll::Pending => panic!("an environment without a world outside waits"),
    }
}
