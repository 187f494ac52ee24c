//! `desktop try`: a person does a task: it is reset, the person works by cells, and it is judged.

use std::os::unix::process::CommandExt;
use std::process::Command;

use mageyard_cli::{Exit, Failure};
use mageyard_config::Problem;

/// Do a task yourself; success and time are kept as the human baseline
///
/// Opens the screen as `play TASK --agent human` does: the task is reset, you work by cells of Python, and it is judged at the end.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Reference of the task, such as desktop/offline/1 or a file
    #[arg(value_name = "TASK")]
    task: String,
}

pub(super) fn run(args: &Args) -> Result<Exit, Failure> {
    let program = std::env::current_exe().map_err(|error| Problem::new(error.to_string()))?;
    let mut command = Command::new(program);
    // It returns only if the program cannot be started.
    let error = command.args(["play", &args.task, "--agent", "human"]).exec();
    Err(Problem::new(format!("the screen cannot be opened: {error}")).into())
}
