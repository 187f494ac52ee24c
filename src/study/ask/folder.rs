//! The folder of an ask beside its journal: what was asked (`ask.json`), the requests with their images, and a line for each
//! call that came back (`calls.jsonl`). Lines are only added, so an ask that was killed is completed by asking again.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{fs, io};

use super::error::AskFileError;
use super::plan::AskPlan;
use super::prepare::PreparedVariant;
use super::ratings::read_ratings;
use super::record::{AskCall, AskRecord, SCHEMA, newest_calls};
use mageyard_agents::request_reader;
use mageyard_domain::Rating;
use mageyard_engine::AtomicFile;
use mageyard_lab::LabError;

/// The folder of all asks in the folder of a journal.
const ASKS: &str = "asks";
const RECORD: &str = "ask.json";
const CALLS: &str = "calls.jsonl";

/// An ask as it is stored.
#[derive(Clone, Debug)]
pub struct StoredAsk {
    /// Its folder.
    pub folder: PathBuf,
    /// What was asked.
    pub record: AskRecord,
    /// The newest call of each variant and sample.
    pub calls: Vec<AskCall>,
    /// What a person thinks of their replies, by the index of the variant and the number of the sample.
    pub ratings: BTreeMap<(usize, u32), Rating>,
}

/// The asks at a step of the episode or the branch of this journal, by name; nothing is written.
pub fn stored_asks(journal: &Path, step: u32) -> Result<Vec<StoredAsk>, LabError> {
    asks_of(journal, &|record| record.step == step)
}

/// The asks of the episode or the branch of this journal that leave out parts, by name.
pub(super) fn asks_without_parts(journal: &Path) -> Result<Vec<StoredAsk>, LabError> {
    asks_of(journal, &AskRecord::leaves_out)
}

pub(crate) fn asks_of(
    journal: &Path,
    is_wanted: &dyn Fn(&AskRecord) -> bool,
) -> Result<Vec<StoredAsk>, LabError> {
    let root = folder_of(journal);
    let entries = match fs::read_dir(&root) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(AskFileError::disk(&root))?,
    };
    let mut folders = Vec::new();
    for entry in entries {
        folders.push(entry.map_err(AskFileError::disk(&root))?.path());
    }
    folders.sort();
    let mut asks = Vec::new();
    for folder in folders.into_iter().filter(|folder| folder.join(RECORD).is_file()) {
        let record = read_record(&folder)?;
        if is_wanted(&record) {
            let path = folder.join(CALLS);
            let bytes = fs::read(&path).or_else(none_if_absent).map_err(AskFileError::disk(&path))?;
            let (calls, _) = read_calls(&path, &bytes)?;
            let ratings = read_ratings(&folder)?;
            asks.push(StoredAsk { folder, record, calls: newest_calls(calls), ratings });
        }
    }
    Ok(asks)
}

impl AskPlan {
    /// The folder in which it is stored once it is made.
    pub fn folder(&self) -> PathBuf {
        folder_of(&self.state.journal).join(self.record.id().to_string())
    }
}

/// The open folder of an ask, locked for this process.
pub(super) struct AskFolder {
    pub(super) path: PathBuf,
    calls: PathBuf,
    file: File,
    /// When the lines were last brought to the disk.
    synced: Instant,
}

/// The longest time after which lines are brought to the disk. Those of a process that is killed are kept without it.
const SYNC_INTERVAL: Duration = Duration::from_millis(250);

impl AskFolder {
    /// Opens the folder of a planned ask, which is created if there is none; also the calls that came back before.
    pub(super) fn open(plan: &AskPlan) -> Result<(Self, Vec<AskCall>), AskFileError> {
        let path = plan.folder();
        fs::create_dir_all(&path).map_err(AskFileError::disk(&path))?;
        let calls = path.join(CALLS);
        let open = OpenOptions::new().read(true).append(true).create(true).open(&calls);
        let mut file = open.map_err(AskFileError::disk(&calls))?;
        // Some network file systems have no locks.
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(AskFileError::Busy { path });
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(AskFileError::disk(&calls))?;
        let (known, length) = read_calls(&calls, &bytes)?;
        // A kill may have cut the last line.
        file.set_len(length).map_err(AskFileError::disk(&calls))?;
        if !path.join(RECORD).is_file() {
            for (prepared, number) in plan.requests.iter().zip(1..) {
                write_request(&path, number, prepared)?;
            }
            write_record(&path, &plan.record)?;
        }
        Ok((Self { path, calls, file, synced: Instant::now() }, newest_calls(known)))
    }

    /// Adds a call that came back, in one write.
    pub(super) fn append(&mut self, call: &AskCall) -> Result<(), AskFileError> {
        let disk = AskFileError::disk(&self.calls);
        let line = serde_json::to_string(call).map_err(|error| disk(error.into()))? + "\n";
        self.file.write_all(line.as_bytes()).map_err(disk)?;
        if self.synced.elapsed() >= SYNC_INTERVAL { self.sync() } else { Ok(()) }
    }

    /// Brings all lines to the disk, so that they outlast a loss of power.
    pub(super) fn sync(&mut self) -> Result<(), AskFileError> {
        self.synced = Instant::now();
        self.file.sync_data().map_err(AskFileError::disk(&self.calls))
    }
}

fn folder_of(journal: &Path) -> PathBuf {
    journal.parent().unwrap_or(Path::new("")).join(ASKS)
}

fn none_if_absent(error: io::Error) -> io::Result<Vec<u8>> {
    if error.kind() == io::ErrorKind::NotFound { Ok(Vec::new()) } else { Err(error) }
}

/// The calls of whole lines, and the length of these.
fn read_calls(path: &Path, bytes: &[u8]) -> Result<(Vec<AskCall>, u64), AskFileError> {
    let length = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
    let lines = bytes[..length].split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let read = |(index, line): (usize, &[u8])| {
        serde_json::from_slice(line).map_err(|error| AskFileError::Damaged {
            path: path.to_owned(),
            line: index + 1,
            why: error.to_string(),
        })
    };
    let calls = lines.enumerate().map(read).collect::<Result<_, _>>()?;
    Ok((calls, u64::try_from(length).unwrap_or(u64::MAX)))
}

fn read_record(folder: &Path) -> Result<AskRecord, AskFileError> {
    let path = folder.join(RECORD);
    let bytes = fs::read(&path).map_err(AskFileError::disk(&path))?;
    let damaged = |error: serde_json::Error| AskFileError::Damaged {
        path: path.clone(),
        line: 1,
        why: error.to_string(),
    };
    let value: serde_json::Value = serde_json::from_slice(&bytes).map_err(damaged)?;
    let schema = value["schema"].as_u64().and_then(|schema| u32::try_from(schema).ok()).unwrap_or(u32::MAX);
    if schema > SCHEMA {
        return Err(AskFileError::Newer { path, schema });
    }
    serde_json::from_value(value).map_err(damaged)
}

fn write_record(folder: &Path, record: &AskRecord) -> Result<(), AskFileError> {
    let path = folder.join(RECORD);
    let text = serde_json::to_string(record).map_err(|error| AskFileError::disk(&path)(error.into()))?;
    write(&path, (text + "\n").as_bytes())
}

/// Writes the body of the request of a variant with each image replaced by its digest, and the images beside it.
fn write_request(folder: &Path, number: usize, prepared: &PreparedVariant) -> Result<(), AskFileError> {
    let PreparedVariant { sent, .. } = prepared;
    let requests = folder.join("requests");
    fs::create_dir_all(&requests).map_err(AskFileError::disk(&requests))?;
    let body = request_reader().body(sent, &mut str::to_owned);
    write(&requests.join(format!("{number}.json")), body.as_bytes())?;
    for image in &sent.frames {
        let kind = image.blob.media_type.rsplit('/').next().unwrap_or_default();
        let is_plain = !kind.is_empty() && kind.chars().all(|letter| letter.is_ascii_alphanumeric());
        let extension = if is_plain { kind } else { "bin" };
        write(&requests.join(format!("{}.{extension}", image.blob.digest)), &image.bytes)?;
    }
    Ok(())
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), AskFileError> {
    let written = AtomicFile::stage(path, bytes).and_then(AtomicFile::replace);
    written.map(drop).map_err(AskFileError::disk(path))
}
