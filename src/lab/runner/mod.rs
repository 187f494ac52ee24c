//! Runs the episodes of a plan, several at once, and reports what happens in each of them as events. It prints
//! nothing; the caller decides what becomes of the events.
//!
//! Episodes start in the order of the plan. Each is a task of its own, so a failure in one does not disturb the others.
//! All of them end together when the caller stops the run, when the model server fails in a way that no other request
//! can avoid, or in the same way several times in a row, or when a recording does not match.
//!
//! Opening is limited to the number of processor cores, because it may run a solver; the clock of an episode starts
//! after that wait. The channel of events is bounded, so a slow reader slows the episodes and not the memory.

mod episode;
mod event;
mod pool;
mod spending;

pub use self::episode::{EpisodeEnd, Reporter};
use std::collections::BTreeMap;
use std::iter::Enumerate;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::available_parallelism;

use tokio::sync::{Semaphore, mpsc};
use tokio_util::sync::CancellationToken;

pub use self::event::{AskedPerson, EpisodeEvent, FinishedEpisode, Parking, RunEvent};
pub use self::pool::{AtStop, Queue, RunTask, Task, run_pool};
pub use self::spending::{EpisodeSpent, Spending, SpendingLimits, Spent};
use super::{EpisodeId, Lab, LabError};
use mageyard_agents::RepeatedFailure;
use mageyard_config::Config;
use mageyard_domain::{AgentError, EndpointFailure, Treatment};
use mageyard_engine::{Breakpoints, Head, LiveWait, Store, Wait};

/// An episode that is to be run.
#[derive(Clone, Debug)]
pub struct PlannedEpisode {
    /// Its journal, which may exist already: then the episode is resumed.
    pub journal: PathBuf,
    /// The head of a new episode; `None` if the episode can only be resumed.
    pub head: Option<Head>,
}

impl PlannedEpisode {
    fn id(&self) -> EpisodeId {
        EpisodeId::of_journal(&self.journal)
    }
}

/// How episodes are run.
#[derive(Clone)]
pub struct RunOptions {
    /// The settings for opening episodes.
    pub config: Arc<Config>,
    /// Where new episodes are stored.
    pub store: Store,
    /// What parks an episode.
    pub breakpoints: Breakpoints,
    /// The number of episodes at once, at least 1.
    pub jobs: usize,
    /// The number of equal failures of the model server in a row that stops the run; 0 for no limit.
    pub failure_limit: u32,
    /// What the episodes spend together; a limit that is reached stops the run.
    pub spending: Option<Arc<Spending>>,
    /// Whether a person answers the questions of episodes.
    pub has_person: bool,
}

/// A run under way. Dropping it stops the run without waiting for its end.
pub struct Run {
    task: RunTask<EpisodeEvent, ()>,
    shared: Arc<Shared>,
}

/// What ends the episodes of a run, each in a state that can be resumed.
#[derive(Clone, Debug, Default)]
pub struct RunEnds {
    /// Cancels requests under way.
    pub stop: CancellationToken,
    /// Lets each episode finish its present step, but wait for no retry.
    pub drain: CancellationToken,
}

impl RunEnds {
    /// What ends with these, and can end before them.
    #[must_use]
    pub fn child(&self) -> Self {
        Self { stop: self.stop.child_token(), drain: self.drain.child_token() }
    }

    /// Whether nothing else begins.
    pub fn is_ending(&self) -> bool {
        self.stop.is_cancelled() || self.drain.is_cancelled()
    }
}

/// What the tasks of a run share.
pub struct Shared {
    lab: Lab,
    options: RunOptions,
    ends: RunEnds,
    opening: Arc<Semaphore>,
    failure: Mutex<Option<RepeatedFailure>>,
    /// What the agents of the episodes under way wait for, by the index of the episode.
    waits: Mutex<BTreeMap<usize, (String, LiveWait)>>,
}

/// Opening a level may run a solver, and a recording is read whole: both need a processor core and much memory.
pub fn opening_permits() -> Arc<Semaphore> {
    Arc::new(Semaphore::new(available_parallelism().map_or(1, usize::from)))
}

/// The wait of an episode under way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EpisodeWait {
    /// The index of the episode in the plan.
    pub index: usize,
    /// The reference of its level.
    pub reference: String,
    /// What it waits for.
    pub wait: Wait,
}

/// Starts to run these episodes on the current Tokio runtime. Cancelling `stop` ends each episode in a state that
/// can be resumed.
pub fn run_episodes(
    lab: &Lab,
    plan: Vec<PlannedEpisode>,
    options: RunOptions,
    stop: &CancellationToken,
) -> Run {
    let (sender, events) = mpsc::channel(options.jobs.max(1));
    let jobs = options.jobs;
    let stop = stop.child_token();
    let ends = RunEnds { stop: stop.clone(), drain: CancellationToken::new() };
    let shared = Arc::new(Shared::new(lab, options, ends, opening_permits()));
    let mut episodes =
        Episodes { shared: shared.clone(), left: plan.into_iter().enumerate(), events: sender };
    let run = {
        let stop = stop.clone();
        async move { run_pool(&mut episodes, jobs, &stop, AtStop::Wait).await.map(drop) }
    };
    Run { task: RunTask::start(run, events, stop), shared }
}

/// The episodes of a plan that have not begun.
struct Episodes {
    shared: Arc<Shared>,
    left: Enumerate<std::vec::IntoIter<PlannedEpisode>>,
    events: mpsc::Sender<EpisodeEvent>,
}

impl Queue for Episodes {
    type Done = EpisodeEnd;

    async fn next(&mut self) -> Result<Option<Task<EpisodeEnd>>, LabError> {
        let Some((index, planned)) = self.left.next() else { return Ok(None) };
        let reporter = Reporter::new(index, &planned, &self.events);
        Ok(Some(Box::pin(self.shared.clone().run_episode(planned, reporter))))
    }

    /// An episode reports its end itself.
    async fn done(&mut self, _: EpisodeEnd) -> Result<(), LabError> {
        Ok(())
    }
}

impl Run {
    /// The next event; `None` once all episodes have ended.
    pub async fn next(&mut self) -> Option<EpisodeEvent> {
        self.task.next().await
    }

    /// The failure of the model server that stopped the run, if one did.
    pub fn failure(&self) -> Option<RepeatedFailure> {
        self.shared.failure()
    }

    /// What the agents of the episodes under way wait for, in the order of the plan.
    pub fn waits(&self) -> Vec<EpisodeWait> {
        self.shared.waits()
    }

    /// Stops the run and waits until each episode can be resumed; further events are dropped.
    pub async fn stop(self) {
        // What could not be started leaves nothing to wait for.
        let _ = self.task.stop().await;
    }
}

impl Shared {
    /// What episodes with these options share, and what ends them.
    pub fn new(lab: &Lab, options: RunOptions, ends: RunEnds, opening: Arc<Semaphore>) -> Self {
        let failure = Mutex::default();
        let waits = Mutex::default();
        Self { lab: lab.clone(), options, ends, opening, failure, waits }
    }

    /// What the agents of the episodes under way wait for, in the order of their indexes.
    pub(super) fn waits(&self) -> Vec<EpisodeWait> {
        let waits = self.waits.lock().unwrap_or_else(PoisonError::into_inner);
        let now = |(index, (reference, wait)): (&usize, &(String, LiveWait))| {
            Some(EpisodeWait { index: *index, reference: reference.clone(), wait: wait.now()? })
        };
        waits.iter().filter_map(now).collect()
    }

    /// Stops the run if every further request would fail like this one, or if the model server keeps failing in the same
    /// way.
    fn check_endpoint(&self, error: &AgentError) {
        let class = EndpointFailure::of(error).filter(|class| class.treatment() == Treatment::StopRun);
        let fatal = class.map(|class| RepeatedFailure { class, count: 1, last: error.clone() });
        let limit = self.options.failure_limit;
        let repeated =
            || self.lab.models.repeated_failure().filter(|failure| limit > 0 && failure.count >= limit);
        if let Some(failure) = fatal.or_else(repeated) {
            self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(failure);
            self.ends.stop.cancel();
        }
    }

    pub(super) fn failure(&self) -> Option<RepeatedFailure> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
