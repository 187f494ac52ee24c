//! What goes on while the driver waits for the agent or the environment.

use tokio_util::sync::CancellationToken;

use super::{Controller, RunControl};
use crate::driver::Work;

/// Takes part while the driver is busy: a session publishes snapshots and takes commands.
pub(crate) trait Companion {
    /// The driver is about to begin this.
    fn begin(&mut self, work: Work, controller: &mut Controller);

    /// Goes on until it is dropped, because the driver is done, or returns to leave the driver alone. Cancels `stop` to
    /// end the wait.
    fn accompany(
        &mut self,
        work: Work,
        control: &mut RunControl,
        stop: &CancellationToken,
    ) -> impl Future<Output = ()> + Send;
}

/// No companion.
pub(super) struct Alone;

impl Companion for Alone {
    fn begin(&mut self, _: Work, _: &mut Controller) {}

    async fn accompany(&mut self, _: Work, _: &mut RunControl, _: &CancellationToken) {}
}
