//! The times of leases, which all workers of a sweep must share: they are in a file of its control folder.

use std::io;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::error::ClaimError;
use super::folder::ControlFolder;

/// The file in the control folder.
const FILE: &str = "claims.json";
/// The version of the control folder.
const FORMAT: u32 = 1;

/// How long a claim lasts without a heartbeat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// How often the owner of a cell renews its claim.
    pub heartbeat: Duration,
    /// How long the owner may write after the start of a heartbeat.
    pub lease: Duration,
    /// How much longer another worker waits before it takes a cell over. It covers clocks that run at different rates:
    /// a third of the lease covers 14 % for each of two clocks.
    pub margin: Duration,
}

impl Default for Timing {
    fn default() -> Self {
        let [heartbeat, lease, margin] = [5, 30, 10].map(Duration::from_secs);
        Self { heartbeat, lease, margin }
    }
}

impl Timing {
    /// How long another worker must see the same heartbeat before it takes the cell over.
    pub fn takeover(&self) -> Duration {
        self.lease + self.margin
    }
}

#[derive(Serialize, Deserialize)]
struct StoredTiming {
    format: u32,
    heartbeat_ms: u64,
    lease_ms: u64,
    margin_ms: u64,
}

/// The times of this sweep: those in its folder, or these if it is new.
pub(super) fn shared_timing(folder: &dyn ControlFolder, new: Timing) -> Result<Timing, ClaimError> {
    let path = folder.root().join(FILE);
    let disk = |source| ClaimError::Disk { path: path.clone(), source };
    let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    let stored = StoredTiming {
        format: FORMAT,
        heartbeat_ms: ms(new.heartbeat),
        lease_ms: ms(new.lease),
        margin_ms: ms(new.margin),
    };
    let text = serde_json::to_vec(&stored).map_err(|error| disk(error.into()))?;
    match folder.create_new(FILE, &text) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(disk(error)),
        _ => {}
    }
    let bytes = folder.read(FILE).map_err(disk)?;
    parse(&bytes).map_err(|why| ClaimError::Foreign { path, why })
}

/// The times of a sweep that was run; the usual ones if it never was.
pub(super) fn stored_timing(folder: &dyn ControlFolder) -> Result<Timing, ClaimError> {
    let path = folder.root().join(FILE);
    match folder.read(FILE) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Timing::default()),
        Err(source) => Err(ClaimError::Disk { path, source }),
        Ok(bytes) => parse(&bytes).map_err(|why| ClaimError::Foreign { path, why }),
    }
}

fn parse(bytes: &[u8]) -> Result<Timing, String> {
    let stored: StoredTiming = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    if stored.format != FORMAT {
        return Err(format!("format {} is newer than {FORMAT}: use a newer mageyard", stored.format));
    }
    let [heartbeat, lease, margin] =
        [stored.heartbeat_ms, stored.lease_ms, stored.margin_ms].map(Duration::from_millis);
    if heartbeat.is_zero() || lease <= heartbeat || margin.is_zero() {
        return Err("the lease must be longer than the heartbeat, and the margin longer than zero".to_owned());
    }
    Ok(Timing { heartbeat, lease, margin })
}
