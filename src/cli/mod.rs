//! The verbs: parse the command line, wire the layers together, print, and return an exit code. Nothing
//! outside this layer prints.

mod appearance;
mod attribution;
mod bench;
mod check;
mod command;
mod completions;
mod config;
mod context;
mod diagnostics;
mod distance;
mod doctor;
mod episode_builder;
mod episode_output;
mod error_codes;
mod exit;
mod export;
mod find;
mod finding;
mod flags;
mod frame;
mod keys;
mod level_ref;
mod levels;
mod log;
mod logfile;
mod man;
mod model_probe;
mod output;
mod output_file;
mod play;
mod prices;
mod print_step;
mod prompt_catalog;
mod prompts;
mod readers;
mod recorded_session;
mod reparse;
mod replay;
mod replay_source;
mod report;
mod run;
mod runtime;
mod screen;
mod screen_host;
mod session;
mod session_browser;
mod signals;
mod step_ref;
mod table;
mod table_wrap;
mod themes;
mod usage_error;
mod view;

use std::io;
use std::process::ExitCode;

use clap::FromArgMatches;

use crate::config::Folders;
use crate::config::Problem;
use command::CommandLine;
use context::Context;
use diagnostics::print_problem;
use exit::Exit;
use exit::Failure;

/// Runs the program: parses the command line of this process and returns its exit code.
pub fn main() -> ExitCode {
    signals::survive_file_size_limit();
    match run_command_line() {
        Ok(exit) => exit.into(),
        Err(Failure::Problem(exit, problem)) => {
            print_problem(&problem);
            exit.into()
        }
        Err(Failure::Output(error)) => output_failure(&error).into(),
    }
}

fn run_command_line() -> Result<Exit, Failure> {
    let parsed = command::command().try_get_matches();
    let matches = match parsed {
        Ok(matches) => matches,
        Err(error) => {
            let args: Vec<String> =
                std::env::args_os().skip(1).map(|arg| arg.to_string_lossy().into_owned()).collect();
            return Ok(print_parse_result(&usage_error::with_hints(error, &command::command(), &args)));
        }
    };
    let line = CommandLine::from_arg_matches(&matches).map_err(|error| Problem::new(error.to_string()))?;
    flags::refuse_unknown_variables(&command::command())?;
    let context =
        Context::new(Folders::from_environment()?, line.config.clone(), flags::given_settings(&matches)?);
    line.verb().run(&context)
}

/// Prints help and version to standard output with exit code 0, and a usage error to standard error.
fn print_parse_result(error: &clap::Error) -> Exit {
    match error.print() {
        Err(error) => output_failure(&error),
        Ok(()) if error.use_stderr() => Exit::BadRequest,
        Ok(()) => Exit::Done,
    }
}

/// A broken pipe (the reader closed early) ends the verb without an error.
fn output_failure(error: &io::Error) -> Exit {
    if error.kind() == io::ErrorKind::BrokenPipe {
        return Exit::Done;
    }
    print_problem(&Problem::new(format!("cannot write to standard output: {error}")));
    Exit::Failed
}
