//! Many tasks, several at once: the calls of asks, the episodes of a run, and those of the cells of a sweep. It starts
//! tasks while there are places, takes their results as they end, and stops. What is made, in which order, and what becomes
//! of it, is a [`Queue`].
//!
//! It does not limit the requests of a model server: each of them takes a permit of its server
//! ([`mageyard_agents::ModelPool`]), whatever task it is of. A queue that may spend no more has no next task.

use std::future::Future;

use futures_util::future::BoxFuture;
use tokio::sync::mpsc;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::LabError;

/// A task of a pool, with its result.
pub type Task<T> = BoxFuture<'static, T>;

/// What a pool makes.
pub trait Queue: Send {
    /// The result of a task.
    type Done: Send + 'static;

    /// The next task; `None` if none can start now. It is not asked while all places are taken, and not after a stop.
    fn next(&mut self) -> impl Future<Output = Result<Option<Task<Self::Done>>, LabError>> + Send;

    /// Takes the result of a task. Results come as the tasks end.
    fn done(&mut self, done: Self::Done) -> impl Future<Output = Result<(), LabError>> + Send;

    /// Does what is due beside the tasks: at the start, after each result, at [`Queue::wake`], and after a stop.
    fn turn(&mut self) -> impl Future<Output = Result<(), LabError>> + Send {
        std::future::ready(Ok(()))
    }

    /// The number of tasks at once now, at least 1; `at_start` is that with which the pool was started. A smaller number ends no
    /// task that is under way.
    fn places(&self, at_start: usize) -> usize {
        at_start
    }

    /// When something is due although no task ends; `None` if nothing is. The pool ends when nothing is and no task is left.
    fn wake(&self, has_place: bool) -> Option<Instant> {
        let _ = has_place;
        None
    }
}

/// What a stop does to the tasks under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtStop {
    /// It waits for them: they end early by themselves.
    Wait,
    /// It drops them.
    Drop,
}

/// Makes what a queue has, at most `at_once` tasks (at least 1; see [`Queue::places`]) at a time, until nothing is left or `stop` is cancelled.
/// Returns the number of tasks that the stop has dropped. After an error nothing else starts; tasks that are not dropped
/// are stopped and their results taken, and the first error is returned.
pub async fn run_pool<Q: Queue>(
    queue: &mut Q,
    at_once: usize,
    stop: &CancellationToken,
    at_stop: AtStop,
) -> Result<usize, LabError> {
    let mut tasks = JoinSet::new();
    let ended = run_tasks(queue, &mut tasks, (at_once, at_stop), stop).await;
    if ended.is_err() && at_stop == AtStop::Wait {
        stop.cancel();
        while let Some(joined) = tasks.join_next().await {
            if let Ok(done) = joined {
                let _ = queue.done(done).await;
            }
        }
    }
    ended
}

async fn run_tasks<Q: Queue>(
    queue: &mut Q,
    tasks: &mut JoinSet<Q::Done>,
    (at_once, at_stop): (usize, AtStop),
    stop: &CancellationToken,
) -> Result<usize, LabError> {
    let mut is_stop_seen = false;
    loop {
        queue.turn().await?;
        while tasks.len() < queue.places(at_once).max(1)
            && !stop.is_cancelled()
            && let Some(task) = queue.next().await?
        {
            tasks.spawn(task);
        }
        let wake = queue.wake(tasks.len() < queue.places(at_once).max(1)).filter(|_| !stop.is_cancelled());
        if tasks.is_empty() && wake.is_none() {
            return Ok(0);
        }
        tokio::select! {
            biased;
            Some(joined) = tasks.join_next() => queue.done(joined.map_err(LabError::failed)?).await?,
            () = stop.cancelled(), if !is_stop_seen => {
                if at_stop == AtStop::Drop {
                    return drop_rest(queue, tasks).await;
                }
                is_stop_seen = true;
            }
            () = sleep_until(wake) => {}
        }
    }
}

/// Takes the results that are there and drops the other tasks.
async fn drop_rest<Q: Queue>(queue: &mut Q, tasks: &mut JoinSet<Q::Done>) -> Result<usize, LabError> {
    while let Some(joined) = tasks.try_join_next() {
        queue.done(joined.map_err(LabError::failed)?).await?;
    }
    let dropped = tasks.len();
    tasks.abort_all();
    Ok(dropped)
}

async fn sleep_until(at: Option<Instant>) {
    match at {
        Some(at) => tokio::time::sleep_until(at).await,
        None => std::future::pending().await,
    }
}

/// A run in a task of its own: its events, and how it ended. Dropping it stops the run without waiting for its end.
pub struct RunTask<E, T> {
    events: mpsc::Receiver<E>,
    task: JoinHandle<Result<T, LabError>>,
    stop: CancellationToken,
}

impl<E, T: Send + 'static> RunTask<E, T> {
    /// Starts a run on the current Tokio runtime, which sends its events and ends early when `stop` is cancelled.
    pub fn start(
        run: impl Future<Output = Result<T, LabError>> + Send + 'static,
        events: mpsc::Receiver<E>,
        stop: CancellationToken,
    ) -> Self {
        Self { events, task: tokio::spawn(run), stop }
    }

    /// The next event; `None` once the run has ended.
    pub async fn next(&mut self) -> Option<E> {
        self.events.recv().await
    }

    /// Waits until the run has ended, and returns how; further events are dropped.
    pub async fn end(mut self) -> Result<T, LabError> {
        self.events.close();
        let ended = (&mut self.task).await;
        ended.unwrap_or_else(|error| Err(LabError::failed(error)))
    }

    /// Stops the run and waits until it has ended; further events are dropped.
    pub async fn stop(self) -> Result<T, LabError> {
        self.stop.cancel();
        self.end().await
    }
}

impl<E, T> Drop for RunTask<E, T> {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

#[cfg(test)]
mod tests;
