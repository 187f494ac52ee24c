//! What receives the events of a browser.

use std::sync::Arc;

use super::connection::{Connection, Incoming};

/// Receives the events of a browser in their order. It must answer at once and never wait: what waits is a task of its
/// own.
pub(super) trait EventHandler: std::fmt::Debug + Default + Send + Sync + 'static {
    /// Handles an event.
    fn event(&self, connection: &Arc<Connection>, event: &Incoming<'_>);

    /// Whether a page is in use, so that the memory of pages is measured.
    fn is_used(&self) -> bool;

    /// The process of a page is about to be ended, because it uses more than this many MiB.
    fn expect_out_of_memory(&self, most_mib: u64);

    /// Forgets everything in this context.
    fn forget(&self, context: &str);
}
