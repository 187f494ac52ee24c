//! The verbs: parse the command line, wire the layers together, print, and return an exit code. Nothing
//! outside this layer prints.

mod aes;
mod appearance;
mod ask;
mod bandwidth;
mod bench;
mod blame;
mod browser_finding;
mod check;
mod command;
mod comparison_text;
mod completions;
mod condition_help;
mod config;
mod context;
mod continuations;
mod diagnostics;
mod diff;
mod diff_records;
mod diff_repeats;
mod doctor;
mod episode_output;
mod episode_record;
mod error_codes;
mod exit;
mod export;
mod find;
mod finding;
mod flag_scope;
mod flag_values;
mod flag_variables;
mod flags;
mod football;
mod football_finding;
mod fork;
mod fork_records;
mod frame;
mod help;
mod key_finding;
mod keys;
mod levels;
mod log;
mod log_records;
mod logfile;
mod man;
mod model_probe;
mod models;
mod output;
mod output_file;
mod parallel;
mod picture_finding;
mod planned_calls;
mod play;
mod prices;
mod print_step;
mod prompts;
mod readers;
mod records;
mod reparse;
mod replay;
mod report;
mod run;
mod runtime;
mod schema;
mod screen;
mod screen_annotations;
mod screen_asking;
mod screen_branches;
mod screen_comparing;
mod screen_finding;
mod screen_host;
mod screen_suites;
mod session;
mod session_browser;
mod session_start;
mod set_flag;
mod signals;
mod suite;
mod sweep;
mod switches;
mod table;
mod table_wrap;
mod tag;
mod themes;
mod tutor;
mod usage_error;
mod user_file;
mod view;

use std::io;
use std::process::ExitCode;
use std::sync::Arc;

use clap::FromArgMatches;
use command::CommandLine;
use context::Context;
use diagnostics::print_problem;
use exit::{Exit, Failure};
use mageyard_config::{Folders, Problem};
use mageyard_domain::EnvironmentSpec;
use mageyard_lab::Lab;

/// Runs the program with these environments, of which the first is the default: parses the command line of this
/// process and returns its exit code.
pub fn run(environments: &'static [&'static dyn EnvironmentSpec]) -> ExitCode {
    signals::survive_file_size_limit();
    let lab = Lab::new(environments, mageyard_agents::AGENTS, Arc::new(|name| std::env::var(name).ok()))
        .with_setting_names(flags::setting_of)
        .with_answers(mageyard_study::find_answer);
    match run_command_line(lab) {
        Ok(exit) => exit.into(),
        Err(Failure::Problem(exit, problem)) => {
            print_problem(&problem);
            exit.into()
        }
        Err(Failure::Output(error)) => output_failure(&error).into(),
    }
}

fn run_command_line(lab: Lab) -> Result<Exit, Failure> {
    let command = || command::command(lab.environments());
    let parsed = command().try_get_matches();
    let matches = match parsed {
        Ok(matches) => matches,
        Err(error) => {
            let args: Vec<String> =
                std::env::args_os().skip(1).map(|arg| arg.to_string_lossy().into_owned()).collect();
            return Ok(print_parse_result(&usage_error::with_hints(error, &command(), &args, &lab)));
        }
    };
    let line = CommandLine::from_arg_matches(&matches).map_err(|error| Problem::new(error.to_string()))?;
    flag_variables::refuse_unknown_variables(&command())?;
    let folders = Folders::from_environment()?;
    let context = Context::new(folders, line.config.clone(), flags::given_settings(&matches)?, lab);
    // Also for a verb that reads no settings.
    context.sources.check_overrides()?;
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
