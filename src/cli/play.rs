//! `play`: the screen, on a level or on an episode that was left.

use std::path::Path;

use super::appearance;
use super::context::Context;
use super::diagnostics::print_message;
use super::diagnostics::print_problem;
use super::episode_builder;
use super::exit::Exit;
use super::exit::Failure;
use super::level_ref;
use super::level_ref::SelectedLevel;
use super::logfile;
use super::runtime::multi_thread_runtime;
use super::screen_host;
use super::screen_host::ScreenHost;
use super::session::store_flag;
use crate::config::Config;
use crate::config::Problem;
use crate::tui;
use crate::tui::ScreenError;
use crate::tui::ScreenSpec;

/// Open the screen on a level
#[derive(Debug, clap::Args)]
#[command(override_usage = "mageyard play [OPTIONS] [LEVEL]\n       mageyard play [OPTIONS] --resume <RUN>")]
pub(super) struct Args {
    /// Environment, set, level or file; the play.level setting when left out
    #[arg(value_name = "LEVEL")]
    pub(super) level: Option<String>,
    /// Go on with an episode that was left: its session, the beginning of the name, or `last`
    #[arg(long, value_name = "RUN", conflicts_with = "level")]
    pub(super) resume: Option<String>,
}

/// What the screen opens on.
enum StartFrom<'a> {
    Level(SelectedLevel),
    Resume(&'a str),
}

impl<'a> StartFrom<'a> {
    /// An episode that was left has its level with it: the file of the setting may be gone.
    fn of(args: &'a Args, house: &Context, config: &Config) -> Result<Self, Problem> {
        if let Some(run) = &args.resume {
            return Ok(Self::Resume(run));
        }
        let level = args.level.as_ref().unwrap_or(&config.settings().play.level);
        level_ref::level(house.folders(), level).map(Self::Level)
    }
}

pub(super) fn run(args: &Args, house: &Context) -> Result<Exit, Failure> {
    logfile::start(house)?;
    if args.resume.is_some() {
        episode_builder::refuse_changed_settings(house)?;
    }
    let config = house.config()?;
    let look = appearance::load(house.folders(), &config)?;
    let start = StartFrom::of(args, house, &config)?;
    let store = store_flag(&config);
    require_terminal()?;
    multi_thread_runtime()?.block_on(async {
        let mut host = ScreenHost::new(house, config);
        let session = match start {
            StartFrom::Level(chosen) => host.start(&chosen)?,
            StartFrom::Resume(run) => {
                let (session, note) = host.resume(run).await?;
                if let Some(note) = note {
                    print_problem(&Problem::new(note));
                }
                session
            }
        };
        let latest = session.snapshots.clone();
        let exit =
            tui::run(&mut host, ScreenSpec::single(session), look, screen_host::watch_files(house)).await;
        let unfinished = latest.borrow().waiting.ending().is_none();
        if let Some(session) = host.session().filter(|_| unfinished && exit.is_ok()) {
            print_resume_hint(session, &store);
        }
        exit.map(exit_code).map_err(|error| screen_failure(&error))
    })
}

/// How the verb ends when the screen has.
pub(super) fn exit_code(exit: tui::Exit) -> Exit {
    match exit {
        tui::Exit::Quit => Exit::Done,
        tui::Exit::Interrupted => Exit::Interrupted,
        tui::Exit::Terminated => Exit::Terminated,
        tui::Exit::HungUp => Exit::HungUp,
    }
}

pub(super) fn screen_failure(error: &ScreenError) -> Failure {
    let exit = if matches!(error, ScreenError::NoTerminal) { Exit::BadRequest } else { Exit::Failed };
    Failure::Problem(exit, Problem::new(error.to_string()))
}

/// Refuses where no screen can be drawn, before anything is written.
pub(super) fn require_terminal() -> Result<(), Failure> {
    if !tui::is_terminal() {
        return Err(screen_failure(&ScreenError::NoTerminal));
    }
    if appearance::is_dumb_terminal() {
        let what = "the screen needs a terminal with a cursor, and TERM calls this one dumb";
        let help = "set TERM to what your terminal is, such as xterm-256color; `run` plays without a screen";
        return Err(Problem::new(what).with_help(help).into());
    }
    Ok(())
}

/// How to come back, on standard error, where it does not disturb data. Nobody may be there to read it.
fn print_resume_hint(session: &Path, store: &str) {
    let name = session.file_name().unwrap_or_default().to_string_lossy();
    print_message(&format!("left; `mageyard play --resume {name}{store}` goes on"));
}
