//! A study that the screen has planned: it is made once a person wants it, and stops when its place is taken.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::Instant;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::Asker;
use mageyard_config::Problem;
use mageyard_screen::{AskAnswer, BlameVerdict};
use mageyard_study::{Samples, Study, StudyEnd, StudyEvent, StudySort};

/// The shortest time between two reports of what has come back.
const REPORT_INTERVAL: Duration = Duration::from_millis(50);
/// A report may take this part of the time at most, as it has statistics over all that is there.
const REPORT_SHARE: u32 = 5;

/// What planning came to.
pub(crate) enum Ready {
    /// It can be made.
    Study(Box<dyn Study>),
    /// The solver says it.
    Verdict(BlameVerdict),
}

/// The planned calls or those in progress, which stop when it is dropped.
#[derive(Debug, Default)]
pub(crate) struct PlannedCalls(Option<Planned>);

#[derive(Debug)]
struct Planned {
    number: u64,
    /// Lets the calls begin, once.
    make: Option<oneshot::Sender<()>>,
    _stop: DropGuard,
}

impl PlannedCalls {
    /// Starts a task that plans, and makes what it planned once it is let.
    pub(crate) fn begin(
        number: u64,
        asker: &Asker,
        planned: impl Future<Output = Result<Ready, Problem>> + Send + 'static,
    ) -> Self {
        let (make, wanted) = oneshot::channel();
        let stop = CancellationToken::new();
        let asker = asker.clone();
        let task = stop.clone();
        tokio::spawn(async move {
            // The plan is dropped when the place is taken.
            if let Some(ready) = task.run_until_cancelled(Box::pin(planned)).await {
                asker.make(number, ready, wanted, &task).await;
            }
        });
        Self(Some(Planned { number, make: Some(make), _stop: stop.drop_guard() }))
    }

    /// Lets the calls with this number begin.
    pub(crate) fn make(&mut self, number: u64) {
        let planned = self.0.as_mut().filter(|planned| planned.number == number);
        if let Some(make) = planned.and_then(|planned| planned.make.take()) {
            // The plan was refused.
            let _ = make.send(());
        }
    }
}

impl Asker {
    /// Says what is planned, and makes it once a person wants that.
    async fn make(
        &self,
        number: u64,
        ready: Result<Ready, Problem>,
        wanted: oneshot::Receiver<()>,
        stop: &CancellationToken,
    ) {
        let study = match ready {
            Ok(Ready::Study(study)) => study,
            Ok(Ready::Verdict(verdict)) => return self.send(AskAnswer::Judged(number, Ok(verdict))),
            Err(refused) => return self.send(AskAnswer::Planned(number, Err(refused))),
        };
        self.send(AskAnswer::Planned(number, Ok(study.planned())));
        if study.sort() == StudySort::Replies {
            // What was asked before in these words is shown beside the plan.
            self.send(AskAnswer::Arrived(number, Arc::new(study.table(Samples::All))));
        }
        if wanted.await.is_ok() {
            let ended = self.run(number, study.as_ref(), stop).await;
            self.send(AskAnswer::Ended(number, ended));
        }
    }

    /// Makes what is missing and reports what has come back, several calls at a time.
    async fn run(&self, number: u64, study: &dyn Study, stop: &CancellationToken) -> Result<(), Problem> {
        let is_new = AtomicBool::new(true);
        let mut report = |_: StudyEvent<'_>, _: usize| is_new.store(true, Ordering::Relaxed);
        let show = || self.send(AskAnswer::Arrived(number, Arc::new(study.table(Samples::All))));
        let mut made = study.run(&self.lab, stop, &mut report);
        let mut pause = Duration::ZERO;
        let end = loop {
            tokio::select! {
                biased;
                end = &mut made => break end.map_err(Problem::from)?,
                () = tokio::time::sleep(pause) => {
                    let begun = Instant::now();
                    if is_new.swap(false, Ordering::Relaxed) {
                        show();
                    }
                    pause = REPORT_INTERVAL.max(begun.elapsed() * REPORT_SHARE);
                }
            }
        };
        show();
        match end.failure() {
            Some(why) => Err(Problem::new(why).with_help(again(&end))),
            None => Ok(()),
        }
    }
}

/// What completes a study.
fn again(end: &StudyEnd) -> &'static str {
    match end {
        StudyEnd::Unfinished(_) => "the same words play on those that are not over",
        _ => "the same ask makes the calls that are missing",
    }
}
