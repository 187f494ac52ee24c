//! Permission to write, for a journal that several processes could continue.

/// Says before each write whether this process may still write. It is asked before every line, so it must be cheap.
pub trait WriteGuard: Send + Sync {
    /// `Err` with the reason if this process must no longer write.
    fn check(&self) -> Result<(), String>;
}
