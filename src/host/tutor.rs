//! `tutor`: lists the lessons, or opens the screen on one.

use mageyard_cli::context::Context;
use mageyard_cli::exit::{Exit, Failure};
use mageyard_cli::logfile;
use mageyard_cli::output::Output;
use mageyard_cli::runtime::multi_thread_runtime;
use mageyard_cli::tutor::Args;
use mageyard_screen::{Lesson, ScreenSpec};
use serde::Serialize;

use crate::lab_task::LabTask;
use crate::opening::{require_terminal, show_screen};
use crate::{appearance, session_browser};

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
        let task = LabTask::new(context.lab.clone(), context.sources.clone(), config);
        let spec = ScreenSpec { lesson: Some(lesson), ..ScreenSpec::single(session) };
        Ok(show_screen(task, spec, look, context).await?.0)
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
