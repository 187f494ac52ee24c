//! `tutor`: lists the lessons, or opens the screen on one; and the episodes of lessons.

use std::path::Path;
use std::time::{Duration, SystemTime};
use std::{fs, io};

use mageyard_cli::context::Context;
use mageyard_cli::exit::{Exit, Failure};
use mageyard_cli::logfile;
use mageyard_cli::output::Output;
use mageyard_cli::runtime::multi_thread_runtime;
use mageyard_cli::tutor::Args;
use mageyard_config::{Config, Origin, SettingOverride};
use mageyard_engine::Session;
use mageyard_lab::{Lab, LabError};
use mageyard_screen::{Lesson, ScreenSpec};
use serde::Serialize;

use crate::appearance;
use crate::lab_task::LabTask;
use crate::opening::{require_terminal, show_screen};
use crate::played_session::PlayedSession;

/// How long the episodes of lessons are kept: they may be those of another screen.
const KEPT: Duration = Duration::from_hours(24);

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
        let session = start_lesson(&context.lab, &config, lesson.name())?;
        let task = LabTask::new(context.lab.clone(), context.sources.clone(), config);
        let spec = ScreenSpec { lesson: Some(lesson), ..ScreenSpec::single(session) };
        Ok(show_screen(task, spec, look, context).await?.0)
    })
}

/// Starts the episode of a lesson. Its settings are the shipped ones and those of the lesson, only the pace of the simulated
/// model can be a person's own; and it is not among the recordings.
pub(crate) fn start_lesson(lab: &Lab, config: &Config, name: &str) -> Result<Session, LabError> {
    let lesson = Lesson::named(name)?;
    let folder = config.folders().lessons();
    // What cannot be removed takes only space.
    let _ = remove_old(&folder);
    let settings = lesson.settings().map(|setting| SettingOverride::parse(setting, "tutor"));
    let mut settings = settings.collect::<Result<Vec<_>, _>>()?;
    let origin = Origin::Flag("tutor".to_owned());
    settings.push(SettingOverride::new("store.folder", folder.to_string_lossy(), origin.clone()));
    let pace = config.given_value("demo.pace").filter(|pace| pace.origin != Origin::Default);
    settings.extend(pace.map(|pace| SettingOverride::new("demo.pace", pace.written_value(), origin)));
    let config = Config::shipped(config.folders().clone())?.with_overrides(&settings)?;
    PlayedSession::new(lab.clone(), config).open(lesson.level())
}

/// Removes the episodes of lessons that were started long ago.
fn remove_old(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let age = SystemTime::now().duration_since(entry.metadata()?.modified()?).unwrap_or_default();
        if age > KEPT {
            fs::remove_dir_all(entry.path())?;
        }
    }
    Ok(())
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
