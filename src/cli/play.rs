//! `play`: the screen, on a level or on an episode that was left.

use std::path::Path;

use super::complaint::complain;
use super::exit::Exit;
use super::exit::Failure;
use super::host;
use super::host::Host;
use super::house::House;
use super::logfile;
use super::look;
use super::open::threads;
use super::reference;
use super::stage;
use crate::config::Problem;
use crate::tui;
use crate::tui::ScreenError;
use crate::tui::Sitting;

/// Open the screen on a level
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {
    /// Environment, set, level or file; the play.level setting when left out
    #[arg(value_name = "LEVEL")]
    level: Option<String>,
    /// Go on with an episode that was left: its session, the beginning of the name, or `last`
    #[arg(long, value_name = "RUN", conflicts_with = "level")]
    resume: Option<String>,
}

pub(super) fn run(args: &Args, house: &House) -> Result<Exit, Failure> {
    logfile::start(house)?;
    if args.resume.is_some() {
        stage::no_changes(house)?;
    }
    let config = house.config()?;
    let look = look::look(house.folders(), &config)?;
    let level = args.level.as_ref().unwrap_or(&config.settings().play.level);
    let chosen = reference::level(house.folders(), level)?;
    if !tui::is_terminal() {
        return Err(ended(&ScreenError::NoTerminal));
    }
    threads()?.block_on(async {
        let mut host = Host::new(house, config);
        let session = match &args.resume {
            None => host.start(&chosen)?,
            Some(run) => {
                let (session, note) = host.pick_up(run).await?;
                if let Some(note) = note {
                    complain(&Problem::new(note));
                }
                session
            }
        };
        let latest = session.snapshots.clone();
        let exit = tui::run(&mut host, Sitting::of(session), look, host::changes(house)).await;
        let unfinished = latest.borrow().waiting.ending().is_none();
        if let Some(session) = host.session().filter(|_| unfinished && exit.is_ok()) {
            farewell(session);
        }
        exit.map(code).map_err(|error| ended(&error))
    })
}

/// How the verb ends when the screen has.
pub(super) fn code(exit: tui::Exit) -> Exit {
    match exit {
        tui::Exit::Left => Exit::Done,
        tui::Exit::Interrupted => Exit::Interrupted,
        tui::Exit::Terminated => Exit::Terminated,
        tui::Exit::HungUp => Exit::HungUp,
    }
}

pub(super) fn ended(error: &ScreenError) -> Failure {
    let exit = if matches!(error, ScreenError::NoTerminal) { Exit::Wrong } else { Exit::Failed };
    Failure::Problem(exit, Problem::new(error.to_string()))
}

/// How to come back, on standard error, where it does not disturb data. Nobody may be there to read it.
fn farewell(session: &Path) {
    use std::io::Write;
    let name = session.file_name().unwrap_or_default().to_string_lossy();
    let _ = writeln!(std::io::stderr(), "left; `mageyard play --resume {name}` goes on");
}
