//! `desktop check`: every mistake of task files, what is unusual in them, and what tasks need.

use std::path::{Path, PathBuf};

use mageyard_cli::{Exit, Failure, Output};
use mageyard_config::{Problem, SourceFile};
use mageyard_desktop::levels::{ReadTask, read_all};
use mageyard_desktop::task::{Need, Task, lines};
use mageyard_domain::count_noun;
use serde::Serialize;

/// The largest file of tasks, in bytes.
const LIMIT: u64 = 64 << 20;

/// Check task files: handlers, parameters, variables, fixtures
///
/// Each task is read as an episode would read it. A mistake is reported with its line and field; parameters that nothing
/// reads and fixtures that are missing are warnings.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Files of tasks, or folders with such files
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

/// What was found in a task.
#[derive(Serialize)]
struct Found {
    file: String,
    line: usize,
    /// The identifier of the task; null if it cannot be read.
    task: Option<String>,
    error: Option<String>,
    warnings: Vec<String>,
    needs: Vec<String>,
}

pub(super) fn run(args: &Args) -> Result<Exit, Failure> {
    let mut found = Vec::new();
    for path in files(&args.files)? {
        let file = SourceFile::read(&path, LIMIT)?;
        let before = found.len();
        found.extend(read_all(&file.text).into_iter().map(|read| of_task(&path, read)));
        if found.len() == before {
            return Err(Problem::new(format!("{}: has no task", path.display())).into());
        }
    }
    print(&found, args.json)?;
    let wrong = found.iter().any(|found| found.error.is_some());
    Ok(if wrong { Exit::BadRequest } else { Exit::Done })
}

/// The files; of a folder those with records, in order of their names.
fn files(given: &[PathBuf]) -> Result<Vec<PathBuf>, Problem> {
    let mut files = Vec::new();
    for path in given {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let unread = |error: std::io::Error| Problem::new(format!("{}: {error}", path.display()));
        let mut inside = Vec::new();
        for entry in std::fs::read_dir(path).map_err(unread)? {
            let entry = entry.map_err(unread)?.path();
            let extension = entry.extension().and_then(|extension| extension.to_str());
            if matches!(extension, Some("json" | "jsonl" | "json5")) {
                inside.push(entry);
            }
        }
        if inside.is_empty() {
            return Err(Problem::new(format!("{}: has no file of tasks (*.json)", path.display())));
        }
        inside.sort();
        files.extend(inside);
    }
    Ok(files)
}

fn of_task(path: &Path, read: ReadTask) -> Found {
    let file = path.display().to_string();
    match read.task {
        Err(fault) => Found {
            file,
            line: fault.line,
            task: None,
            error: Some(fault.error.to_string()),
            warnings: Vec::new(),
            needs: Vec::new(),
        },
        Ok(task) => Found {
            file,
            line: read.line,
            warnings: warnings(path, &task),
            needs: lines(&task.needs()),
            task: Some(task.id),
            error: None,
        },
    }
}

/// What is unusual in the record, and fixtures that are not beside the file.
fn warnings(path: &Path, task: &Task) -> Vec<String> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let missing = task.needs().into_iter().filter_map(|need| match need {
        Need::Fixture(fixture) => Some(fixture),
        _ => None,
    });
    let missing = missing.filter(|fixture| {
        let beside = fixture.strip_prefix("${AS_ROOT}/").unwrap_or(fixture);
        !folder.join(beside).exists()
    });
    let missing = missing.map(|fixture| format!("{fixture}: is not in the folder of the file"));
    task.warnings().iter().cloned().chain(missing).collect()
}

fn print(found: &[Found], json: bool) -> Result<(), Failure> {
    let mut out = Output::open();
    for one in found {
        if json {
            out.object_line("desktop_task", one)?;
            continue;
        }
        let place = format!("{}:{}", one.file, one.line);
        if let Some(error) = &one.error {
            out.line(format!("{place}: error: {error}"))?;
        }
        for warning in &one.warnings {
            out.line(format!("{place}: warning: {warning}"))?;
        }
    }
    if !json {
        let wrong = found.iter().filter(|found| found.error.is_some()).count();
        let needing = found.iter().filter(|found| !found.needs.is_empty()).count();
        let tasks = count_noun(found.len() - wrong, "task can", "tasks can");
        out.line(format!("{tasks} be read, {wrong} cannot; {needing} need more than files"))?;
    }
    Ok(())
}
