//! Tests with a real browser. Where none is installed they are listed as ignored; with `MAGEYARD_REQUIRE_CHROMIUM=1`
//! its absence is a failure. A test is a function in a module here and a row in the list of that module.
//!
//! `cargo test --test chromium -- isolation` runs some of them.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::exit,
    reason = "these are tests"
)]

mod harness;
mod input;
mod isolation;
mod left_behind;
mod limits;
#[allow(dead_code, reason = "parts of the other tests are used")]
#[path = "../it/server/mod.rs"]
mod model_server;
mod pages;
mod paper_sweep;
mod server;
mod snapshot;
mod web;
mod web_page;
mod web_resumed;
mod web_tasks;
mod webui;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

fn main() -> ExitCode {
    if let Some(folder) = std::env::var_os(left_behind::HOLD) {
        return left_behind::hold(folder.as_ref());
    }
    if std::env::var_os(web::HOLD).is_some() {
        return web::hold();
    }
    let mut arguments = Arguments::from_args();
    // Two at a time: they measure limits, and a machine has few cores.
    arguments.test_threads.get_or_insert(2);
    let lists: [fn() -> Vec<Trial>; 12] = [
        pages::list,
        isolation::list,
        input::list,
        limits::list,
        left_behind::list,
        snapshot::list,
        web::list,
        web_page::list,
        webui::list,
        web_tasks::list,
        web_resumed::list,
        paper_sweep::list,
    ];
    let trials = lists.into_iter().flat_map(|list| list()).collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}
