//! The task of a session: its state, its main loop and its snapshots. The driver is passed to each method, so that
//! commands can change the state while the driver is busy.

mod breakpoints;
mod commands;
mod steps;

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::sync::watch;
use tokio::time::Instant;

use super::SessionCommand;
use super::SessionOptions;
use crate::domain::Action;
use crate::domain::EnvironmentSpec;
use crate::engine::breakpoints::Breakpoints;
use crate::engine::driver::Driver;
use crate::engine::driver::DriverError;
use crate::engine::episode::Need;
use crate::engine::episode_analysis::EpisodeAnalysis;
use crate::engine::event::Ending;
use crate::engine::snapshot::Mode;
use crate::engine::snapshot::Snapshot;
use crate::engine::snapshot::Waiting;

/// The state of a session beside its driver.
pub(super) struct SessionTask {
    kind: &'static dyn EnvironmentSpec,
    analysis: EpisodeAnalysis,
    breakpoints: Breakpoints,
    /// The index of a step whose distance must be known before the run continues, for the breakpoint `off_path`.
    off_path_check: Option<usize>,
    /// Which breakpoint paused the run.
    break_reason: Option<String>,
    /// Which step a breakpoint could not judge.
    unjudged_step: Option<String>,
    person: Option<mpsc::UnboundedSender<Vec<Action>>>,
    inbox: mpsc::UnboundedReceiver<SessionCommand>,
    /// Commands for the driver that came while it was busy.
    deferred: VecDeque<SessionCommand>,
    /// A person's decision, sent to the agent when it is asked.
    decision: Option<Vec<Action>>,
    /// Whether a person's decision was sent to the agent for the current step.
    by_hand: bool,
    mode: Mode,
    pace: Duration,
    /// When a run finished its last half of a step.
    last_half: Option<Instant>,
    error: Option<String>,
    leaving: bool,
    folder: PathBuf,
    snapshots: watch::Sender<Arc<Snapshot>>,
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
        driver: &Driver,
        options: SessionOptions,
        inbox: mpsc::UnboundedReceiver<SessionCommand>,
    ) -> (Self, watch::Receiver<Arc<Snapshot>>) {
        let thresholds = driver.episode().head().conduct.thresholds;
        let mut analysis = EpisodeAnalysis::new(options.kind, thresholds, options.distance_limits);
        analysis.update(driver.episode());
        let first = driver.snapshot(options.kind, &options.folder, &analysis);
        let (snapshots, _) = watch::channel(Arc::new(first));
        let task = Self {
            kind: options.kind,
            analysis,
            breakpoints: Breakpoints::default(),
            off_path_check: None,
            break_reason: None,
            unjudged_step: None,
            person: options.person,
            inbox,
            deferred: VecDeque::new(),
            decision: None,
            by_hand: false,
            mode: Mode::Paused,
            pace: options.pace,
            last_half: None,
            error: None,
            leaving: false,
            folder: options.folder,
            snapshots,
        };
        task.snapshots.send_replace(Arc::new(task.snapshot(driver, None)));
        let receiver = task.snapshots.subscribe();
        (task, receiver)
    }

    /// Runs until the session is closed. A restored episode waits for a command; a new one is opened at once.
    pub(super) async fn run(mut self, mut driver: Driver) {
        if matches!(driver.episode().need(), Need::Open) {
            self.advance(&mut driver).await;
        }
        while !self.leaving {
            self.analysis.update(driver.episode());
            self.check_off_path();
            self.publish(&driver);
            match self.next(self.is_running(&driver) && self.off_path_check.is_none()).await {
                Next::Command(command) => self.handle(command, &mut driver).await,
                Next::Half => self.run_half(&mut driver).await,
                Next::Distance => {}
                Next::Leave => self.leaving = true,
            }
        }
        let flushed = driver.flush();
        self.report(flushed);
        driver.close().await;
        self.publish(&driver);
    }

    /// Waits for a command, a distance, or, while running, for the end of the pause. Commands do not end a pause.
    async fn next(&mut self, running: bool) -> Next {
        if let Some(command) = self.deferred.pop_front() {
            return Next::Command(command);
        }
        let due = self.last_half.map(|last| last + self.pace / 2);
        let pause = async {
            match due {
                _ if !running => std::future::pending().await,
                Some(due) => tokio::time::sleep_until(due).await,
                None => {}
            }
        };
        tokio::select! {
            biased;
            command = self.inbox.recv() => command.map_or(Next::Leave, Next::Command),
            () = self.analysis.next_distance() => Next::Distance,
            () = pause => Next::Half,
        }
    }

    fn is_running(&self, driver: &Driver) -> bool {
        driver.episode().ending().is_none() && matches!(self.mode, Mode::Running { .. })
    }

    /// Pauses with this error.
    fn fail(&mut self, error: String) {
        self.error = Some(error);
        self.mode = Mode::Paused;
    }

    /// Pauses because the episode is over.
    fn fail_over(&mut self, ending: Ending) {
        self.fail(format!(
            "the episode is over ({ending}); :restart plays it again, :open LEVEL plays another level"
        ));
    }

    /// Pauses if this is an error; true if it is none.
    fn report(&mut self, result: Result<(), DriverError>) -> bool {
        let Err(error) = result else { return true };
        tracing::error!(%error, "the session is paused by an error");
        self.fail(error.to_string());
        false
    }

    fn publish(&mut self, driver: &Driver) {
        self.analysis.update(driver.episode());
        self.analysis.start_search();
        self.snapshots.send_replace(Arc::new(self.snapshot(driver, None)));
    }

    /// A snapshot that waits for this, or for what the episode needs.
    fn snapshot(&self, driver: &Driver, waiting: Option<Waiting>) -> Snapshot {
        let episode = driver.episode();
        let waiting = waiting.unwrap_or_else(|| Waiting::of(episode.need()));
        let mode = if episode.ending().is_some() { Mode::Paused } else { self.mode };
        let snapshot = driver.snapshot(self.kind, &self.folder, &self.analysis);
        Snapshot {
            breakpoints: self.breakpoints,
            break_reason: self.break_reason.clone(),
            unjudged_step: self.unjudged_step.clone(),
            person: self.person.is_some(),
            ..snapshot.with_state(mode, waiting, self.pace, self.error.clone())
        }
    }
}
