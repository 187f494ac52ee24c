//! Signals: stopping verbs, and surviving the file size limit.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::signal::unix::{SignalKind, signal};
use tokio::task::spawn_blocking;
use tokio_util::sync::CancellationToken;

use super::exit::{Exit, Failure};
use mageyard_config::Problem;

/// Makes a write beyond the file size limit (`ulimit -f`) fail with an error, as on a full disk. By default
/// SIGXFSZ ends the process at once and leaves the terminal in raw mode. The signal gets a handler that does
/// nothing; ignoring it would be inherited by child processes.
pub(crate) fn survive_file_size_limit() {
    let flag = Arc::new(AtomicBool::new(false));
    if let Err(error) = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, flag) {
        tracing::warn!("the file size limit will end the program: {error}");
    }
}

/// Completes at Ctrl-C, SIGTERM or SIGHUP with the exit code for the signal. Once polled, these signals no
/// longer end the process by themselves.
pub(crate) async fn stop_signal() -> Exit {
    tokio::select! {
        () = signal_received(SignalKind::interrupt()) => Exit::Interrupted,
        () = signal_received(SignalKind::terminate()) => Exit::Terminated,
        () = signal_received(SignalKind::hangup()) => Exit::HungUp,
    }
}

/// Waits until work is done. A signal cancels `stop`, which the work watches; it is returned with the result.
pub(crate) async fn stop_on_signal<T>(
    stop: &CancellationToken,
    work: impl Future<Output = T>,
) -> (T, Option<Exit>) {
    let mut work = pin!(work);
    tokio::select! {
        biased;
        exit = stop_signal() => {
            stop.cancel();
            (work.await, Some(exit))
        }
        done = &mut work => (done, None),
    }
}

async fn signal_received(kind: SignalKind) {
    match signal(kind) {
        Ok(mut signal) => drop(signal.recv().await),
        Err(error) => {
            tracing::warn!("a signal handler cannot be installed: {error}");
            std::future::pending::<()>().await;
        }
    }
}

/// Runs blocking work on its own thread. A signal sets the stop flag; when the work has returned, the verb
/// fails with this message.
pub(crate) async fn run_interruptible<T: Send + 'static>(
    words: &str,
    work: impl FnOnce(&AtomicBool) -> T + Send + 'static,
) -> Result<T, Failure> {
    match run_until_signal(work).await? {
        (done, None) => Ok(done),
        (_, Some(exit)) => Err(Failure::Problem(exit, Problem::new(words))),
    }
}

/// Runs blocking work on its own thread. A signal sets the stop flag; the result of the work is returned with
/// the exit code of the signal.
pub(crate) async fn run_until_signal<T: Send + 'static>(
    work: impl FnOnce(&AtomicBool) -> T + Send + 'static,
) -> Result<(T, Option<Exit>), Failure> {
    let raised = Arc::new(AtomicBool::new(false));
    let mut stop = pin!(stop_signal());
    let mut work = spawn_blocking({
        let raised = raised.clone();
        move || work(&raised)
    });
    tokio::select! {
        biased;
        exit = &mut stop => {
            raised.store(true, Ordering::Relaxed);
            work.await.map(|done| (done, Some(exit))).map_err(Failure::running)
        }
        done = &mut work => done.map(|done| (done, None)).map_err(Failure::running),
    }
}
