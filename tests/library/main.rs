//! Tests that need both the program and its library.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::exit,
    reason = "these are tests"
)]
#![allow(dead_code, reason = "parts of the other tests are used")]

mod edit_distance;
mod failing_screen;
mod model_run;
#[path = "../it/pty.rs"]
mod pty;
mod reparse;
#[path = "../it/sandbox.rs"]
mod sandbox;
#[path = "../it/server/mod.rs"]
mod server;
mod tutor;
