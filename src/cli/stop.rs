//! Signals that ask a verb to stop, with the exit code each one means.

use std::io;

use tokio::signal::unix::SignalKind;
use tokio::signal::unix::signal;
use tokio::sync::watch;

use super::failure::Exit;

/// Listens for SIGINT, SIGTERM and SIGHUP from now on; the receiver holds the first that came.
pub(super) fn signals() -> io::Result<watch::Receiver<Option<Exit>>> {
    let (sender, receiver) = watch::channel(None);
    let kinds = [
        (SignalKind::interrupt(), Exit::Interrupted),
        (SignalKind::terminate(), Exit::Terminated),
        (SignalKind::hangup(), Exit::Terminated),
    ];
    for (kind, exit) in kinds {
        let mut signal = signal(kind)?;
        let sender = sender.clone();
        tokio::spawn(async move {
            signal.recv().await;
            sender.send_if_modified(|raised| raised.replace(exit).is_none());
        });
    }
    Ok(receiver)
}

/// Waits until a signal has come.
pub(super) async fn raised(stop: &mut watch::Receiver<Option<Exit>>) -> Exit {
    match stop.wait_for(Option::is_some).await.as_deref() {
        Ok(Some(exit)) => *exit,
        // The listeners live as long as the runtime, so this is never reached while a verb runs.
        _ => std::future::pending().await,
    }
}
