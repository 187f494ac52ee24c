//! Sandboxes with real programs: each form, hostile cells, and what is left afterwards. Where one is missing its tests are listed
//! as ignored; with `MAGEYARD_REQUIRE_SANDBOX=1` its absence is a failure.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "these are tests")]

mod episodes;
mod hostile;
mod kernels;
mod limits;
mod room;

use std::path::Path;
use std::process::{Command, ExitCode};

use libtest_mimic::{Arguments, Trial};
use mageyard_sandbox::{Confinement, found, supervisor};

/// The tests of a form of sandbox.
type Test = (&'static str, fn(Confinement));

fn main() -> ExitCode {
    // This program is its own supervisor.
    let mut arguments = std::env::args().skip(1);
    if arguments.next().is_some_and(|first| first == supervisor::VERB) {
        return supervisor::run(&arguments.collect::<Vec<_>>());
    }
    let required = std::env::var("MAGEYARD_REQUIRE_SANDBOX").is_ok_and(|value| value == "1");
    let mut trials = Vec::new();
    for form in [Confinement::Bubblewrap, Confinement::Landlock] {
        let missing = found().why_not(form).map(str::to_owned).or_else(missing_python);
        let tests = hostile::TESTS.iter().chain(kernels::TESTS).chain(limits::TESTS);
        trials
            .extend(tests.map(|test| trial(&format!("{form:?}"), test, form, missing.as_deref(), required)));
    }
    let missing = (found().best() == Confinement::Nothing).then(|| "no sandbox works here".to_owned());
    let missing = missing.or_else(missing_python);
    let episodes = episodes::TESTS.iter();
    trials.extend(episodes.map(|test| trial("best", test, found().best(), missing.as_deref(), required)));
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

fn trial(name: &str, test: &'static Test, form: Confinement, missing: Option<&str>, required: bool) -> Trial {
    let run = test.1;
    let trial = Trial::test(format!("{name}::{}", test.0).to_lowercase(), move || {
        run(form);
        Ok(())
    });
    match missing {
        Some(why) if !required => trial.with_kind(why).with_ignored_flag(true),
        _ => trial,
    }
}

/// Why cells of a Jupyter kernel cannot run.
fn missing_python() -> Option<String> {
    let mut python = Command::new(Path::new(room::PYTHON));
    let found = python.args(["-c", "import ipykernel"]).output().is_ok_and(|output| output.status.success());
    (!found).then(|| format!("{} has no ipykernel", room::PYTHON))
}
