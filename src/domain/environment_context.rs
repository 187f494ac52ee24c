//! What an environment is given for each call: when to stop.

use std::time::Instant;

use tokio_util::sync::CancellationToken;

/// The circumstances of a call to an environment.
#[derive(Clone, Debug, Default)]
pub struct EnvironmentContext {
    /// Cancelled when the call must end soon.
    pub cancel: CancellationToken,
    /// When the time of the episode is up; the call is cancelled then. `None` without a time limit.
    pub deadline: Option<Instant>,
}
