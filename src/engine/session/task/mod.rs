//! The task of a session: it takes commands, plays the episode with the controller, and publishes snapshots. The
//! controller is passed to each method, so that commands can be taken while the driver is busy.

mod commands;
mod steps;

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

use self::steps::BusySnapshot;
use super::{SessionCommand, SessionOptions};
use crate::controller::{Controller, RunControl};
use crate::driver::DriverError;
use crate::episode::Need;
use crate::event::Ending;
use crate::seat::SeatChoice;
use crate::snapshot::{RunState, Snapshot, Waiting};
use mageyard_domain::Action;

/// The state of a session beside its controller.
pub(super) struct SessionTask {
    person: Option<mpsc::UnboundedSender<Vec<Action>>>,
    inbox: mpsc::UnboundedReceiver<SessionCommand>,
    /// Commands for the driver that came while it was busy.
    deferred: VecDeque<SessionCommand>,
    /// A person's decision, sent to the agent when it is asked.
    decision: Option<Vec<Action>>,
    /// Whether a person's decision was sent to the agent for the current step.
    by_hand: bool,
    pace: Duration,
    /// When a run finished its last half of a step.
    last_half: Option<Instant>,
    error: Option<String>,
    /// What the last effect of a breakpoint has done.
    effect_done: Option<String>,
    /// How many commands were carried out.
    commands: u64,
    leaving: bool,
    folder: PathBuf,
    /// Who can be seated.
    seats: Arc<[SeatChoice]>,
    snapshots: watch::Sender<Arc<Snapshot>>,
    /// What is published while the driver is busy.
    busy: Option<BusySnapshot>,
}

/// What the main loop does next.
enum Next {
    Command(SessionCommand),
    /// The next half of a step of a run.
    Half,
    /// A distance was found.
    Distance,
    /// All senders of commands are gone.
    Leave,
}

impl SessionTask {
    pub(super) fn new(
        controller: &mut Controller,
        options: SessionOptions,
        inbox: mpsc::UnboundedReceiver<SessionCommand>,
    ) -> (Self, watch::Receiver<Arc<Snapshot>>) {
        controller.update();
        let (snapshots, receiver) = watch::channel(Arc::new(controller.snapshot(&options.folder)));
        let task = Self {
            person: options.person,
            inbox,
            deferred: VecDeque::new(),
            decision: None,
            by_hand: false,
            pace: options.pace,
            last_half: None,
            error: None,
            effect_done: None,
            commands: 0,
            leaving: false,
            folder: options.folder,
            seats: controller.driver().seat_choices().into(),
            snapshots,
            busy: None,
        };
        task.snapshots.send_replace(Arc::new(task.snapshot(controller, None)));
        (task, receiver)
    }

    /// Runs until the session is closed. A restored episode waits for a command, unless a person must do something on its
    /// surface; a new one is opened at once.
    pub(super) async fn run(mut self, mut controller: Controller) {
        let takes_over = controller.episode().person_question().is_some_and(|asked| asked.is_take_over());
        if takes_over || matches!(controller.episode().need(), Need::Open) {
            self.half(&mut controller).await;
        }
        while !self.leaving {
            self.note_seat(&mut controller);
            self.publish(&mut controller);
            match self.next(&mut controller).await {
                Next::Command(command) => self.handle(command, &mut controller).await,
                Next::Half => self.run_half(&mut controller).await,
                Next::Distance => self.carry_out_effects(&mut controller).await,
                Next::Leave => self.leaving = true,
            }
        }
        let closed = controller.close().await;
        self.report(closed, controller.control_mut());
        self.publish(&mut controller);
    }

    /// Waits for a command, a distance, or, while running, for the end of the pause. Commands do not end a pause.
    async fn next(&mut self, controller: &mut Controller) -> Next {
        if let Some(command) = self.deferred.pop_front() {
            return Next::Command(command);
        }
        let is_due = controller.is_due();
        // A timer has a resolution of a millisecond, which a pause that is over must not wait for.
        let due = self.last_half.map(|last| last + self.pace / 2).filter(|due| *due > Instant::now());
        let pause = async {
            match due {
                _ if !is_due => std::future::pending().await,
                Some(due) => tokio::time::sleep_until(due).await,
                None => tokio::task::yield_now().await,
            }
        };
        tokio::select! {
            biased;
            command = self.inbox.recv() => command.map_or(Next::Leave, Next::Command),
            () = controller.control_mut().next_distance() => Next::Distance,
            () = pause => Next::Half,
        }
    }

    /// Pauses with this error.
    fn fail(&mut self, error: String, control: &mut RunControl) {
        self.error = Some(error);
        control.pause();
    }

    /// Pauses because the episode is over.
    fn fail_over(&mut self, ending: Ending, control: &mut RunControl) {
        let error = format!(
            "the episode is over ({ending}); :restart plays it again, :open LEVEL plays another level"
        );
        self.fail(error, control);
    }

    /// Pauses if this is an error.
    fn report(&mut self, result: Result<(), DriverError>, control: &mut RunControl) {
        if let Err(error) = result {
            tracing::error!(%error, "the session is paused by an error");
            self.fail(error.to_string(), control);
        }
    }

    /// Takes note of who has the seat now.
    fn note_seat(&mut self, controller: &mut Controller) {
        if let Some(seated) = controller.driver_mut().take_newly_seated() {
            self.person = seated.person;
        }
    }

    fn publish(&self, controller: &mut Controller) {
        controller.update();
        controller.control_mut().start_search();
        self.snapshots.send_replace(Arc::new(self.snapshot(controller, None)));
    }

    /// A snapshot that waits for this, or for what the episode needs.
    fn snapshot(&self, controller: &Controller, waiting: Option<Waiting>) -> Snapshot {
        let waiting = waiting.unwrap_or_else(|| Waiting::of(controller.episode().need()));
        let run = RunState {
            pace: self.pace,
            error: self.error.clone(),
            seats: self.seats.clone(),
            effect_done: self.effect_done.clone(),
            commands: self.commands,
            person: self.person.is_some(),
            ..RunState::recorded(waiting)
        };
        controller.snapshot_of(&self.folder, run)
    }
}
