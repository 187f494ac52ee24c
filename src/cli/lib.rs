//! The verbs: parse the command line, call the layers below, print, and return an exit code. Nothing outside this crate
//! prints, exits or reads variables.
//!
//! It computes nothing about episodes: a verb turns arguments into a call and its result into text or JSON. One file or
//! folder for each verb; `command` lists them, `output` prints, and `error_codes` maps errors to exit codes.
//!
//! The entry point is [`run()`]. Start with `find` (a small verb) and `run` (one that plays).
//!
//! The program may add verbs of its own: see [`Verb`]. It also passes the screen: see [`screen_verbs`].

mod ask;
mod bench;
mod blame;
mod browser_finding;
mod check;
mod command;
mod completions;
mod condition_help;
mod config;
pub mod context;
mod continuations;
pub mod diagnostics;
mod diff;
mod diff_records;
pub mod diff_repeats;
mod doctor;
pub mod episode_output;
mod episode_record;
mod error_codes;
pub mod exit;
mod export;
mod find;
pub mod finding;
mod flag_scope;
mod flag_values;
mod flag_variables;
mod flags;
pub mod fork;
mod fork_records;
mod frame;
mod help;
mod home;
pub mod keys;
mod levels;
mod log;
mod log_records;
mod log_trash;
pub mod logfile;
mod man;
mod memory;
mod models;
pub mod output;
mod output_file;
mod parallel;
mod picture_finding;
pub mod play;
mod presets;
mod prices;
mod print_step;
mod program_finding;
mod progress_bar;
mod prompts;
mod readers;
mod records;
mod rejudge;
mod reparse;
mod replay;
mod report;
mod run;
pub mod runtime;
mod schema;
pub mod screen;
pub mod screen_verbs;
pub mod session;
mod set_flag;
mod sight;
mod signals;
mod studies;
mod suggested_fix;
mod suite;
pub mod sweep;
mod switches;
mod table;
mod table_wrap;
pub mod tag;
pub mod themes;
pub mod tutor;
mod usage_error;
mod user_file;
mod verb;
mod verb_groups;
pub mod view;

use std::io;
use std::process::ExitCode;
use std::sync::Arc;

use clap::FromArgMatches;
use command::CommandLine;
use diagnostics::print_problem;
use mageyard_config::{Folders, Problem};
use mageyard_domain::EnvironmentSpec;
use mageyard_lab::Lab;
use screen_verbs::ScreenVerbs;

pub use context::Context;
pub use exit::{Exit, Failure};
pub use output::Output;
pub use runtime::parallel_runtime;
pub use verb::Verb;

/// Runs the program with these environments, of which the first is the default, and these verbs besides its own: parses
/// the command line of this process and returns its exit code.
pub fn run(
    environments: &'static [&'static dyn EnvironmentSpec],
    verbs: &'static [&'static dyn Verb],
    screen: &'static dyn ScreenVerbs,
) -> ExitCode {
    signals::survive_file_size_limit();
    let lab = Lab::new(environments, mageyard_agents::AGENTS, Arc::new(|name| std::env::var(name).ok()))
        .with_setting_names(flags::setting_of)
        .with_answers(mageyard_study::find_answer);
    match run_command_line(lab, verbs, screen) {
        Ok(exit) => exit.into(),
        Err(Failure::Problem(exit, problem)) => {
            print_problem(&problem);
            exit.into()
        }
        Err(Failure::Output(error)) => output_failure(&error).into(),
    }
}

fn run_command_line(
    lab: Lab,
    verbs: &'static [&'static dyn Verb],
    screen: &'static dyn ScreenVerbs,
) -> Result<Exit, Failure> {
    let command = || command::command(lab.environments(), verbs);
    let parsed = verb_groups::grouped(command()).try_get_matches();
    let matches = match parsed {
        Ok(matches) => matches,
        Err(error) => {
            let args: Vec<String> =
                std::env::args_os().skip(1).map(|arg| arg.to_string_lossy().into_owned()).collect();
            return Ok(print_parse_result(&usage_error::with_hints(error, &command(), &args, &lab)));
        }
    };
    let line = CommandLine::from_arg_matches(&matches).map_err(|error| Problem::new(error.to_string()))?;
    flag_variables::warn_of_unknown_variables(&command());
    let folders = Folders::from_environment()?;
    let context =
        Context::new(folders, line.config.clone(), flags::given_settings(&matches)?, lab, screen, verbs);
    // Also for a verb that reads no settings.
    context.sources.check_overrides()?;
    if let Some((verb, below)) = verb::named(&matches, verbs) {
        return verb.run(below, &context);
    }
    let own = line.verb(&matches).map_err(|error| Problem::new(error.to_string()))?;
    own.run(&context).map_err(|failure| with_served_models(failure, &context))
}

/// The failure; if it is that no model is named, with the models of the configured server.
fn with_served_models(failure: Failure, context: &Context) -> Failure {
    let (Failure::Problem(exit, problem), Ok(config), Ok(runtime)) =
        (&failure, context.config(), runtime::single_thread_runtime())
    else {
        return failure;
    };
    let problem = mageyard_lab::with_served_models(&context.lab, &config, problem.clone());
    Failure::Problem(*exit, runtime.block_on(problem))
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
