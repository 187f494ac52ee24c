//! Opens the screen on a new or resumed episode, on recorded ones, or on the list of sessions.

use std::path::{Path, PathBuf};

use mageyard_cli::context::Context;
use mageyard_cli::diagnostics::{print_message, print_problem};
use mageyard_cli::exit::{Exit, Failure};
use mageyard_cli::play::StartFrom;
use mageyard_cli::runtime::multi_thread_runtime;
use mageyard_cli::session;
use mageyard_cli::session::store_flag;
use mageyard_cli::view::ViewOpening;
use mageyard_config::{Config, Problem};
use mageyard_engine::Session;
use mageyard_lab::{check_step_exists, level_of};
use mageyard_screen::{Appearance, ScreenSpec};
use mageyard_terminal::ScreenError;
use mageyard_terminal::surroundings::is_linear;

use crate::lab_task::{LabTask, watch_files};
use crate::{appearance, session_browser};

/// Shows an episode until the user quits.
pub(crate) fn play(start: StartFrom<'_>, context: &Context, config: Config) -> Result<Exit, Failure> {
    let look = appearance::load(context.folders(), &config)?;
    let store = store_flag(&config);
    require_terminal(&config)?;
    multi_thread_runtime()?.block_on(async {
        let mut task = LabTask::new(context.lab.clone(), context.sources.clone(), config);
        let session = match start {
            StartFrom::Level(selected) => task.played.start(&selected)?,
            StartFrom::Recording => task.played.start_replay()?,
            StartFrom::Head(head) => {
                let level = level_of(&context.lab, &head)?;
                task.played.start_head(*head, &level)?
            }
            StartFrom::Resume(run) => {
                let (session, note) = task.played.resume(run).await?;
                if let Some(note) = note {
                    print_problem(&Problem::new(note));
                }
                session
            }
        };
        let latest = session.snapshots.clone();
        let (exit, task) = show_screen(task, ScreenSpec::single(session), look, context).await?;
        let unfinished = latest.borrow().run.waiting.ending().is_none();
        if let Some(session) = task.played.folder().filter(|_| unfinished) {
            print_resume_hint(session, &store);
        }
        Ok(exit)
    })
}

/// Shows the screen until the user leaves it; returns the exit code, and the lab task that answered it.
pub(crate) async fn show_screen(
    task: LabTask,
    spec: ScreenSpec,
    look: Appearance,
    context: &Context,
) -> Result<(Exit, LabTask), Failure> {
    let (link, task) = task.start();
    let exit = mageyard_screen::run(link, spec, look, watch_files(context.folders())).await;
    let task = task.await.map_err(Failure::running)?;
    exit.map(|exit| (exit_code(exit), task)).map_err(|error| screen_failure(&error))
}

/// The exit code for the way the screen was left.
pub(crate) fn exit_code(exit: mageyard_terminal::ScreenExit) -> Exit {
    match exit {
        mageyard_terminal::ScreenExit::Quit => Exit::Done,
        mageyard_terminal::ScreenExit::Interrupted => Exit::Interrupted,
        mageyard_terminal::ScreenExit::Terminated => Exit::Terminated,
        mageyard_terminal::ScreenExit::HungUp => Exit::HungUp,
    }
}

pub(crate) fn screen_failure(error: &ScreenError) -> Failure {
    let exit = if matches!(error, ScreenError::NoTerminal) { Exit::BadRequest } else { Exit::Failed };
    Failure::Problem(exit, Problem::new(error.to_string()))
}

/// Rejects a missing terminal before anything is written. The linear mode needs none.
pub(crate) fn require_terminal(config: &Config) -> Result<(), Failure> {
    if config.settings().screen.linear || mageyard_screen::is_terminal() {
        if is_linear(config) && !config.settings().screen.linear {
            print_message("TERM is dumb, so the screen is written in lines, as with --linear");
        }
        return Ok(());
    }
    Err(screen_failure(&ScreenError::NoTerminal))
}

/// Prints how to resume, on standard error so that it does not mix with data.
fn print_resume_hint(session: &Path, store: &str) {
    let name = session.file_name().unwrap_or_default().to_string_lossy();
    print_message(&format!("unfinished: resume it with `mageyard play --resume {name}{store}`"));
}

/// Shows recorded episodes until the user quits.
pub(crate) fn view(opening: ViewOpening<'_>, context: &Context, config: Config) -> Result<Exit, Failure> {
    require_terminal(&config)?;
    multi_thread_runtime()?.block_on(show(opening, context, config))
}

async fn show(opening: ViewOpening<'_>, context: &Context, config: Config) -> Result<Exit, Failure> {
    let ViewOpening { run, store, journals, step, follow } = opening;
    let look = appearance::load(context.folders(), &config)?;
    let episodes = session_browser::open_some(&context.lab, journals.clone(), follow, &config).await?;
    // A recording that is being written opens at its newest episode, others at the first.
    let shown = if follow { episodes.read.last() } else { episodes.read.first() };
    if let Some(session) = shown {
        let steps = &session.snapshots.borrow().steps;
        check_step_exists(steps.iter().filter(|step| step.is_done()).count(), steps.len(), step)?;
    }
    let followed = follow.then(|| session_browser::followed_folder(&store, run, &journals)).flatten();
    let is_open = |session: &Session| session.snapshots.borrow().run.waiting.ending().is_none();
    let first = episodes.read.first().filter(|first| !follow && is_open(first));
    let mut unfinished: Vec<PathBuf> = first.and_then(|_| journals.first().cloned()).into_iter().collect();
    let mut task = LabTask::new(context.lab.clone(), context.sources.clone(), config.clone());
    // Several episodes open as a list.
    let list = journals.len() > 1 && step.is_none() && !follow;
    if let Some(folder) = followed {
        task.follow_session(folder, journals);
    }
    let spec = ScreenSpec { episodes, step, list, follow, ..ScreenSpec::default() };
    let (exit, task) = show_screen(task, spec, look, context).await?;
    if !follow {
        unfinished.extend(task.unfinished().await);
        let commands = unfinished.iter().map(|journal| session::resume_command(&store, journal, &config));
        session::print_resume_commands(commands.collect());
    }
    Ok(exit)
}

/// Opens the screen on home.
pub(crate) fn home(context: &Context, config: Config) -> Result<Exit, Failure> {
    let look = appearance::load(context.folders(), &config)?;
    require_terminal(&config)?;
    multi_thread_runtime()?.block_on(async {
        let task = LabTask::new(context.lab.clone(), context.sources.clone(), config);
        let spec = ScreenSpec { home: true, ..ScreenSpec::default() };
        Ok(show_screen(task, spec, look, context).await?.0)
    })
}

/// Opens the screen on the list of all sessions.
pub(crate) fn browse(context: &Context, config: Config) -> Result<Exit, Failure> {
    let look = appearance::load(context.folders(), &config)?;
    require_terminal(&config)?;
    multi_thread_runtime()?.block_on(async {
        let task = LabTask::new(context.lab.clone(), context.sources.clone(), config);
        let spec = ScreenSpec { list: true, ..ScreenSpec::default() };
        Ok(show_screen(task, spec, look, context).await?.0)
    })
}
