//! A task folder of the benchmark: which files it must have, and what they become.

use std::fmt;

use super::actions::{ActionError, read_actions};
use crate::task::MAX_FILE_BYTES;

/// The page of a task.
const PAGE: &str = "index.html";
/// The description, and what it is called here.
const DESCRIPTION: [&str; 2] = ["tasks.md", "task.md"];
/// The interactions, and what they are called here.
const ACTIONS: [&str; 2] = ["actions.py", "steps.json"];
/// A copy of the description that the benchmark prepared for requests.
const PREPARED: &str = "tasks_content.json";
/// The folder of the description's screenshots.
const SCREENSHOTS: &str = "_images/";
const TOO_LARGE: &str = "more than 4 MiB";
const NAME_IS_TAKEN: &str = "its name is that of a file that the import writes";

/// A task with the files of a page of ours, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportedTask {
    /// Names relative to the folder, and contents.
    pub files: Vec<(String, Vec<u8>)>,
    /// What was left out.
    pub left_out: Vec<LeftOutFile>,
}

/// A file that was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOutFile {
    /// Its name relative to the folder.
    pub file: String,
    /// Why.
    pub reason: &'static str,
}

impl LeftOutFile {
    /// Whether the page may miss the file.
    pub fn is_loss(&self) -> bool {
        [TOO_LARGE, NAME_IS_TAKEN].contains(&self.reason)
    }
}

impl fmt::Display for LeftOutFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file, self.reason)
    }
}

/// Why a task cannot be imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TaskError {
    /// The folder has no file of this name.
    Missing(&'static str),
    /// A file that must be text is not.
    NotText(&'static str),
    /// A file that every page needs is too large.
    TooLarge(String),
    /// The interactions.
    Actions(ActionError),
}

impl fmt::Display for TaskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(file) => write!(f, "the folder has no file {file}"),
            Self::NotText(file) => write!(f, "{file} is not UTF-8 text"),
            Self::TooLarge(file) => write!(f, "{file} has more than {MAX_FILE_BYTES} bytes"),
            Self::Actions(error) => write!(f, "{}, {error}", ACTIONS[0]),
        }
    }
}

impl std::error::Error for TaskError {}

/// Reads the files of a task folder, given with their names relative to it, with `/` between the parts.
///
/// # Errors
/// A file that is missing or not text, or interactions with a call that is not read.
pub fn read_task(files: Vec<(String, Vec<u8>)>) -> Result<ImportedTask, TaskError> {
    let description = text(&files, DESCRIPTION[0])?.to_owned();
    let actions = read_actions(text(&files, ACTIONS[0])?).map_err(TaskError::Actions)?;
    if !files.iter().any(|(name, _)| name == PAGE) {
        return Err(TaskError::Missing(PAGE));
    }
    let mut task = ImportedTask::default();
    for (name, content) in files {
        match reason_to_leave_out(&name, &content, &description) {
            None => task.files.push((name, content)),
            Some(_) if [PAGE, "style.css", "script.js"].contains(&name.as_str()) => {
                return Err(TaskError::TooLarge(name));
            }
            Some("") => {}
            Some(reason) => task.left_out.push(LeftOutFile { file: name, reason }),
        }
    }
    let steps = serde_json::to_vec_pretty(&actions).map_err(|error| {
        TaskError::Actions(ActionError { line: 1, reason: format!("cannot be written as JSON: {error}") })
    })?;
    task.files.push((DESCRIPTION[1].to_owned(), description.into_bytes()));
    task.files.push((ACTIONS[1].to_owned(), [steps, b"\n".to_vec()].concat()));
    Ok(task)
}

/// Why a file is not part of the page; an empty reason for one that is, under another name.
fn reason_to_leave_out(name: &str, content: &[u8], description: &str) -> Option<&'static str> {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    if name == DESCRIPTION[0] || name == ACTIONS[0] {
        Some("")
    } else if name == DESCRIPTION[1] || name == ACTIONS[1] {
        Some(NAME_IS_TAKEN)
    } else if name == PREPARED {
        Some("a prepared copy of the description")
    } else if ["py", "pyc"].contains(&extension) || name.split('/').any(|part| part.starts_with('.')) {
        Some("a hidden file or a program")
    } else if name.starts_with(SCREENSHOTS) && !description.contains(name) {
        Some("a screenshot that the description does not show")
    } else if content.len() > MAX_FILE_BYTES {
        Some(TOO_LARGE)
    } else {
        None
    }
}

fn text<'a>(files: &'a [(String, Vec<u8>)], name: &'static str) -> Result<&'a str, TaskError> {
    let (_, content) = files.iter().find(|(file, _)| file == name).ok_or(TaskError::Missing(name))?;
    let text = std::str::from_utf8(content).map_err(|_| TaskError::NotText(name))?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}
