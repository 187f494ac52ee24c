//! Distance searches on blocking threads: one at a time, newest state first. A newer state cancels the search for an
//! older one; when every state is known, no search runs. The results are collected here, so that a new step or a new
//! result costs the same in a long episode as in a short one.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::mpsc;
use tokio::task::JoinError;

use super::distance::{Distance, Distances};
use super::persistent_list::PersistentList;
use super::step::Step;
use mageyard_domain::{
    CancelOnDrop, Digest, EnvironmentSpec, Observation, SearchBudget, SearchFailure, SearchLimits,
};

/// A state and its distance; `None` if the environment has no solver.
type SearchResult = (Digest, Option<Distance>);

/// A state whose distance is not known.
struct UnknownState {
    index: usize,
    state: Digest,
    observation: Observation,
}

/// The searches of one episode and their results.
pub struct DistanceSearch {
    kind: &'static dyn EnvironmentSpec,
    /// `None` if searching is off.
    limits: Option<SearchLimits>,
    distances: Distances,
    found: HashMap<Digest, Distance>,
    /// The indices of the steps that show each state whose distance is not known.
    shown_at: HashMap<Digest, Vec<usize>>,
    /// The states whose distance was not known when they were added, the newest last.
    unknown: Vec<UnknownState>,
    /// The indices of distances that became known since they were last taken.
    changed: Vec<usize>,
    /// The state that is being searched.
    running: Option<(Digest, CancelOnDrop)>,
    results_in: mpsc::UnboundedSender<SearchResult>,
    results_out: mpsc::UnboundedReceiver<SearchResult>,
}

impl DistanceSearch {
    /// A search for states of this environment; without limits it never starts.
    pub fn new(kind: &'static dyn EnvironmentSpec, limits: Option<SearchLimits>) -> Self {
        let (results_in, results_out) = mpsc::unbounded_channel();
        Self {
            kind,
            limits,
            distances: Distances::new([], limits.is_some()),
            found: HashMap::new(),
            shown_at: HashMap::new(),
            unknown: Vec::new(),
            changed: Vec::new(),
            running: None,
            results_in,
            results_out,
        }
    }

    /// Whether searching is on and the environment has a solver.
    pub fn is_enabled(&self) -> bool {
        self.limits.is_some()
    }

    /// The known distances of the steps so far.
    pub fn distances(&self) -> &Distances {
        &self.distances
    }

    /// Adds the steps that are new. It must always be the same episode.
    pub fn add_steps(&mut self, steps: &PersistentList<Arc<Step>>) {
        let mut skipped = self
            .distances
            .len()
            .checked_sub(1)
            .and_then(|last| steps.get(last))
            .is_some_and(|step| step.skipped);
        for (index, step) in steps.iter().enumerate().skip(self.distances.len()) {
            self.add_step(index, step, skipped);
            skipped = step.skipped;
        }
    }

    fn add_step(&mut self, index: usize, step: &Step, after_skip: bool) {
        let found = self.found.get(&step.state).cloned();
        if found.is_some() {
            self.changed.push(index);
        } else if self.is_enabled() {
            let state = step.state;
            let observation = step.observation.clone();
            self.shown_at.entry(state).or_default().push(index);
            self.unknown.push(UnknownState { index, state, observation });
        }
        self.distances.push(found, after_skip);
    }

    /// The indices of the distances that became known since the last call.
    pub(super) fn take_changed(&mut self) -> Vec<usize> {
        std::mem::take(&mut self.changed)
    }

    /// Starts the search for the newest unknown state, unless it is running already. Must be called within a Tokio
    /// runtime.
    pub fn start_next(&mut self) {
        let Some(limits) = self.limits else { return };
        while self.unknown.pop_if(|newest| self.distances.at(newest.index).is_some()).is_some() {}
        let Some(newest) = self.unknown.last() else {
            self.running = None;
            return;
        };
        if self.running.as_ref().is_none_or(|(state, _)| *state != newest.state) {
            let guard = CancelOnDrop::default();
            tokio::spawn(run_search(
                self.kind,
                (newest.state, newest.observation.clone()),
                limits,
                guard.flag(),
                self.results_in.clone(),
            ));
            self.running = Some((newest.state, guard));
        }
    }

    /// Waits for the next result, for ever if no search is running. Cancel safe.
    pub async fn next_result(&mut self) {
        let Some((state, distance)) = self.results_out.recv().await else { return };
        if let Some(distance) = distance {
            self.add_result(state, &distance);
        } else {
            self.limits = None;
            self.distances.end_search();
        }
        if self.running.as_ref().is_some_and(|(searched, _)| *searched == state) || !self.is_enabled() {
            self.running = None;
        }
    }

    fn add_result(&mut self, state: Digest, distance: &Distance) {
        self.found.insert(state, distance.clone());
        for index in self.shown_at.remove(&state).unwrap_or_default() {
            self.distances.set(index, distance.clone());
            self.changed.push(index);
        }
    }

    /// Searches until every state is known or cannot be.
    pub async fn search_all(&mut self) -> &Distances {
        loop {
            self.start_next();
            if self.running.is_none() {
                return &self.distances;
            }
            self.next_result().await;
        }
    }
}

/// Runs one search under its time limit. A cancelled search sends nothing.
async fn run_search(
    kind: &'static dyn EnvironmentSpec,
    (state, observation): (Digest, Observation),
    limits: SearchLimits,
    stop: Arc<AtomicBool>,
    results: mpsc::UnboundedSender<SearchResult>,
) {
    let found = match search_within(kind, observation, limits, stop).await {
        Ok(None) => None,
        Ok(Some(answer)) => match Distance::from_search(answer) {
            Some(distance) => Some(distance),
            None => return,
        },
        Err(_) => Some(Distance::Unknown(PANICKED.into())),
    };
    // The receiver may be gone.
    let _ = results.send((state, found));
}

/// Why a distance is unknown after a panic.
const PANICKED: &str = "the search panicked";

/// The distance of one state, within these limits; `None` if the environment has no solver that can read it.
pub async fn search_distance(
    kind: &'static dyn EnvironmentSpec,
    observation: Observation,
    limits: SearchLimits,
) -> Option<Distance> {
    match search_within(kind, observation, limits, Arc::default()).await {
        Ok(answer) => answer.and_then(Distance::from_search),
        Err(_) => Some(Distance::Unknown(PANICKED.into())),
    }
}

/// Runs one search on a thread of its own, under its time limit.
async fn search_within(
    kind: &'static dyn EnvironmentSpec,
    observation: Observation,
    limits: SearchLimits,
    stop: Arc<AtomicBool>,
) -> Result<Option<Result<u32, SearchFailure>>, JoinError> {
    let time_up = Arc::new(AtomicBool::new(false));
    let timer = time_up.clone();
    let mut work = tokio::task::spawn_blocking(move || {
        let budget = SearchBudget { time_up: Some(&time_up), ..limits.bounds(&stop) };
        kind.capabilities().tools.solver?.distance_to_goal(&observation, budget)
    });
    match limits.time {
        None => work.await,
        Some(time) => tokio::select! {
            biased;
            answer = &mut work => answer,
            () = tokio::time::sleep(time) => {
                timer.store(true, Ordering::Relaxed);
                work.await
            }
        },
    }
}
