//! `tutor`: lessons for newcomers on a recorded episode.

use serde::Serialize;

use super::context::Context;
use super::exit::{Exit, Failure};
use super::output::Output;
use super::runtime::multi_thread_runtime;
use super::screen_host::ScreenHost;
use super::{appearance, logfile, play, screen_host, session_browser};
use mageyard_screen::{Lesson, ScreenSpec};

/// Learn the screen step by step on a recorded episode
///
/// The recording is part of the program: no model, no key and no network are needed. `:tutor` starts a lesson while the screen is open.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Lesson to start [default: the first]
    #[arg(value_name = "LESSON")]
    lesson: Option<String>,
    /// List the lessons instead of opening the screen
    #[arg(long, conflicts_with = "lesson")]
    list: bool,
    /// Print JSON, one object per line
    #[arg(long, requires = "list")]
    json: bool,
}

/// A lesson as `--list --json` prints it.
#[derive(Serialize)]
struct LessonRow<'a> {
    lesson: &'a str,
    title: &'a str,
    summary: &'a str,
    parts: usize,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    if args.list {
        return list(args.json);
    }
    let name = args.lesson.as_deref().unwrap_or(Lesson::names()[0]);
    let lesson = Lesson::named(name)?;
    logfile::start(context)?;
    let config = context.config()?;
    let look = appearance::load(context.folders(), &config)?;
    play::require_terminal(&config)?;
    multi_thread_runtime()?.block_on(async {
        let session = session_browser::tutorial(&context.lab, &config).await?;
        let mut host = ScreenHost::new(context, config);
        let events = host.take_events();
        let spec = ScreenSpec { lesson: Some(lesson), events, ..ScreenSpec::single(session) };
        let exit = mageyard_screen::run(&mut host, spec, look, screen_host::watch_files(context)).await;
        exit.map(play::exit_code).map_err(|error| play::screen_failure(&error))
    })
}

fn list(json: bool) -> Result<Exit, Failure> {
    let lessons = Lesson::all()?;
    let rows = lessons.iter().map(|lesson| LessonRow {
        lesson: lesson.name(),
        title: lesson.title(),
        summary: lesson.summary(),
        parts: lesson.len(),
    });
    let mut out = Output::open();
    if json {
        rows.into_iter().try_for_each(|row| out.object_line("lesson", &row))?;
    } else {
        let cells: Vec<_> = rows
            .map(|row| vec![row.lesson.to_owned(), row.title.to_owned(), row.summary.to_owned()])
            .collect();
        out.table(&cells)?;
    }
    Ok(Exit::Done)
}
