//! Parse, run, exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    mageyard::cli::run(mageyard::envs::environments())
}
