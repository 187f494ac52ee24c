//! The start time of the session that was begun last, in a file of the store: a new session gets a later one without a list
//! of all sessions, and is the last one even if the clock was set back.

use std::fs::{File, OpenOptions};
use std::io;
use std::io::Read;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::Duration;

/// The file in the store: milliseconds since 1970.
const FILE: &str = ".newest";

/// Sessions that start within this time are ordered even if the clock is set back; after a larger jump the clock is
/// right and the file is wrong.
const LARGEST_JUMP: Duration = Duration::from_secs(10);

/// The newest start time, locked until this value is dropped.
pub(super) struct NewestStart(File);

impl NewestStart {
    /// Opens the file in this store and waits until no other process uses it.
    pub(super) fn lock(root: &Path) -> io::Result<Self> {
        let file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(root.join(FILE))?;
        // Without locks, as on some network file systems, two sessions can only get the same millisecond.
        let _ = file.lock();
        Ok(Self(file))
    }

    /// The start of the session that was begun last in this store; `None` if there was none, or the file is not readable.
    pub(super) fn read_from(root: &Path) -> Option<Duration> {
        Self(File::open(root.join(FILE)).ok()?).read()
    }

    /// This time, or the first millisecond after the newest start.
    pub(super) fn next(&mut self, now: Duration) -> Duration {
        let now = Duration::from_millis(u64::try_from(now.as_millis()).unwrap_or_default());
        match self.read() {
            Some(newest) if newest >= now && newest.saturating_sub(now) < LARGEST_JUMP => {
                newest + Duration::from_millis(1)
            }
            _ => now,
        }
    }

    fn read(&mut self) -> Option<Duration> {
        let mut text = String::new();
        (&self.0).take(32).read_to_string(&mut text).ok()?;
        Some(Duration::from_millis(text.trim().parse().ok()?))
    }

    /// Sets the newest start.
    pub(super) fn set(&mut self, started: Duration) -> io::Result<()> {
        let text = format!("{:020}\n", started.as_millis());
        self.0.write_all_at(text.as_bytes(), 0)
    }
}
