//! Locks of what the model agents of a process share.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// No code panics while it holds these locks, so poisoning is ignored.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
