//! The right to have a page open, and when a browser was last used.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::OwnedSemaphorePermit;

/// When a browser was last used. Clones share it.
#[derive(Clone, Debug)]
pub(super) struct LastUse(Arc<Mutex<Instant>>);

impl LastUse {
    /// It is used now.
    pub(super) fn now() -> Self {
        Self(Arc::new(Mutex::new(Instant::now())))
    }

    /// It is used now, once more.
    pub(super) fn touch(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    /// The time since then.
    pub(super) fn elapsed(&self) -> Duration {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).elapsed()
    }
}

/// The right to have a page open; the time of its return counts for being idle.
#[derive(Debug)]
pub(super) struct OpenPlace {
    _permit: Option<OwnedSemaphorePermit>,
    used: LastUse,
}

impl OpenPlace {
    /// A place with its permit; a page beyond the limit has none.
    pub(super) fn new(permit: Option<OwnedSemaphorePermit>, used: LastUse) -> Self {
        Self { _permit: permit, used }
    }
}

impl Drop for OpenPlace {
    fn drop(&mut self) {
        self.used.touch();
    }
}
