//! The program with the environment `pages` added to its list. Tests start it as a process.

#![allow(clippy::expect_used, clippy::panic, reason = "a development tool")]

#[path = "mod.rs"]
mod pages;

use std::process::ExitCode;
use std::sync::LazyLock;

use mageyard_domain::EnvironmentSpec;

static ENVIRONMENTS: LazyLock<Vec<&'static dyn EnvironmentSpec>> = LazyLock::new(|| {
    let shipped = mageyard_envs::environments().iter().copied();
    shipped.chain([&pages::PagesSpec as &dyn EnvironmentSpec]).collect()
});

fn main() -> ExitCode {
    mageyard::cli::run(&ENVIRONMENTS, mageyard::VERBS, &mageyard::host::Screen)
}
