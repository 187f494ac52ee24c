//! A search that somebody waits for, and that stops when nobody does any more.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering;

/// As long as it lives the answer is wanted. Dropping it raises the flag that searches look at.
#[derive(Debug, Default)]
pub struct CancelOnDrop(Arc<AtomicBool>);

impl CancelOnDrop {
    /// The flag that the search looks at; raised when the answer is no longer wanted.
    pub fn flag(&self) -> Arc<AtomicBool> {
        self.0.clone()
    }
}

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
