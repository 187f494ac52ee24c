//! A folder of recordings.

use std::path::Path;

use mageyard_config::{Problem, SourceFile};
use mageyard_football::recording::{
    EpisodeSummary, Measures, RecordingError, Trace, read_summaries, read_trace,
};

/// The largest recording, in bytes.
const FILE_LIMIT: u64 = 64 << 20;
/// The largest number of files.
const MAX_FILES: usize = 10_000;

/// The recordings of a folder.
#[derive(Debug, Default)]
pub(super) struct Data {
    /// Episodes with every frame, with the names of their files.
    pub(super) traces: Vec<(String, Trace)>,
    /// Episodes without frames.
    pub(super) summaries: Vec<EpisodeSummary>,
    pub(super) measures: Measures,
    /// Files that have none of the names of recordings.
    pub(super) not_read: Vec<String>,
}

impl Data {
    /// Reads all files of a folder in the order of their names; subfolders are not read.
    pub(super) fn read(folder: &Path) -> Result<Self, Problem> {
        let mut data = Self::default();
        for name in names(folder)? {
            data.add(folder, name)?;
        }
        if data.traces.is_empty() && data.summaries.is_empty() && data.measures == Measures::default() {
            let problem = Problem::new("has no recordings").at(folder, "", 0..0);
            return Err(problem.with_help("docs/football-validation.md describes the files"));
        }
        Ok(data)
    }

    fn add(&mut self, folder: &Path, name: String) -> Result<(), Problem> {
        let path = folder.join(&name);
        let is_json = path.extension().is_some_and(|extension| extension == "json");
        let is_trace = name.contains("__") && is_json;
        let is_list = name.starts_with("summary_") && is_json;
        if !is_trace && !is_list && !name.starts_with("measure_") {
            self.not_read.push(name);
            return Ok(());
        }
        let file = SourceFile::read(&path, FILE_LIMIT)?;
        let wrong = |error: RecordingError| Problem::new(error.to_string()).at(&path, "", 0..0);
        let text = file.text.as_bytes();
        if is_trace {
            self.traces.push((name, read_trace(text).map_err(wrong)?));
        } else if is_list {
            self.summaries.extend(read_summaries(text).map_err(wrong)?);
        } else if !self.measures.read(&name, text).map_err(wrong)? {
            self.not_read.push(name);
        }
        Ok(())
    }
}

/// The names of the files of a folder, sorted.
fn names(folder: &Path) -> Result<Vec<String>, Problem> {
    let unread =
        |error: std::io::Error| Problem::new(format!("cannot be read: {error}")).at(folder, "", 0..0);
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unread)? {
        let entry = entry.map_err(unread)?;
        if entry.file_type().map_err(unread)?.is_file() {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
        if names.len() > MAX_FILES {
            return Err(Problem::new(format!("has more than {MAX_FILES} files")).at(folder, "", 0..0));
        }
    }
    names.sort();
    Ok(names)
}
