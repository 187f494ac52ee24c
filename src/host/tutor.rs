//! `tutor`: lists the lessons, or opens the screen on one.

use mageyard_cli::context::Context;
use mageyard_cli::exit::{Exit, Failure};
use mageyard_cli::logfile;
use mageyard_cli::output::Output;
use mageyard_cli::runtime::multi_thread_runtime;
use mageyard_cli::tutor::Args;
use mageyard_screen::{Lesson, ScreenSpec};
use serde::Serialize;

use crate::opening::{exit_code, require_terminal, screen_failure};
use crate::screen_host::ScreenHost;
use crate::{appearance, screen_host, session_browser};

/// A lesson as `--list --json` prints it.
#[derive(Serialize)]
struct LessonRow<'a> {
    lesson: &'a str,
    title: &'a str,
    summary: &'a str,
    parts: usize,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    if args.list {
        return list(args.json);
    }
    let name = args.lesson.as_deref().unwrap_or(Lesson::names()[0]);
    let lesson = Lesson::named(name)?;
    logfile::start(context)?;
    let config = context.config()?;
    let look = appearance::load(context.folders(), &config)?;
    require_terminal(&config)?;
    multi_thread_runtime()?.block_on(async {
        let session = session_browser::tutorial(&context.lab, &config).await?;
        let mut host = ScreenHost::new(context, config);
        let events = host.take_events();
        let spec = ScreenSpec { lesson: Some(lesson), events, ..ScreenSpec::single(session) };
        let exit = mageyard_screen::run(&mut host, spec, look, screen_host::watch_files(context)).await;
        exit.map(exit_code).map_err(|error| screen_failure(&error))
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
