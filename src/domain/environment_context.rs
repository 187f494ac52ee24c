//! What an environment is given for each call: when to stop, where to put large data, and what it shares with others.

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use tokio_util::sync::CancellationToken;

use super::{BlobStore, EnvironmentError, MemoryBlobStore, SharedResources};

/// The circumstances of a call to an environment.
#[derive(Clone)]
pub struct EnvironmentContext {
    /// Cancelled when the call must end soon.
    pub cancel: CancellationToken,
    /// When the time of the episode is up; the call is cancelled then. `None` without a time limit, and where the call ends by
    /// itself.
    pub deadline: Option<Instant>,
    /// The blobs of the episode, for pictures, data and checkpoints.
    pub blobs: Arc<dyn BlobStore>,
    /// What the environments of this process share.
    pub resources: SharedResources,
}

impl Default for EnvironmentContext {
    /// A call without limits, whose blobs are kept in memory, and which shares nothing.
    fn default() -> Self {
        let blobs = Arc::new(MemoryBlobStore::default());
        Self {
            cancel: CancellationToken::new(),
            deadline: None,
            blobs,
            resources: SharedResources::default(),
        }
    }
}

impl EnvironmentContext {
    /// The result of the work, unless the call is cancelled first, which drops the work.
    ///
    /// # Errors
    ///
    /// [`EnvironmentError::Cancelled`], or what the work fails with.
    pub async fn unless_cancelled<T, E: Into<EnvironmentError>>(
        &self,
        work: impl Future<Output = Result<T, E>> + Send,
    ) -> Result<T, EnvironmentError> {
        let ended = self.cancel.run_until_cancelled(work).await;
        ended.map_or(Err(EnvironmentError::Cancelled), |result| result.map_err(Into::into))
    }
}

impl fmt::Debug for EnvironmentContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cancel, deadline, .. } = self;
        f.debug_struct("EnvironmentContext")
            .field("cancelled", &cancel.is_cancelled())
            .field("deadline", deadline)
            .finish_non_exhaustive()
    }
}
