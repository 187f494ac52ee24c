//! The plan of a session: the heads of its episodes, written before the first one starts.

use std::io;
use std::path::Path;

use super::Store;
use super::error::{StoreError, unreadable, unwritable};
use crate::atomic_file::AtomicFile;
use crate::head::Head;

/// One head per line.
const PLAN: &str = "plan.jsonl";

impl Store {
    /// Writes the plan of a session, so that it can be completed after a kill.
    pub fn write_plan(&self, session: &Path, heads: &[Head]) -> Result<(), StoreError> {
        let path = session.join(PLAN);
        let line = |head: &Head| serde_json::to_string(head).map(|line| line + "\n");
        let text = heads.iter().map(line).collect::<Result<String, _>>();
        let text = text.map_err(|error| unwritable(&path, error.into()))?;
        let written = AtomicFile::stage(&path, text.as_bytes()).and_then(AtomicFile::replace);
        written.map(drop).map_err(|source| unwritable(&path, source))
    }

    /// The planned episodes of a session, in order; `None` if there is no plan.
    pub fn read_plan(&self, session: &Path) -> Result<Option<Vec<Head>>, StoreError> {
        let path = session.join(PLAN);
        let text = match std::fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            text => text.map_err(|source| unreadable(&path, source))?,
        };
        let heads = text.lines().map(serde_json::from_str).collect::<Result<_, _>>();
        heads.map(Some).map_err(|error| unreadable(&path, io::Error::new(io::ErrorKind::InvalidData, error)))
    }
}
