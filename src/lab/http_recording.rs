//! A file with the conversations with model servers, one try of a request per line. The test server serves it again, so
//! that a report of a problem is a test.

use std::fs::{File, OpenOptions};
use std::io;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::json;

use super::Lab;
use mageyard_config::Problem;

/// The version of the format.
const VERSION: u32 = 1;

/// A file that is being written.
#[derive(Clone)]
pub struct HttpRecording(Arc<Mutex<State>>);

struct State {
    path: PathBuf,
    file: File,
    /// The first error; nothing is written after it.
    error: Option<io::Error>,
}

impl HttpRecording {
    /// Creates the file, which must not exist.
    pub fn create(path: &Path) -> Result<Self, Problem> {
        let problem = |error: io::Error| {
            let problem = Problem::new(format!("cannot create {}: {error}", path.display()));
            match error.kind() {
                io::ErrorKind::AlreadyExists => problem.with_help("give --record-http another name"),
                _ => problem,
            }
        };
        let file = OpenOptions::new().write(true).create_new(true).open(path).map_err(problem)?;
        let recording = Self(Arc::new(Mutex::new(State { path: path.to_owned(), file, error: None })));
        let program = concat!("mageyard ", env!("CARGO_PKG_VERSION"));
        recording
            .write(&json!({"type": "http_recording", "version": VERSION, "program": program}).to_string());
        Ok(recording)
    }

    /// The error that stopped the recording, if there was one.
    pub fn finish(&self) -> Result<(), Problem> {
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(error) = &state.error else { return Ok(()) };
        let what = format!("the recording {} is incomplete: {error}", state.path.display());
        Err(Problem::new(what))
    }

    fn write(&self, line: &str) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if state.error.is_none() {
            state.error = state.file.write_all(format!("{line}\n").as_bytes()).err();
        }
    }
}

/// Records all requests to model servers from now on.
pub fn start_http_recording(lab: &Lab, recording: &HttpRecording) {
    let recording = recording.clone();
    lab.models.record(Arc::new(move |line: &str| recording.write(line)));
}
