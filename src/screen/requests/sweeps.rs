//! Requests about sweeps.

/// What all workers of a sweep are ordered to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SweepOrder {
    /// Start no more episodes; of a sweep that is paused or cancelled, start them again.
    PauseOrResume,
    /// Finish the steps that are running, and end.
    Cancel,
    /// Queue the cells again that have failed or are parked.
    Requeue,
}
