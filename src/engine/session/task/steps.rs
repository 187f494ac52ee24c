//! Halves of steps: asking the agent, and applying its action, by hand or in a run.

use std::pin::pin;
use std::sync::Arc;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::SessionTask;
use crate::domain::Setting;
use crate::engine::driver::Advance;
use crate::engine::driver::Driver;
use crate::engine::driver::DriverError;
use crate::engine::episode::Need;
use crate::engine::snapshot::Mode;
use crate::engine::snapshot::Snapshot;
use crate::engine::snapshot::Waiting;

/// What the driver does while the session waits for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Work {
    Open,
    /// It brings back the environment of a resumed episode.
    ComeBack,
    /// It asks the agent, at this step and attempt.
    Reply {
        step: u32,
        attempt: u32,
    },
    /// It carries out an action, or looks at the environment after an interrupted one.
    Act,
}

impl Work {
    fn waiting(self) -> Waiting {
        match self {
            Self::Open | Self::Reply { .. } => Waiting::Reply,
            Self::ComeBack | Self::Act => Waiting::Environment,
        }
    }
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
            Need::Open | Need::Act(_) | Need::Finish(_) | Need::Look => {
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

    /// Does what the episode needs next; false if that failed or was stopped.
    pub(super) async fn advance(&mut self, driver: &mut Driver) -> bool {
        if driver.is_detached() {
            let back = self.wait(driver, Work::ComeBack).await;
            // What the environment shows now may need another decision.
            if !matches!(back, Ok(None)) {
                return self.was_done(back);
            }
        }
        let advanced = match driver.episode().need().clone() {
            Need::Open => self.wait(driver, Work::Open).await,
            Need::Act(_) | Need::Finish(_) | Need::Look => self.wait(driver, Work::Act).await,
            Need::Decide { step, attempt } => match driver.ask() {
                // A person's decision is sent only when the agent is really asked, so that none is left over.
                Ok(()) => {
                    self.send_decision();
                    self.wait(driver, Work::Reply { step, attempt }).await
                }
                Err(error) => Err(error),
            },
            _ => driver.advance().await.map(|()| None),
        };
        self.was_done(advanced)
    }

    fn was_done(&mut self, advanced: Result<Option<Advance>, DriverError>) -> bool {
        let stopped = matches!(advanced, Ok(Some(Advance::Stopped)));
        self.report(advanced.map(drop)) && !stopped
    }

    fn send_decision(&mut self) {
        if let (Some(person), Some(actions)) = (&self.person, self.decision.take()) {
            self.by_hand = person.send(actions).is_ok();
        }
    }

    /// Waits for the driver, and takes commands meanwhile. A command that ends the wait stops the driver, which then
    /// ends by itself. An action that ends at once publishes nothing.
    async fn wait(&mut self, driver: &mut Driver, work: Work) -> Result<Option<Advance>, DriverError> {
        let live = driver.live_reply();
        let stop = CancellationToken::new();
        let at_once = work == Work::Act && driver.acts_at_once();
        if !at_once {
            self.analysis.update(driver.episode());
            self.analysis.start_search();
        }
        let mut base = (!at_once).then(|| self.snapshot(driver, Some(work.waiting())));
        base.iter().for_each(|base| self.publish_from(base));
        let mut working = pin!(async {
            match work {
                Work::ComeBack => driver.attach(&stop).await,
                Work::Reply { step, attempt } => driver.await_reply(step, attempt, &stop).await.map(Some),
                Work::Open | Work::Act => driver.advance_until(&stop).await.map(Some),
            }
        });
        loop {
            tokio::select! {
                biased;
                done = &mut working => return done,
                () = live.changed() => {
                    if let Some(base) = &mut base {
                        base.live_reply = Some(live.snapshot());
                        self.publish_from(base);
                    }
                }
                () = self.analysis.next_distance() => {
                    self.analysis.start_search();
                    if let Some(base) = &mut base {
                        let (errors, distances) = (self.analysis.errors(), self.analysis.distances());
                        *base = base.clone().with_analysis(errors.clone(), distances.clone());
                        self.publish_from(base);
                    }
                }
                command = self.inbox.recv(), if !stop.is_cancelled() => {
                    if self.handle_during(work, command) {
                        stop.cancel();
                    }
                }
            }
        }
    }

    /// Publishes a snapshot while the driver is busy.
    fn publish_from(&self, base: &Snapshot) {
        self.snapshots.send_replace(Arc::new(Snapshot { mode: self.mode, ..base.clone() }));
    }
}
