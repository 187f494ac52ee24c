//! Distance searches on blocking threads: one at a time, newest state first. A newer state cancels the search for an
//! older one; when every state is known, no search runs.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering;
use std::time::Duration;

use serde_json::Value;
use tokio::sync::mpsc;

use super::distance::Distance;
use super::distance::Distances;
use super::step::Step;
use crate::domain::CancelOnDrop;
use crate::domain::Digest;
use crate::domain::EnvironmentSpec;
use crate::domain::Observation;
use crate::domain::Options;
use crate::domain::SearchBudget;

/// The limits of one distance search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchLimits {
    /// The most states to visit.
    pub states: u64,
    /// The most memory in bytes.
    pub memory: u64,
    /// The most time; `None` for no limit.
    pub time: Option<Duration>,
}

impl SearchLimits {
    /// The limits in an environment's options `solver_states` and `solver_memory` (megabytes), and this time limit.
    /// An option that is not set is no limit; environments without a solver set neither.
    pub fn from_options(options: &Options, time: Option<Duration>) -> Self {
        let limit = |name| options.get(name).and_then(Value::as_u64).unwrap_or(u64::MAX);
        Self { states: limit("solver_states"), memory: limit("solver_memory").saturating_mul(1 << 20), time }
    }

    /// The limits for the solver; the caller enforces the time.
    pub fn bounds(self, stop: &AtomicBool) -> SearchBudget<'_> {
        SearchBudget { memory: self.memory, ..SearchBudget::with_states(self.states, stop) }
    }
}

/// A state and its distance; `None` if the environment has no solver.
type SearchResult = (Digest, Option<Distance>);

/// The searches of one episode and their results.
pub struct DistanceSearch {
    kind: &'static dyn EnvironmentSpec,
    /// `None` if searching is off.
    limits: Option<SearchLimits>,
    known: HashMap<Digest, Distance>,
    /// The state that is being searched.
    running: Option<(Digest, CancelOnDrop)>,
    results_in: mpsc::UnboundedSender<SearchResult>,
    results_out: mpsc::UnboundedReceiver<SearchResult>,
}

impl DistanceSearch {
    /// A search for states of this environment; without limits it never starts.
    pub fn new(kind: &'static dyn EnvironmentSpec, limits: Option<SearchLimits>) -> Self {
        let (results_in, results_out) = mpsc::unbounded_channel();
        Self { kind, limits, known: HashMap::new(), running: None, results_in, results_out }
    }

    /// Whether searching is on and the environment has a solver.
    pub fn is_enabled(&self) -> bool {
        self.limits.is_some()
    }

    /// Starts the search for the newest unknown state, unless it is running already. Must be called within a Tokio
    /// runtime.
    pub fn start_next(&mut self, steps: &[Arc<Step>]) {
        let Some(limits) = self.limits else { return };
        let distances = self.distances(steps);
        let unknown = (0..steps.len()).rev().find(|index| distances.at(*index).is_none());
        let Some(step) = unknown.and_then(|index| steps.get(index)) else {
            self.running = None;
            return;
        };
        if self.running.as_ref().is_none_or(|(state, _)| *state != step.state) {
            let guard = CancelOnDrop::default();
            tokio::spawn(run_search(
                self.kind,
                (step.state, step.observation.clone()),
                limits,
                guard.flag(),
                self.results_in.clone(),
            ));
            self.running = Some((step.state, guard));
        }
    }

    /// Waits for the next result, for ever if no search is running. Cancel safe.
    pub async fn next_result(&mut self) {
        let Some((state, distance)) = self.results_out.recv().await else { return };
        match distance {
            Some(distance) => {
                self.known.insert(state, distance);
            }
            None => self.limits = None,
        }
        if self.running.as_ref().is_some_and(|(searched, _)| *searched == state) || !self.is_enabled() {
            self.running = None;
        }
    }

    /// Searches until every state is known or cannot be.
    pub async fn search_all(&mut self, steps: &[Arc<Step>]) -> Distances {
        loop {
            self.start_next(steps);
            let distances = self.distances(steps);
            if (0..steps.len()).all(|index| !distances.is_pending(index)) {
                return distances;
            }
            self.next_result().await;
        }
    }

    /// The known distances of these steps.
    pub fn distances(&self, steps: &[Arc<Step>]) -> Distances {
        let known = steps.iter().map(|step| self.known.get(&step.state).cloned());
        let skipped = steps.iter().map(|step| step.skipped);
        Distances::new(known.collect(), self.is_enabled()).with_skipped(skipped.collect())
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
    let time_up = Arc::new(AtomicBool::new(false));
    let (timer, stopped) = (time_up.clone(), stop.clone());
    let mut work = tokio::task::spawn_blocking(move || {
        let budget = SearchBudget { time_up: Some(&time_up), ..limits.bounds(&stopped) };
        kind.distance_to_goal(&observation, budget)
    });
    let answer = match limits.time {
        None => work.await,
        Some(time) => tokio::select! {
            biased;
            answer = &mut work => answer,
            () = tokio::time::sleep(time) => {
                timer.store(true, Ordering::Relaxed);
                work.await
            }
        },
    };
    let found = match answer {
        Ok(None) => None,
        Ok(Some(answer)) => match Distance::from_search(answer) {
            Some(distance) => Some(distance),
            None => return,
        },
        Err(_) => Some(Distance::Unknown("the search panicked".to_owned())),
    };
    // The receiver may be gone.
    let _ = results.send((state, found));
}
