//! Levels: tasks as records of the user's files.

use mageyard_domain::{
    FieldError, LevelRecords, NamedFile, NamedForm, RawRecord, RecordFacts, RecordFault, RecordSplitter,
    read_object,
};
use serde_json::{Map, Value};

use crate::task::{Need, Task};

/// The extensions of files with tasks, the usual one first.
pub(crate) const EXTENSIONS: &[&str] = &["json", "jsonl", "json5"];

/// What the paths of fixtures begin with in task files.
const ROOT: &str = "${AS_ROOT}/";

/// Tasks as records.
#[derive(Clone, Copy, Debug)]
pub struct Records;

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

/// A record of a file, read as a task.
#[derive(Clone, Debug)]
pub struct ReadTask {
    /// The line in the file, from 1.
    pub line: usize,
    /// The task, or the line and the field that are wrong.
    pub task: Result<Task, RecordFault>,
}

/// Every record of a text of tasks, in order.
pub fn read_all(text: &str) -> Vec<ReadTask> {
    let mut tasks = Vec::new();
    let mut each = |piece: RawRecord<'_>| {
        let task = read_object(&piece).and_then(|object| {
            let task = Task::read(&object.fields);
            object.read(&piece, &Records).and(task.map_err(|error| RecordFault { line: piece.line, error }))
        });
        tasks.push(ReadTask { line: piece.line, task });
    };
    let mut splitter = RecordSplitter::default();
    splitter.feed(text.as_bytes(), &mut each);
    splitter.finish(&mut each);
    tasks
}
