//! The task behind a session: it alone owns the driver.

use std::pin::pin;
use std::sync::Arc;

use tokio::sync::mpsc;
use tokio::sync::watch;
use tokio::time::Instant;

use super::SessionCommand;
use super::SessionOptions;
use super::desk::Desk;
use super::desk::Next;
use crate::domain::Action;
use crate::domain::Setting;
use crate::engine::breakpoints::Breakpoint;
use crate::engine::driver::Driver;
use crate::engine::driver::DriverError;
use crate::engine::episode::Need;
use crate::engine::error_analysis::ErrorAnalysis;
use crate::engine::error_analysis::analyze;
use crate::engine::snapshot::Mode;
use crate::engine::snapshot::Snapshot;

/// The driver and, beside it, everything that orders may change while the driver is busy.
pub(super) struct Actor {
    driver: Driver,
    desk: Desk,
    show: watch::Sender<Arc<Snapshot>>,
}

/// What became of waiting for a thought.
enum Thought {
    Done(Result<(), DriverError>),
    Cut,
}

impl Actor {
    pub(super) fn new(
        driver: Driver,
        terms: SessionOptions,
        inbox: mpsc::UnboundedReceiver<SessionCommand>,
    ) -> (Self, watch::Receiver<Arc<Snapshot>>) {
        let desk = Desk::new(terms, inbox);
        let (show, watch) = watch::channel(Arc::new(desk.snapshot(&driver, false)));
        (Self { driver, desk, show }, watch)
    }

    pub(super) async fn run(mut self) {
        // An episode that was left is open already, and what it needs next is somebody's to order.
        if matches!(self.driver.episode().need(), Need::Open) {
            self.meet_one().await;
        }
        while !self.desk.leaving {
            let distances = self.desk.gauge.distances(self.driver.episode().steps());
            self.desk.judge(&distances);
            self.publish(false);
            match self.desk.next(self.is_running() && self.desk.awaited.is_none()).await {
                Next::Order(order) => self.take(order).await,
                Next::Step => self.go_on().await,
                Next::Found => {}
                Next::Leave => self.desk.leaving = true,
            }
        }
        let settled = self.driver.flush();
        self.note(settled);
        self.driver.close().await;
        self.publish(false);
    }

    fn is_running(&self) -> bool {
        self.driver.episode().ending().is_none() && matches!(self.desk.mode, Mode::Running { .. })
    }

    async fn take(&mut self, order: SessionCommand) {
        self.desk.fault = None;
        (self.desk.stopped, self.desk.passed) = (None, None);
        // Whoever steps by hand, or ends it, has gone on from the last step of the run.
        if matches!(order, SessionCommand::Step | SessionCommand::Play(_) | SessionCommand::Abandon) {
            self.desk.awaited = None;
        }
        match order {
            SessionCommand::Step => self.half().await,
            SessionCommand::Play(actions) => self.play(actions).await,
            SessionCommand::SetWindow(window) => self.change(|driver| driver.set_window(window)),
            SessionCommand::SetPrompt(name) => self.change(|driver| driver.set_prompt(&name)),
            SessionCommand::AddPrompt(prompt) => self.change(|driver| driver.add_prompt(*prompt)),
            SessionCommand::Edit(spot, edit) => self.change(|driver| driver.edit(spot, edit)),
            SessionCommand::Abandon => self.change(Driver::abandon),
            order => self.desk.take(order),
        }
    }

    /// A change of the episode by a person; after its end there is nothing to change.
    fn change(&mut self, change: impl FnOnce(&mut Driver) -> Result<(), DriverError>) {
        if let Some(ending) = self.driver.episode().ending() {
            return self.desk.over(ending);
        }
        let changed = change(&mut self.driver);
        self.note(changed);
    }

    /// One half of a step while running by itself; the next one waits its pause.
    async fn go_on(&mut self) {
        let before = self.driver.episode().steps_done();
        let verdict = self.verdict();
        self.half().await;
        if self.driver.episode().steps_done() > before {
            self.heed(&verdict, before);
            self.desk.count();
        }
        self.desk.rested_since = Some(Instant::now());
    }

    /// What is wrong with the steps by what can be said at once: a breakpoint does not wait for what a search
    /// will add, except for the one that is about nothing else.
    fn verdict(&self) -> ErrorAnalysis {
        let episode = self.driver.episode();
        analyze(episode, self.desk.kind, episode.head().conduct.thresholds)
    }

    /// Stands if the step done after so many meets a breakpoint, or has it awaited whether it does.
    fn heed(&mut self, before: &ErrorAnalysis, done: u32) {
        if self.desk.breaks.is_empty() || self.driver.episode().ending().is_some() {
            return;
        }
        let index = usize::try_from(done).unwrap_or(usize::MAX);
        match self.desk.breaks.stop_reason(before, &self.verdict(), index) {
            Some(why) => self.desk.stop(&why),
            None => self.desk.awaited = self.desk.breaks.has(Breakpoint::OffPath).then_some(index),
        }
    }

    /// Asks and reads until there is an action, or applies it.
    async fn half(&mut self) {
        match self.driver.episode().need() {
            Need::Nothing(ending) => self.desk.over(*ending),
            Need::Open | Need::Act(_) => {
                self.meet_one().await;
            }
            Need::Decide { .. } | Need::Read(_) | Need::Skip => self.decide().await,
        }
    }

    /// Asks and reads until the step has its action or is over. An action of a person is
    /// applied at once; a plan is shown first.
    async fn decide(&mut self) {
        let begun = self.driver.episode().steps_done();
        let deciding = |driver: &Driver| {
            let need = driver.episode().need();
            driver.episode().steps_done() == begun
                && matches!(need, Need::Decide { .. } | Need::Read(_) | Need::Skip)
        };
        while deciding(&self.driver) && self.meet_one().await {}
        let by_hand = std::mem::take(&mut self.desk.by_hand);
        let online = self.driver.episode().head().setting == Setting::Online;
        if by_hand && online && matches!(self.driver.episode().need(), Need::Act(_)) {
            self.meet_one().await;
        }
    }

    /// A person's decision: asked, read and, unless it is a plan, applied in one go.
    async fn play(&mut self, actions: Vec<Action>) {
        if self.desk.person.is_none() {
            let agent = &self.driver.episode().head().agent;
            return self
                .desk
                .stand(format!("the seat is {agent}'s, not a person's: start with --agent human"));
        }
        // Keys held down go on after the last step, whose end the screen shows anyway.
        if self.driver.episode().ending().is_some() {
            return;
        }
        if let Need::Act(action) = self.driver.episode().need() {
            return self.desk.stand(format!("{action} is pending: Enter applies it first"));
        }
        self.desk.decision = Some(actions);
        self.half().await;
        self.desk.decision = None;
    }

    /// Meets one need; false when it could not be met.
    async fn meet_one(&mut self) -> bool {
        let met = match self.driver.episode().need().clone() {
            Need::Open => self.attend(None).await,
            Need::Decide { step, attempt } => match self.driver.ask() {
                // Only a person who is really asked may answer, so that no answer is left over.
                Ok(()) => {
                    self.desk.hand_over();
                    self.attend(Some((step, attempt))).await
                }
                Err(error) => Err(error),
            },
            _ => self.driver.advance().await,
        };
        let standing = self.desk.leaving || matches!(self.driver.episode().need(), Need::Decide { .. });
        let cut = met.is_ok() && standing && self.was_cut();
        self.note(met) && !cut
    }

    fn was_cut(&self) -> bool {
        let last = self.driver.episode().steps().last().and_then(|step| step.attempts.last());
        last.is_some_and(|attempt| attempt.cancelled)
    }

    /// Opens the level, or lets the agent think at this step and attempt, while taking orders; a cancel
    /// drops it.
    async fn attend(&mut self, decision: Option<(u32, u32)>) -> Result<(), DriverError> {
        self.publish(true);
        let hearing = self.driver.live_reply();
        let mut quiet = self.desk.snapshot(&self.driver, true);
        let Self { driver, desk, show } = self;
        let thought = {
            let mut working = pin!(async {
                match decision {
                    Some((step, attempt)) => driver.await_reply(step, attempt).await,
                    None => driver.advance().await,
                }
            });
            loop {
                tokio::select! {
                    biased;
                    done = &mut working => break Thought::Done(done),
                    () = hearing.changed() => {
                        quiet.live_reply = Some(hearing.snapshot());
                        show.send_replace(Arc::new(Snapshot { mode: desk.mode, ..quiet.clone() }));
                    }
                    () = desk.gauge.next_result() => {
                        desk.gauge.start_next(&quiet.steps);
                        quiet = quiet.clone().with_distances(desk.gauge.distances(&quiet.steps));
                        show.send_replace(Arc::new(Snapshot { mode: desk.mode, ..quiet.clone() }));
                    }
                    order = desk.inbox.recv() => {
                        let cuts = match decision {
                            Some(_) => desk.meanwhile(order),
                            None => desk.while_opening(order),
                        };
                        if cuts {
                            break Thought::Cut;
                        }
                    }
                }
            }
        };
        match thought {
            Thought::Done(done) => done,
            Thought::Cut => self.driver.record_cancel(),
        }
    }

    /// Keeps a fault and stands still; true when there is none.
    fn note(&mut self, result: Result<(), DriverError>) -> bool {
        let Err(error) = result else { return true };
        tracing::error!(%error, "the session stands still");
        self.desk.stand(error.to_string());
        false
    }

    fn publish(&mut self, thinking: bool) {
        self.desk.gauge.start_next(self.driver.episode().steps());
        self.show.send_replace(Arc::new(self.desk.snapshot(&self.driver, thinking)));
    }
}
