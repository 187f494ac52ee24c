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
use std::process::ExitCode;

use clap::FromArgMatches;

use crate::config::Folders;
use crate::config::Problem;
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
        Err(error) => return Ok(answer(&error)),
    };
    let line = Line::from_arg_matches(&matches).map_err(|error| Problem::new(error.to_string()))?;
    flags::known(&command::command())?;
    let house = House::new(Folders::of_process()?, line.config.clone(), flags::given(&matches)?);
    line.verb().run(&house)
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
