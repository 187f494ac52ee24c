//! The verbs: parse the request, put the layers together, print, and end with an exit code. The
//! only place where anything is printed.

mod bench;
mod check;
mod command;
mod complaint;
mod completions;
mod config;
mod doctor;
mod excerpt;
mod exit;
mod export;
mod find;
mod finding;
mod flags;
mod frame;
mod host;
mod house;
mod keys;
mod levels;
mod lines;
mod log;
mod logfile;
mod look;
mod man;
mod narrow;
mod open;
mod output;
mod place;
mod play;
mod prices;
mod probe;
mod prompts;
mod readers;
mod recording;
mod reference;
mod reparse;
mod report;
mod result;
mod run;
mod screen;
mod session;
mod stage;
mod stop;
mod table;
mod tape;
mod themes;
mod trouble;
mod variants;
mod view;
mod way;

use std::io;
use std::path::Path;
use std::process::ExitCode;

use clap::FromArgMatches;
use clap::error::ContextKind;
use clap::error::ContextValue;

use crate::config::Folders;
use crate::config::Problem;
use crate::domain::quoted;
use crate::envs;
use command::Line;
use complaint::complain;
use exit::Exit;
use exit::Failure;
use house::House;

/// The whole program: reads the command line of this process and returns its exit code.
pub fn main() -> ExitCode {
    match request() {
        Ok(exit) => exit.into(),
        Err(Failure::Problem(exit, problem)) => {
            complain(&problem);
            exit.into()
        }
        Err(Failure::Output(error)) => unwritten(&error).into(),
    }
}

fn request() -> Result<Exit, Failure> {
    let parsed = command::command().try_get_matches();
    let matches = match parsed {
        Ok(matches) => matches,
        Err(error) => return Ok(answer(&advised(error))),
    };
    let line = Line::from_arg_matches(&matches).map_err(|error| Problem::new(error.to_string()))?;
    flags::known(&command::command())?;
    let house = House::new(Folders::of_process()?, line.config.clone(), flags::given(&matches)?);
    line.verb().run(&house)
}

/// The same with a tip where a level stands in the place of a verb.
fn advised(mut error: clap::Error) -> clap::Error {
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else { return error };
    let environment = word.split_once('/').map_or(word.as_str(), |pair| pair.0);
    if envs::kind(environment).is_some() || Path::new(word).is_file() {
        let tip = format!("`mageyard play {}` opens the screen on it", quoted(word));
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    error
}

/// Help and version go to standard output and are no failure; everything else is a wrong request.
fn answer(error: &clap::Error) -> Exit {
    match error.print() {
        Err(error) => unwritten(&error),
        Ok(()) if error.use_stderr() => Exit::Wrong,
        Ok(()) => Exit::Done,
    }
}

/// A reader that has seen enough closes the pipe: that ends the verb, quietly.
fn unwritten(error: &io::Error) -> Exit {
    if error.kind() == io::ErrorKind::BrokenPipe {
        return Exit::Done;
    }
    complain(&Problem::new(format!("standard output cannot be written: {error}")));
    Exit::Failed
}
