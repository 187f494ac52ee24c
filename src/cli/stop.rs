//! Being asked to stop from outside.

use tokio::signal::unix::SignalKind;
use tokio::signal::unix::signal;

use super::exit::Exit;

/// Returns at Ctrl-C, SIGTERM or SIGHUP with the exit code for it. Once it has been polled, the
/// signals no longer end the process by themselves.
pub(crate) async fn stopped() -> Exit {
    tokio::select! {
        () = arrived(SignalKind::interrupt()) => Exit::Interrupted,
        () = arrived(SignalKind::terminate()) => Exit::Terminated,
        () = arrived(SignalKind::hangup()) => Exit::HungUp,
    }
}

async fn arrived(kind: SignalKind) {
    match signal(kind) {
        Ok(mut signal) => drop(signal.recv().await),
        Err(error) => {
            tracing::warn!("a signal cannot be listened to: {error}");
            std::future::pending::<()>().await;
        }
    }
}
