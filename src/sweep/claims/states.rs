//! The states of all cells, for a process that only reads.

use std::collections::BTreeMap;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::CONTROL_FOLDER;
use super::claim::Reason;
use super::control::{ADDING, CLAIMED, ENDED, KNOWN, NOTES, QUEUE, foreign};
use super::error::ClaimError;
use super::folder::{ControlFolder, DiskFolder};
use super::name::{Held, check_cell_name, parse_adding, parse_claimed, parse_queued};
use super::timing::stored_timing;

/// How often the folder is read again if cells seem to have no state or two: they change it while it is read.
const ATTEMPTS: usize = 5;

/// A state of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// It can be claimed.
    Queued,
    /// A worker has claimed it.
    Claimed,
    /// All its episodes are over.
    Done,
    /// It could not be completed.
    Failed,
    /// An episode waits for a person.
    Parked,
    /// Its file was removed from the control folder by hand.
    Missing,
}

impl State {
    /// All states, in the order of a report.
    pub const ALL: [Self; 6] =
        [Self::Claimed, Self::Queued, Self::Parked, Self::Failed, Self::Missing, Self::Done];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Claimed => "claimed",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Parked => "parked",
            Self::Missing => "missing",
        }
    }

    fn of_subfolder(name: &str) -> Self {
        [Self::Failed, Self::Parked].into_iter().find(|state| state.name() == name).unwrap_or(Self::Done)
    }
}

/// What the control folder says of a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellState {
    /// Its state.
    pub state: State,
    /// The worker that has it, or that ended it.
    pub worker: Option<String>,
    /// How often it was claimed.
    pub claims: u32,
    /// The number of the last heartbeat of a claimed cell.
    pub heartbeat: Option<u64>,
    /// The time since that heartbeat, by the clocks of this machine and of the file server.
    pub heartbeat_age: Option<Duration>,
    /// Why it failed or was parked.
    pub reason: Option<Reason>,
    /// The path of its file, relative to the control folder; empty if it is missing.
    path: String,
}

/// The state of every cell that was ever added to the sweep in this folder; none if the sweep was never run. A file in
/// the control folder that is none of this program's, and a cell in two states, is an error with the file.
pub fn cell_states(sweep: &Path) -> Result<BTreeMap<String, CellState>, ClaimError> {
    let reader = Reader { folder: DiskFolder::at(sweep.join(CONTROL_FOLDER)) };
    let mut attempt = 1;
    loop {
        let (mut states, twice) = reader.scan()?;
        let missing = reader.missing(&states)?;
        if attempt < ATTEMPTS && (!missing.is_empty() || twice.is_some()) {
            attempt += 1;
            continue;
        }
        if let Some((one, other)) = twice {
            let why = format!("the cell of this file is also in {one}; remove the older of the two");
            return Err(ClaimError::Foreign { path: reader.path(&other), why });
        }
        states.extend(
            missing.into_iter().map(|cell| (cell, CellState::new(State::Missing, None, 0, String::new()))),
        );
        reader.describe(&mut states)?;
        return Ok(states);
    }
}

/// The claimed cells of the sweep in this folder whose worker may still write: its last heartbeat is not old enough for
/// another worker to take the cell over.
pub fn cells_at_work(sweep: &Path) -> Result<Vec<String>, ClaimError> {
    let takeover = stored_timing(&DiskFolder::at(sweep.join(CONTROL_FOLDER)))?.takeover();
    let at_work = |state: &CellState| {
        state.state == State::Claimed && state.heartbeat_age.is_none_or(|age| age <= takeover)
    };
    let states = cell_states(sweep)?.into_iter();
    Ok(states.filter(|(_, state)| at_work(state)).map(|(cell, _)| cell).collect())
}

impl CellState {
    fn new(state: State, worker: Option<String>, claims: u32, path: String) -> Self {
        Self { state, worker, claims, heartbeat: None, heartbeat_age: None, reason: None, path }
    }

    fn of_held(state: State, held: &Held, path: String) -> Self {
        Self::new(state, Some(held.worker.to_string()), held.generation, path)
    }
}

/// The cells by name, and the paths of a cell that has two files.
type Scan = (BTreeMap<String, CellState>, Option<(String, String)>);

struct Reader {
    folder: DiskFolder,
}

impl Reader {
    fn path(&self, path: &str) -> PathBuf {
        self.folder.root().join(path)
    }

    /// The names in a subfolder; none if it does not exist.
    fn list(&self, subfolder: &str) -> Result<Vec<String>, ClaimError> {
        match self.folder.list(subfolder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            names => names.map_err(|source| ClaimError::Disk { path: self.path(subfolder), source }),
        }
    }

    fn scan(&self) -> Result<Scan, ClaimError> {
        let mut states = BTreeMap::new();
        let mut twice = None;
        for subfolder in [ADDING, QUEUE, CLAIMED].into_iter().chain(ENDED) {
            for name in self.list(subfolder)? {
                let (cell, state) =
                    entry(subfolder, &name).ok_or_else(|| foreign(&self.folder, subfolder, &name))?;
                let path = state.path.clone();
                // A cell may be added by several workers, of which one queues it.
                let earlier =
                    states.insert(cell, state).filter(|state: &CellState| !state.path.starts_with(ADDING));
                twice = twice.or(earlier.map(|earlier| (earlier.path, path)));
            }
        }
        Ok((states, twice))
    }

    /// Cells that were added and have no state.
    fn missing(&self, states: &BTreeMap<String, CellState>) -> Result<Vec<String>, ClaimError> {
        let mut known = self.list(KNOWN)?;
        known.retain(|cell| !states.contains_key(cell));
        match known.iter().find(|cell| check_cell_name(cell).is_err()) {
            Some(name) => Err(foreign(&self.folder, KNOWN, name)),
            None => Ok(known),
        }
    }

    /// Adds the ages of heartbeats and the reasons.
    fn describe(&self, states: &mut BTreeMap<String, CellState>) -> Result<(), ClaimError> {
        let now = mageyard_lab::unix_time();
        for state in states.values_mut() {
            match state.state {
                State::Claimed => state.heartbeat_age = self.age(&state.path, now),
                State::Failed | State::Parked => state.reason = self.reason(&state.path)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// The time since a file was renamed; `None` if it has another name by now.
    fn age(&self, path: &str, now: Duration) -> Option<Duration> {
        let file = self.path(path).symlink_metadata().ok()?;
        let seconds = u64::try_from(file.ctime()).ok()?;
        let renamed = Duration::new(seconds, u32::try_from(file.ctime_nsec()).ok()?);
        Some(now.saturating_sub(renamed))
    }

    /// The note of a claim; `None` if there is none.
    fn reason(&self, path: &str) -> Result<Option<Reason>, ClaimError> {
        let name = path.split_once('/').map_or(path, |(_, name)| name);
        let note = format!("{NOTES}/{name}");
        let bytes = match self.folder.read(&note) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            bytes => bytes.map_err(|source| ClaimError::Disk { path: self.path(&note), source })?,
        };
        let parsed = serde_json::from_slice(&bytes);
        parsed.map(Some).map_err(|error| {
            let why = format!("the reason in this file cannot be read: {error}; remove the file");
            ClaimError::Foreign { path: self.path(&note), why }
        })
    }
}

/// The cell and the state of a file.
fn entry(subfolder: &str, name: &str) -> Option<(String, CellState)> {
    let path = format!("{subfolder}/{name}");
    match subfolder {
        ADDING => {
            let (cell, _) = parse_adding(name)?;
            Some((cell.to_owned(), CellState::new(State::Queued, None, 0, path)))
        }
        QUEUE => {
            let (cell, claims) = parse_queued(name)?;
            check_cell_name(cell).ok()?;
            Some((cell.to_owned(), CellState::new(State::Queued, None, claims, path)))
        }
        CLAIMED => {
            let (held, beat) = parse_claimed(name)?;
            let state =
                CellState { heartbeat: Some(beat), ..CellState::of_held(State::Claimed, &held, path) };
            Some((held.cell, state))
        }
        _ => {
            let held = Held::parse(name)?;
            let state = CellState::of_held(State::of_subfolder(subfolder), &held, path);
            Some((held.cell, state))
        }
    }
}
