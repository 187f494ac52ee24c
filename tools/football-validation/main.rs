//! The program of the comparison: `validate` repeats recordings of the real engine, `baselines` plays scenes with policies
//! that need no model.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for developers that prints its results"
)]

mod program;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    match program::Tool::parse().run() {
        Ok(exit) => exit.into(),
        Err(failure) => {
            eprintln!("error: {failure}");
            failure.exit().into()
        }
    }
}
