//! Cancels a search when its result is no longer awaited.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Sets the cancel flag of a search when dropped.
#[derive(Debug, Default)]
pub struct CancelOnDrop(Arc<AtomicBool>);

impl CancelOnDrop {
    /// The cancel flag.
    pub fn flag(&self) -> Arc<AtomicBool> {
        self.0.clone()
    }
}

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
