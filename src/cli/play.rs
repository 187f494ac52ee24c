//! `play`: the screen on a new or a resumed episode.

use mageyard_lab::{level_of, select_level};
use std::path::{Path, PathBuf};

use super::context::Context;
use super::diagnostics::{print_message, print_problem};
use super::exit::{Exit, Failure};
use super::runtime::multi_thread_runtime;
use super::screen_host::ScreenHost;
use super::session::store_flag;
use super::{appearance, logfile, screen_host, session};
use mageyard_config::{Config, Problem};
use mageyard_engine::Head;
use mageyard_lab::SelectedLevel;
use mageyard_screen::ScreenSpec;
use mageyard_terminal::ScreenError;

/// Open the screen on a level (the default command)
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "mageyard play [OPTIONS] [LEVEL]\n       mageyard play [OPTIONS] --resume <SESSION>",
    after_help = "More settings: see --help.",
    after_long_help = ""
)]
pub(super) struct Args {
    /// Environment, level set, level or file [default: the play.level setting]
    #[arg(value_name = "LEVEL")]
    pub(super) level: Option<String>,
    /// Resume an unfinished session: its name or `last`
    #[arg(long, value_name = "SESSION", conflicts_with = "level")]
    pub(super) resume: Option<String>,
    /// Record the conversations with model servers in a new file, for bug reports and tests
    ///
    /// Values of variables, such as API keys, are struck out and pictures are replaced by their digests.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(super) record_http: Option<PathBuf>,
}

/// What the screen opens on.
enum StartFrom<'a> {
    Level(SelectedLevel),
    Resume(&'a str),
    /// The recording that the agent `replay` repeats, with its own level.
    Recording,
    /// A new episode with this head.
    Head(Box<Head>),
}

impl<'a> StartFrom<'a> {
    /// A resumed episode has its level in its journal, so the level file is not needed.
    fn of(args: &'a Args, context: &Context, config: &Config) -> Result<Self, Problem> {
        if let Some(run) = &args.resume {
            return Ok(Self::Resume(run));
        }
        if args.level.is_none()
            && context.lab.agent(&config.settings().play.agent).is_some_and(|row| row.repeats_recording)
        {
            return Ok(Self::Recording);
        }
        let level = args.level.as_ref().unwrap_or(&config.settings().play.level);
        select_level(&context.lab, context.folders(), level).map(Self::Level)
    }
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    logfile::start(context)?;
    if args.resume.is_some() {
        session::refuse_changed_settings(context)?;
    }
    let config = context.config()?;
    let start = StartFrom::of(args, context, &config)?;
    let recording = session::record_http(&context.lab, args.record_http.as_deref())?;
    let exit = open(start, context, config)?;
    recording.map_or(Ok(()), |recording| recording.finish())?;
    Ok(exit)
}

/// Opens the screen on a new episode with this head, which repeats a recording.
pub(super) fn replay(head: Head, context: &Context, config: Config) -> Result<Exit, Failure> {
    logfile::start(context)?;
    open(StartFrom::Head(Box::new(head)), context, config)
}

fn open(start: StartFrom<'_>, context: &Context, config: Config) -> Result<Exit, Failure> {
    let look = appearance::load(context.folders(), &config)?;
    let store = store_flag(&config);
    require_terminal(&config)?;
    multi_thread_runtime()?.block_on(async {
        let mut host = ScreenHost::new(context, config);
        let session = match start {
            StartFrom::Level(selected) => host.start(&selected)?,
            StartFrom::Recording => host.start_replay()?,
            StartFrom::Head(head) => {
                let level = level_of(&context.lab, &head)?;
                host.start_head(*head, &level)?
            }
            StartFrom::Resume(run) => {
                let (session, note) = host.resume(run).await?;
                if let Some(note) = note {
                    print_problem(&Problem::new(note));
                }
                session
            }
        };
        let latest = session.snapshots.clone();
        let spec = ScreenSpec { events: host.take_events(), ..ScreenSpec::single(session) };
        let exit = mageyard_screen::run(&mut host, spec, look, screen_host::watch_files(context)).await;
        let unfinished = latest.borrow().waiting.ending().is_none();
        if let Some(session) = host.session().filter(|_| unfinished && exit.is_ok()) {
            print_resume_hint(session, &store);
        }
        exit.map(exit_code).map_err(|error| screen_failure(&error))
    })
}

/// The exit code for the way the screen was left.
pub(super) fn exit_code(exit: mageyard_terminal::Exit) -> Exit {
    match exit {
        mageyard_terminal::Exit::Quit => Exit::Done,
        mageyard_terminal::Exit::Interrupted => Exit::Interrupted,
        mageyard_terminal::Exit::Terminated => Exit::Terminated,
        mageyard_terminal::Exit::HungUp => Exit::HungUp,
    }
}

pub(super) fn screen_failure(error: &ScreenError) -> Failure {
    let exit = if matches!(error, ScreenError::NoTerminal) { Exit::BadRequest } else { Exit::Failed };
    Failure::Problem(exit, Problem::new(error.to_string()))
}

/// Rejects a missing terminal before anything is written. The linear mode needs none.
pub(super) fn require_terminal(config: &Config) -> Result<(), Failure> {
    if config.settings().screen.linear || mageyard_screen::is_terminal() {
        if appearance::is_linear(config) && !config.settings().screen.linear {
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
