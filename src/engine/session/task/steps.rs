//! Halves of steps: asking the agent, and applying its action, by hand or in a run.

use std::pin::pin;
use std::sync::Arc;

use tokio::time::Instant;

use super::SessionTask;
use crate::domain::Setting;
use crate::engine::driver::Driver;
use crate::engine::driver::DriverError;
use crate::engine::episode::Need;
use crate::engine::snapshot::Mode;
use crate::engine::snapshot::Snapshot;

/// How waiting for the driver ended.
enum Waited {
    Done(Result<(), DriverError>),
    Cancelled,
}

impl SessionTask {
    /// Does one half of a step in a run, and checks the breakpoints when the step is finished.
    pub(super) async fn run_half(&mut self, driver: &mut Driver) {
        let done = driver.episode().steps_done();
        self.half(driver).await;
        if driver.episode().steps_done() > done {
            self.analysis.update(driver.episode());
            if let Some(step) = self.analysis.newest() {
                self.check_breakpoints(step, driver);
            }
            self.count_step();
        }
        self.last_half = Some(Instant::now());
    }

    /// Counts a finished step of a run; pauses after the last one.
    fn count_step(&mut self) {
        if let Mode::Running { left: Some(left) } = self.mode {
            self.mode = match left.saturating_sub(1) {
                0 => Mode::Paused,
                left => Mode::Running { left: Some(left) },
            };
        }
    }

    /// Does the next half of a step: asks the agent until there is an action, or applies the action.
    pub(super) async fn half(&mut self, driver: &mut Driver) {
        match driver.episode().need() {
            Need::Nothing(ending) => self.fail_over(*ending),
            Need::Open | Need::Act(_) => {
                self.advance(driver).await;
            }
            Need::Decide { .. } | Need::Read(_) | Need::Skip => self.decide(driver).await,
        }
    }

    /// Asks the agent until the step has its action or is over. A person's action is applied at once; a plan is
    /// shown first.
    async fn decide(&mut self, driver: &mut Driver) {
        let begun = driver.episode().steps_done();
        let deciding = |driver: &Driver| {
            let need = driver.episode().need();
            driver.episode().steps_done() == begun
                && matches!(need, Need::Decide { .. } | Need::Read(_) | Need::Skip)
        };
        while deciding(driver) && self.advance(driver).await {}
        let by_hand = std::mem::take(&mut self.by_hand);
        let online = driver.episode().head().setting == Setting::Online;
        if by_hand && online && matches!(driver.episode().need(), Need::Act(_)) {
            self.advance(driver).await;
        }
    }

    /// Does what the episode needs next; false if that failed or was cancelled.
    pub(super) async fn advance(&mut self, driver: &mut Driver) -> bool {
        let advanced = match driver.episode().need().clone() {
            Need::Open => self.wait(driver, None).await,
            Need::Decide { step, attempt } => match driver.ask() {
                // A person's decision is sent only when the agent is really asked, so that none is left over.
                Ok(()) => {
                    self.send_decision();
                    self.wait(driver, Some((step, attempt))).await
                }
                Err(error) => Err(error),
            },
            _ => driver.advance().await,
        };
        let undecided = self.leaving || matches!(driver.episode().need(), Need::Decide { .. });
        let cancelled = advanced.is_ok() && undecided && was_cancelled(driver);
        self.report(advanced) && !cancelled
    }

    fn send_decision(&mut self) {
        if let (Some(person), Some(actions)) = (&self.person, self.decision.take()) {
            self.by_hand = person.send(actions).is_ok();
        }
    }

    /// Opens the level, or waits for the agent's reply to this step and attempt, and takes commands meanwhile.
    async fn wait(&mut self, driver: &mut Driver, decision: Option<(u32, u32)>) -> Result<(), DriverError> {
        self.publish(driver, true);
        let live = driver.live_reply();
        let mut base = self.snapshot(driver, true);
        let waited = {
            let mut working = pin!(async {
                match decision {
                    Some((step, attempt)) => driver.await_reply(step, attempt).await,
                    None => driver.advance().await,
                }
            });
            loop {
                tokio::select! {
                    biased;
                    done = &mut working => break Waited::Done(done),
                    () = live.changed() => {
                        base.live_reply = Some(live.snapshot());
                        self.publish_from(&base);
                    }
                    () = self.analysis.next_distance() => {
                        self.analysis.start_search();
                        let (errors, distances) = (self.analysis.errors(), self.analysis.distances());
                        base = base.with_analysis(errors.clone(), distances.clone());
                        self.publish_from(&base);
                    }
                    command = self.inbox.recv() => {
                        let cancels = match decision {
                            Some(_) => self.handle_during_reply(command),
                            None => self.handle_during_opening(command),
                        };
                        if cancels {
                            break Waited::Cancelled;
                        }
                    }
                }
            }
        };
        match waited {
            Waited::Done(done) => done,
            Waited::Cancelled => driver.record_cancel(),
        }
    }

    /// Publishes a snapshot while the driver is busy.
    fn publish_from(&self, base: &Snapshot) {
        self.snapshots.send_replace(Arc::new(Snapshot { mode: self.mode, ..base.clone() }));
    }
}

fn was_cancelled(driver: &Driver) -> bool {
    let last = driver.episode().steps().last().and_then(|step| step.attempts.last());
    last.is_some_and(|attempt| attempt.cancelled)
}
