//! Levels: tasks as records of the user's files.

use mageyard_domain::{FieldError, LevelFile, LevelRecords, NamedFile, NamedForm, RecordFacts};
use serde_json::{Map, Value};

use crate::task::{Need, Task};

/// The extensions of files with tasks, the usual one first.
pub(crate) const EXTENSIONS: &[&str] = &["json", "jsonl", "json5"];

/// What the paths of fixtures begin with in task files.
const ROOT: &str = "${AS_ROOT}/";

/// Tasks as records.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Records;

impl LevelRecords for Records {
    fn matches(&self, record: &Map<String, Value>) -> bool {
        Task::matches(record)
    }

    fn read(&self, record: &Map<String, Value>) -> Result<RecordFacts, FieldError> {
        let task = Task::read(record)?;
        Ok(RecordFacts { title: Some(task.id.clone()), files: files(&task) })
    }
}

/// The fixtures that a task names, relative to the folder of its file.
fn files(task: &Task) -> Vec<NamedFile> {
    let needs = task.needs();
    let paths = needs.iter().filter_map(|need| match need {
        Need::Fixture(path) => path.strip_prefix(ROOT),
        _ => None,
    });
    let file = |path: &str| NamedFile {
        field: "reset_procedure".to_owned(),
        path: path.to_owned(),
        form: NamedForm::Any,
    };
    paths.map(file).collect()
}

/// Where a file of a level goes, below the working folder.
pub(crate) fn place(file: &LevelFile) -> &str {
    &file.name
}
