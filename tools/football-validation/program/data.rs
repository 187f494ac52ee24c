//! A folder of recordings.

use std::io::Read;
use std::path::Path;

use super::exit::Failure;
use mageyard_football_validation::recording::{
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
    pub(super) fn read(folder: &Path) -> Result<Self, Failure> {
        let mut data = Self::default();
        for name in names(folder)? {
            data.add(folder, name)?;
        }
        if data.traces.is_empty() && data.summaries.is_empty() && data.measures == Measures::default() {
            return Err(Failure::NoRecordings { folder: folder.into() });
        }
        Ok(data)
    }

    fn add(&mut self, folder: &Path, name: String) -> Result<(), Failure> {
        let path = folder.join(&name);
        let is_json = path.extension().is_some_and(|extension| extension == "json");
        let is_trace = name.contains("__") && is_json;
        let is_list = name.starts_with("summary_") && is_json;
        if !is_trace && !is_list && !name.starts_with("measure_") {
            self.not_read.push(name);
            return Ok(());
        }
        let text = read(&path)?;
        let wrong = |why: RecordingError| Failure::Recording { path: path.clone(), why };
        if is_trace {
            self.traces.push((name, read_trace(&text).map_err(wrong)?));
        } else if is_list {
            self.summaries.extend(read_summaries(&text).map_err(wrong)?);
        } else if !self.measures.read(&name, &text).map_err(wrong)? {
            self.not_read.push(name);
        }
        Ok(())
    }
}

/// The names of the files of a folder, sorted.
fn names(folder: &Path) -> Result<Vec<String>, Failure> {
    let unread = |why| Failure::Read { path: folder.into(), why };
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unread)? {
        let entry = entry.map_err(unread)?;
        if entry.file_type().map_err(unread)?.is_file() {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
        if names.len() > MAX_FILES {
            return Err(Failure::Crowded { folder: folder.into(), limit: MAX_FILES });
        }
    }
    names.sort();
    Ok(names)
}

/// The bytes of a file that is not larger than a recording can be.
fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let unread = |why| Failure::Read { path: path.into(), why };
    let file = std::fs::File::open(path).map_err(unread)?;
    let mut bytes = Vec::new();
    file.take(FILE_LIMIT + 1).read_to_end(&mut bytes).map_err(unread)?;
    if bytes.len() as u64 > FILE_LIMIT {
        return Err(Failure::Large { path: path.into(), limit: FILE_LIMIT });
    }
    Ok(bytes)
}
