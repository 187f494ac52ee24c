//! What orders may change while the driver is busy.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::Instant;

use super::SessionCommand;
use super::SessionOptions;
use crate::domain::Action;
use crate::domain::EnvironmentSpec;
use crate::engine::breakpoints::Breakpoint;
use crate::engine::breakpoints::Breakpoints;
use crate::engine::distance::Distances;
use crate::engine::distance::PathVerdict;
use crate::engine::distance_search::DistanceSearch;
use crate::engine::driver::Driver;
use crate::engine::event::Ending;
use crate::engine::snapshot::Mode;
use crate::engine::snapshot::Snapshot;
use crate::engine::snapshot::Waiting;

/// Everything of a session beside its driver.
pub(super) struct Desk {
    pub(super) kind: &'static dyn EnvironmentSpec,
    pub(super) gauge: DistanceSearch,
    pub(super) breaks: Breakpoints,
    /// The index of a step of the run whose distance is awaited, to know whether it left the best path.
    pub(super) awaited: Option<usize>,
    pub(super) stopped: Option<String>,
    /// What a breakpoint let pass.
    pub(super) passed: Option<String>,
    pub(super) person: Option<mpsc::UnboundedSender<Vec<Action>>>,
    pub(super) inbox: mpsc::UnboundedReceiver<SessionCommand>,
    /// Orders that came while the driver was busy and need it.
    pub(super) later: VecDeque<SessionCommand>,
    /// A person's decision that is handed over when the agent is asked.
    pub(super) decision: Option<Vec<Action>>,
    /// When the last half of a step was done while running by itself.
    pub(super) rested_since: Option<Instant>,
    /// Whether the decision under way is a person's.
    pub(super) by_hand: bool,
    pub(super) mode: Mode,
    pub(super) pace: Duration,
    pub(super) fault: Option<String>,
    pub(super) leaving: bool,
    pub(super) folder: PathBuf,
}

/// What a session does next.
pub(super) enum Next {
    /// An order.
    Order(SessionCommand),
    /// Another half of a step, by itself.
    Step,
    /// More is known of how far the goal is.
    Found,
    /// Nobody is there any more.
    Leave,
}

impl Desk {
    pub(super) fn new(terms: SessionOptions, inbox: mpsc::UnboundedReceiver<SessionCommand>) -> Self {
        Self {
            kind: terms.kind,
            gauge: DistanceSearch::new(terms.kind, terms.distance_limits),
            breaks: Breakpoints::default(),
            awaited: None,
            stopped: None,
            passed: None,
            person: terms.person,
            inbox,
            later: VecDeque::new(),
            decision: None,
            rested_since: None,
            by_hand: false,
            mode: Mode::Paused,
            pace: terms.pace,
            fault: None,
            leaving: false,
            folder: terms.folder,
        }
    }

    /// What to do next: an order, or another half when the pause is over. Orders do not end a pause.
    pub(super) async fn next(&mut self, running: bool) -> Next {
        if let Some(order) = self.later.pop_front() {
            return Next::Order(order);
        }
        let due = self.rested_since.map(|since| since + self.pace / 2);
        let rest = async {
            match due {
                _ if !running => std::future::pending().await,
                Some(due) => tokio::time::sleep_until(due).await,
                None => {}
            }
        };
        tokio::select! {
            biased;
            order = self.inbox.recv() => order.map_or(Next::Leave, Next::Order),
            () = self.gauge.next_result() => Next::Found,
            () = rest => Next::Step,
        }
    }

    /// The agent is being asked now: a person who has decided already answers.
    pub(super) fn hand_over(&mut self) {
        if let (Some(person), Some(actions)) = (&self.person, self.decision.take()) {
            self.by_hand = person.send(actions).is_ok();
        }
    }

    /// There is nothing to do any more.
    pub(super) fn over(&mut self, ending: Ending) {
        self.stand(format!("the episode is over ({ending}); :open starts another"));
    }

    /// A breakpoint is met.
    pub(super) fn stop(&mut self, why: &str) {
        self.stopped = Some(format!("stopped: {why}"));
        self.mode = Mode::Paused;
    }

    /// Whether the step that is awaited left the best path, as soon as that is known. The last step of a
    /// count is awaited while the session stands already.
    pub(super) fn judge(&mut self, distances: &Distances) {
        let Some(index) = self.awaited else { return };
        match distances.path_verdict(index) {
            None => return,
            Some(PathVerdict::OnPath) => {}
            Some(PathVerdict::OffPath(off)) => self.stop(&off.to_string()),
            Some(PathVerdict::Unknown) => {
                let said = format!("off_path passed step {}: how far the goal is, is unknown", index + 1);
                self.passed = Some(said);
            }
        }
        self.awaited = None;
    }

    pub(super) fn stand(&mut self, fault: String) {
        self.fault = Some(fault);
        self.mode = Mode::Paused;
    }

    /// Orders that concern the desk alone.
    pub(super) fn take(&mut self, order: SessionCommand) {
        match order {
            SessionCommand::Run(left) => {
                self.mode = Mode::Running { left };
                self.rested_since = None;
            }
            SessionCommand::Pause | SessionCommand::Cancel => self.mode = Mode::Paused,
            SessionCommand::SetBreakpoints(breaks) => {
                self.breaks = breaks;
                self.awaited = self.awaited.filter(|_| breaks.has(Breakpoint::OffPath));
            }
            SessionCommand::SetPace(pace) => self.pace = pace,
            SessionCommand::Leave => self.leaving = true,
            SessionCommand::Step
            | SessionCommand::Play(_)
            | SessionCommand::SetWindow(_)
            | SessionCommand::SetPrompt(_)
            | SessionCommand::AddPrompt(_)
            | SessionCommand::Edit(..)
            | SessionCommand::Abandon => {
                self.later.push_back(order);
            }
        }
    }

    /// An order that came during a thought; true when the thought is to be cut.
    pub(super) fn meanwhile(&mut self, order: Option<SessionCommand>) -> bool {
        match order {
            None => {
                self.leaving = true;
                true
            }
            Some(SessionCommand::Play(actions)) => {
                // With a person in the seat the thought under way is that person's own.
                let unheard = match &self.person {
                    Some(person) => person.send(actions).err().map(|error| error.0),
                    None => Some(actions),
                };
                self.by_hand = unheard.is_none();
                self.later.extend(unheard.map(SessionCommand::Play));
                false
            }
            // Asked already: a second Enter must not apply what is not there yet.
            Some(SessionCommand::Step) => false,
            Some(order) => {
                let cuts =
                    matches!(order, SessionCommand::Cancel | SessionCommand::Leave | SessionCommand::Abandon);
                self.take(order);
                cuts
            }
        }
    }

    /// An order that came while the level opens; true when the opening is to be dropped. Nobody is asked
    /// yet, so what is for the driver waits, and only who leaves or gives up ends it.
    pub(super) fn while_opening(&mut self, order: Option<SessionCommand>) -> bool {
        let Some(order) = order else {
            self.leaving = true;
            return true;
        };
        let drops = matches!(order, SessionCommand::Leave | SessionCommand::Abandon);
        self.take(order);
        drops
    }

    /// One step less to run.
    pub(super) fn count(&mut self) {
        if let Mode::Running { left: Some(left) } = self.mode {
            self.mode = match left.saturating_sub(1) {
                0 => Mode::Paused,
                left => Mode::Running { left: Some(left) },
            };
        }
    }

    pub(super) fn snapshot(&self, driver: &Driver, thinking: bool) -> Snapshot {
        let episode = driver.episode();
        let waiting = if thinking { Waiting::Reply } else { Waiting::of(episode.need()) };
        let mode = if episode.ending().is_some() { Mode::Paused } else { self.mode };
        let seen = driver.snapshot(self.kind, &self.folder);
        let seen = seen.with_state(mode, waiting, self.pace, self.fault.clone());
        let (breaks, stopped, passed) = (self.breaks, self.stopped.clone(), self.passed.clone());
        let seen = seen.with_distances(self.gauge.distances(episode.steps()));
        Snapshot {
            breakpoints: breaks,
            break_reason: stopped,
            unjudged_step: passed,
            person: self.person.is_some(),
            ..seen
        }
    }
}
