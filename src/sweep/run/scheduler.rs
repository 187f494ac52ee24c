//! The scheduler: fills the places for episodes with those of the cells that it claims.

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio::sync::{Semaphore, mpsc};
use tokio::time::Instant;

use super::SweepRunOptions;
use super::active_cell::{ActiveCell, WaitingEpisode};
use super::event::{SweepEnd, SweepEvent};
use super::heartbeats::Heartbeats;
use super::ordered::Orders;
use crate::claims::{Claims, End};
use crate::plan::SweepPlan;
use mageyard_engine::Store;
use mageyard_lab::{
    AtStop, EpisodeEnd, EpisodeEvent, Lab, LabError, Queue, Reporter, RunEnds, Task, opening_permits,
    run_pool,
};

/// Runs the cells of a sweep.
pub(super) struct Scheduler {
    pub(super) lab: Lab,
    pub(super) plan: Arc<SweepPlan>,
    /// The indexes of the cells by name.
    pub(super) indexes: BTreeMap<String, usize>,
    pub(super) store: Store,
    pub(super) claims: Claims,
    pub(super) options: SweepRunOptions,
    pub(super) ends: RunEnds,
    pub(super) events: mpsc::Sender<SweepEvent>,
    pub(super) heartbeats: Heartbeats,
    pub(super) opening: Arc<Semaphore>,
    pub(super) active: BTreeMap<usize, ActiveCell>,
    /// When to look for a cell again, and whether none is left at all.
    pub(super) search: Search,
    /// When the heartbeats of other processes were noted last.
    pub(super) observed: Instant,
    pub(super) started: Instant,
    pub(super) orders: Orders,
    /// Why the run ends early.
    pub(super) end: Option<SweepEnd>,
}

/// What is known about further cells.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Search {
    Now,
    At(Instant),
    Over,
}

/// An episode of a cell that has ended.
pub(super) struct EndedEpisode {
    cell: usize,
    episode: WaitingEpisode,
    end: EpisodeEnd,
}

impl Queue for Scheduler {
    type Done = EndedEpisode;

    /// An episode of a cell that is claimed, or of one that is claimed for it.
    async fn next(&mut self) -> Result<Option<Task<EndedEpisode>>, LabError> {
        self.follow_orders().await?;
        if self.ends.is_ending() {
            self.release_idle().await?;
        }
        loop {
            if self.ends.is_ending() || !self.may_start() {
                return Ok(None);
            }
            if let Some(why) = self.options.spending.exhausted() {
                self.end_early(SweepEnd::Limit(why));
                self.release_idle().await?;
                return Ok(None);
            }
            if let Some(task) = self.ready() {
                return Ok(Some(task));
            }
            if !self.claim_next().await? {
                return Ok(None);
            }
        }
    }

    /// Counts the end of an episode, and ends the claim of its cell with the last one.
    async fn done(
        &mut self,
        EndedEpisode { cell: index, episode, end }: EndedEpisode,
    ) -> Result<(), LabError> {
        if let EpisodeEnd::Mismatch(why) = &end {
            self.end_early(SweepEnd::Mismatch(why.clone()));
        }
        if matches!(&end, EpisodeEnd::Failed { retry: true, .. }) {
            self.check_contact();
        }
        let retries = (self.options.retries, self.options.retry_delay);
        let Some(cell) = self.active.get_mut(&index) else { return Ok(()) };
        if let Some((why, delay)) = cell.ended(episode, end, retries) {
            self.send(SweepEvent::Retry { cell: index, why, delay }).await;
        }
        self.end_if_over(index).await
    }

    async fn turn(&mut self) -> Result<(), LabError> {
        let now = Instant::now();
        if !self.ends.is_ending() {
            if self.next_observation().is_some_and(|at| at <= now) {
                self.observe();
            }
            if self.orders.next_look() <= now {
                self.follow_orders().await?;
            }
            if self.time_limit().is_some_and(|at| at <= now) {
                self.reach_time_limit();
            }
        }
        if self.ends.is_ending() { self.release_idle().await } else { Ok(()) }
    }

    fn places(&self, _: usize) -> usize {
        self.jobs()
    }

    fn wake(&self, has_place: bool) -> Option<Instant> {
        if self.ends.is_ending() || (self.active.is_empty() && self.has_nothing_to_wait_for()) {
            return None;
        }
        let start = self.next_start().filter(|_| has_place && self.may_start());
        let look = Some(self.orders.next_look());
        start.into_iter().chain(self.next_observation()).chain(look).chain(self.time_limit()).min()
    }
}

impl Scheduler {
    pub(super) fn new(
        lab: Lab,
        plan: Arc<SweepPlan>,
        store: Store,
        claims: Claims,
        options: SweepRunOptions,
        ends: RunEnds,
        events: mpsc::Sender<SweepEvent>,
    ) -> Self {
        let indexes = plan.cells.iter().enumerate().map(|(index, cell)| (cell.name.clone(), index)).collect();
        let heartbeats = Heartbeats::start(claims.timing().heartbeat);
        Self {
            lab,
            plan,
            indexes,
            store,
            claims,
            options,
            ends,
            events,
            heartbeats,
            opening: opening_permits(),
            active: BTreeMap::new(),
            search: Search::Now,
            observed: Instant::now(),
            started: Instant::now(),
            orders: Orders::new(),
            end: None,
        }
    }

    /// Runs until no cell is left, or the run is stopped.
    pub(super) async fn run(mut self) -> Result<SweepEnd, LabError> {
        let RunEnds { stop, .. } = self.ends.clone();
        let jobs = self.jobs();
        self.begin_with_orders().await?;
        run_pool(&mut self, jobs, &stop, AtStop::Wait).await?;
        let stopped = self.ends.is_ending() || self.search != Search::Over;
        Ok(self.end.unwrap_or(if stopped { SweepEnd::Stopped } else { SweepEnd::Complete }))
    }

    fn has_nothing_to_wait_for(&self) -> bool {
        match self.search {
            _ if self.ends.is_ending() => true,
            Search::Over => true,
            _ if !self.may_start() => false,
            Search::Now => false,
            Search::At(_) => !self.options.waits_for_others,
        }
    }

    fn reach_time_limit(&mut self) {
        let limit = self.options.orders.limits().time.unwrap_or_default();
        self.end_early(SweepEnd::Limit(format!("the time limit of {} s is reached", limit.as_secs())));
    }

    /// Ends the run. At a limit, and when a person cancels it, the steps under way are finished, so that what they cost is
    /// known.
    pub(super) fn end_early(&mut self, end: SweepEnd) {
        match end {
            SweepEnd::Limit(_) | SweepEnd::Cancelled(_) => self.ends.drain.cancel(),
            _ => self.ends.stop.cancel(),
        }
        self.end.get_or_insert(end);
    }

    /// The next time at which something may start, if there is a place for it.
    fn next_start(&self) -> Option<Instant> {
        let episodes = self.active.values().filter_map(ActiveCell::next_start);
        let search = match self.search {
            Search::At(at) => Some(at),
            _ => None,
        };
        episodes.chain(search).min()
    }

    /// When to note the heartbeats of the other processes, although no cell is needed now: so the cell of one that has
    /// stopped can be taken over as soon as there is a place for it.
    fn next_observation(&self) -> Option<Instant> {
        (self.search != Search::Over).then_some(self.observed + self.claims.timing().lease / 2)
    }

    fn observe(&mut self) {
        self.observed = Instant::now();
        if let Err(error) = self.claims.observe() {
            tracing::warn!(%error, "the claims of other processes cannot be read now");
        }
    }

    /// An episode that may start, if one is ready.
    fn ready(&mut self) -> Option<Task<EndedEpisode>> {
        let now = Instant::now();
        let (cell, runner, episode) = self.active.iter_mut().find_map(|(index, cell)| {
            let episode = cell.take_ready(now)?;
            Some((*index, cell.runner.clone(), episode))
        })?;
        let (sender, mut events) = mpsc::channel(1);
        let reporter = Reporter::new(episode.index, &episode.planned, &sender);
        drop(sender);
        let to = self.events.clone();
        Some(Box::pin(async move {
            let run = runner.run_episode(episode.planned.clone(), reporter);
            let (end, ()) = tokio::join!(run, forward(cell, &mut events, &to));
            EndedEpisode { cell, episode, end }
        }))
    }

    /// Ends the claims of cells without an episode under way, when the run is stopped.
    async fn release_idle(&mut self) -> Result<(), LabError> {
        let idle: Vec<usize> =
            self.active.iter().filter(|(_, cell)| cell.running == 0).map(|(index, _)| *index).collect();
        for index in idle {
            self.end_if_over(index).await?;
        }
        Ok(())
    }

    async fn end_if_over(&mut self, index: usize) -> Result<(), LabError> {
        if !self.active.get(&index).is_some_and(ActiveCell::has_ended) {
            return Ok(());
        }
        let Some(cell) = self.active.remove(&index) else { return Ok(()) };
        self.heartbeats.remove(cell.claim.cell());
        if matches!(self.search, Search::At(_)) {
            // Cells may start from this one.
            self.search = Search::Now;
        }
        let finished = match cell.end(self.ends.is_ending()) {
            None => Ok(None),
            Some(end) => cell.claim.finish(&end).map(|()| Some(end)),
        };
        match finished {
            Ok(Some(end)) => {
                self.check_endpoint(&end);
                self.send(SweepEvent::Ended(index, end)).await;
            }
            Ok(None) => self.send(SweepEvent::Lost(index)).await,
            Err(error) if error.is_lost() => {
                self.send(SweepEvent::Lost(index)).await;
            }
            Err(error) => return Err(LabError::failed(error)),
        }
        Ok(())
    }

    /// Stops the run when a cell failed and the model server fails every request.
    fn check_endpoint(&mut self, end: &End) {
        let limit = self.options.failure_limit;
        if limit == 0 || !matches!(end, End::Failed(_)) {
            return;
        }
        let failure = self.lab.models.repeated_failure().filter(|failure| failure.count >= limit);
        if let Some(failure) = failure {
            self.end_early(SweepEnd::Endpoint(failure));
        }
    }

    /// Stops the run when no server could be reached at all: one that was there may come back, and is waited for.
    fn check_contact(&mut self) {
        if self.options.failure_limit == 0 {
            return;
        }
        if let Some(failure) = self.lab.models.never_reached() {
            self.end_early(SweepEnd::Endpoint(failure));
        }
    }

    /// A receiver that is gone has stopped the run.
    pub(super) async fn send(&self, event: SweepEvent) {
        let _ = self.events.send(event).await;
    }
}

/// Passes the events of an episode on, until it has ended.
async fn forward(cell: usize, events: &mut mpsc::Receiver<EpisodeEvent>, to: &mpsc::Sender<SweepEvent>) {
    while let Some(event) = events.recv().await {
        let _ = to.send(SweepEvent::Episode(cell, event)).await;
    }
}
