//! Episodes in environments that exist for these tests alone.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    unreachable_pub,
    reason = "these are tests"
)]

mod level_files;
mod live;
#[path = "../../../tests/pages/mod.rs"]
mod pages;
