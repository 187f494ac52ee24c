//! `play`: the screen on a new or a resumed episode.

use std::path::PathBuf;

use mageyard_config::{Config, Problem};
use mageyard_engine::Head;
use mageyard_lab::{SelectedLevel, select_level};

use super::context::Context;
use super::exit::{Exit, Failure};
use super::{logfile, session};

/// Open the screen on a level
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
pub enum StartFrom<'a> {
    /// A new episode on this level.
    Level(SelectedLevel),
    /// The unfinished session with this name.
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
    let exit = context.screen.play(start, context, config)?;
    recording.map_or(Ok(()), |recording| recording.finish())?;
    Ok(exit)
}

/// Opens the screen on a new episode with this head, which repeats a recording.
pub(super) fn replay(head: Head, context: &Context, config: Config) -> Result<Exit, Failure> {
    logfile::start(context)?;
    context.screen.play(StartFrom::Head(Box::new(head)), context, config)
}
