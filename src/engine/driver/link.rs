//! The link to the environment: what limits each call, and how a call ended. A call that is stopped has the grace time
//! of the environment to end by itself; then it is dropped.

use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::time::Duration;

use futures_util::FutureExt;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use mageyard_domain::{EnvironmentContext, EnvironmentError};

/// How long closing may take. Together with a hanging call it stays within 1 s of the grace time.
pub(super) const CLOSE_LIMIT: Duration = Duration::from_millis(800);

/// A call to an environment.
pub(super) type Call<'a, T> = Pin<Box<dyn Future<Output = Result<T, EnvironmentError>> + Send + 'a>>;

/// How a call ended.
pub(super) enum Called<T> {
    /// With its result.
    Done(T),
    /// With an error of its own.
    Failed(EnvironmentError),
    /// With a panic, which leaves the environment in an unknown state.
    Panicked(EnvironmentError),
    /// Without a result, because it was stopped or the time is up.
    Stopped,
}

/// The state of the link, and the context of its calls.
pub(super) struct EnvironmentLink {
    pub(super) context: EnvironmentContext,
    /// Whether the environment must be closed.
    pub(super) is_open: bool,
    /// Whether the environment is in the state of the episode.
    pub(super) is_attached: bool,
    /// Whether an action has begun and has not ended.
    pub(super) is_acting: bool,
}

impl EnvironmentLink {
    /// A link to an environment that is already in the state of the episode, or to one that is not open.
    pub(super) fn new(context: EnvironmentContext, is_attached: bool) -> Self {
        Self { context, is_open: is_attached, is_attached, is_acting: false }
    }

    /// Prepares the next call after one that was cancelled.
    pub(super) fn renew(&mut self) {
        if self.context.cancel.is_cancelled() {
            self.context.cancel = CancellationToken::new();
        }
    }

    /// Waits for a call until it ends, `stop` is cancelled or the time is up.
    pub(super) async fn limit<T>(
        &self,
        call: Call<'_, T>,
        grace: Duration,
        stop: &CancellationToken,
    ) -> Called<T> {
        let mut call = AssertUnwindSafe(call).catch_unwind();
        tokio::select! {
            biased;
            ended = &mut call => return called(ended),
            () = stop.cancelled() => {}
            () = self.time_is_up() => {}
        }
        self.context.cancel.cancel();
        match tokio::time::timeout(grace, call).await.map(called) {
            Ok(Called::Done(result)) => Called::Done(result),
            Ok(Called::Panicked(error)) => Called::Panicked(error),
            Ok(Called::Failed(_) | Called::Stopped) | Err(_) => Called::Stopped,
        }
    }

    /// Waits for the end of the episode's time; for ever without a limit.
    pub(super) async fn time_is_up(&self) {
        match self.context.deadline {
            Some(deadline) => tokio::time::sleep_until(Instant::from_std(deadline)).await,
            None => std::future::pending().await,
        }
    }
}

fn called<T>(ended: Result<Result<T, EnvironmentError>, Box<dyn Any + Send>>) -> Called<T> {
    match ended {
        Ok(Ok(result)) => Called::Done(result),
        Ok(Err(error)) => Called::Failed(error),
        Err(panic) => Called::Panicked(EnvironmentError::Failed(panic_text(&*panic))),
    }
}

fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text =
        panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("it panicked: {}", text.unwrap_or("no message"))
}

/// Closes an environment within [`CLOSE_LIMIT`]; a panic or a hang ends with the drop of the environment.
pub(super) async fn close_within_limit(closing: Pin<Box<dyn Future<Output = ()> + Send + '_>>) {
    let closing = AssertUnwindSafe(closing).catch_unwind();
    match tokio::time::timeout(CLOSE_LIMIT, closing).await {
        Ok(Ok(())) => {}
        Ok(Err(panic)) => tracing::error!(why = panic_text(&*panic), "closing the environment failed"),
        Err(_) => tracing::error!("closing the environment takes longer than {CLOSE_LIMIT:?}"),
    }
}
