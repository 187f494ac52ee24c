//! Halves of steps in a session: what it does while the driver is busy.

use std::sync::Arc;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::SessionTask;
use crate::controller::{Companion, Controller, RunControl};
use crate::driver::Work;
use crate::episode::Need;
use crate::live_reply::LiveReply;
use crate::snapshot::{Snapshot, Waiting};
use mageyard_domain::Setting;

/// What is published while the driver is busy.
pub(super) struct BusySnapshot {
    live_reply: Arc<LiveReply>,
    /// `None` during an action that ends at once: nothing is published then.
    snapshot: Option<Snapshot>,
}

impl SessionTask {
    /// Does one half of a step in a run, and checks the breakpoints when the step is finished.
    pub(super) async fn run_half(&mut self, controller: &mut Controller) {
        if controller.pauses_before_request() {
            return;
        }
        self.carry_out_effects(controller).await;
        let done = controller.episode().steps_done();
        self.half(controller).await;
        controller.end_half(done);
        self.carry_out_effects(controller).await;
        self.last_half = Some(Instant::now());
    }

    /// Carries out the effects of breakpoints, and says what they have done.
    pub(super) async fn carry_out_effects(&mut self, controller: &mut Controller) {
        controller.carry_out_effects().await;
        let notes = controller.take_break_notes();
        if !notes.is_empty() {
            self.effect_done = Some(notes.join("; "));
        }
        self.note_seat(controller);
    }

    /// Does the next half of a step: asks the agent until there is an action, or applies the action. A person's action
    /// is applied at once; a plan is shown first.
    pub(super) async fn half(&mut self, controller: &mut Controller) {
        if let Some(ending) = controller.episode().ending() {
            return self.fail_over(ending, controller.control_mut());
        }
        self.advance(controller).await;
        let by_hand = std::mem::take(&mut self.by_hand);
        let online = controller.episode().head().setting == Setting::Online;
        if by_hand && online && matches!(controller.episode().need(), Need::Act(_)) {
            self.advance(controller).await;
        }
    }

    async fn advance(&mut self, controller: &mut Controller) {
        let advanced = controller.half_with(self, &CancellationToken::new()).await;
        self.busy = None;
        self.report(advanced.map(drop), controller.control_mut());
    }

    fn send_decision(&mut self) {
        if let (Some(person), Some(actions)) = (&self.person, self.decision.take()) {
            self.by_hand = person.send(actions).is_ok();
        }
    }

    pub(super) fn publish_busy(&self, control: &RunControl) {
        if let Some(mut snapshot) = self.busy.as_ref().and_then(|busy| busy.snapshot.clone()) {
            snapshot.run.mode = control.mode();
            snapshot.run.commands = self.commands;
            self.snapshots.send_replace(Arc::new(snapshot));
        }
    }

    fn publish_live_reply(&mut self, control: &RunControl) {
        if let Some(BusySnapshot { live_reply, snapshot: Some(snapshot) }) = &mut self.busy {
            snapshot.run.live_reply = Some(live_reply.snapshot());
        }
        self.publish_busy(control);
    }

    fn publish_distances(&mut self, control: &RunControl) {
        if let Some(snapshot) = self.busy.as_mut().and_then(|busy| busy.snapshot.as_mut()) {
            snapshot.set_analysis(control.analysis());
        }
        self.publish_busy(control);
    }
}

impl Companion for SessionTask {
    fn begin(&mut self, work: Work, controller: &mut Controller) {
        let live_reply = controller.driver().live_reply();
        if work == Work::Act && controller.driver().acts_at_once() {
            self.busy = Some(BusySnapshot { live_reply, snapshot: None });
            return;
        }
        self.note_seat(controller);
        // A person's decision is sent only when the agent is really asked, so that none is left over.
        if let Work::Reply { .. } = work {
            self.send_decision();
        }
        controller.update();
        controller.control_mut().start_search();
        let snapshot = Some(self.snapshot(controller, Some(waiting(work))));
        self.busy = Some(BusySnapshot { live_reply, snapshot });
        self.publish_busy(controller.control());
    }

    async fn accompany(&mut self, work: Work, control: &mut RunControl, stop: &CancellationToken) {
        let Some(live_reply) = self.busy.as_ref().map(|busy| busy.live_reply.clone()) else { return };
        loop {
            tokio::select! {
                biased;
                () = live_reply.changed() => self.publish_live_reply(control),
                () = control.next_distance() => {
                    control.start_search();
                    self.publish_distances(control);
                }
                command = self.inbox.recv(), if !stop.is_cancelled() => {
                    if self.handle_during(work, command, control) {
                        stop.cancel();
                    }
                }
            }
        }
    }
}

/// What a session waits for during this work.
fn waiting(work: Work) -> Waiting {
    match work {
        Work::Open | Work::Reply { .. } | Work::Ask(_) => Waiting::Reply,
        Work::ComeBack | Work::Act | Work::Settle | Work::Judge => Waiting::Environment,
    }
}
