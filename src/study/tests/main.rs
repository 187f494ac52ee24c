//! The shipped suite.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    unreachable_pub,
    reason = "these are tests"
)]

mod mistakes;
