//! The gauge: searches distances on threads of their own, the newest state first, one at a time. A search
//! that a newer state overtakes is stopped; with every state known it sleeps.

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

/// How far one search for a distance may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchLimits {
    /// States it may meet.
    pub states: u64,
    /// Bytes that they may take.
    pub memory: u64,
    /// How long it may take; `None` for as long as it takes.
    pub time: Option<Duration>,
}

impl SearchLimits {
    /// The limits that an environment's settings give its solver, `solver_states` and `solver_memory` (in
    /// megabytes), and this clock. What is not set has no limit: an environment without a solver sets neither.
    pub fn from_options(options: &Options, time: Option<Duration>) -> Self {
        let limit = |name| options.get(name).and_then(Value::as_u64).unwrap_or(u64::MAX);
        Self { states: limit("solver_states"), memory: limit("solver_memory").saturating_mul(1 << 20), time }
    }

    /// The limits for the solver itself; the clock stays with the caller.
    pub fn bounds(self, stop: &AtomicBool) -> SearchBudget<'_> {
        SearchBudget { memory: self.memory, ..SearchBudget::with_states(self.states, stop) }
    }
}

/// What a search has come to: `None` when the environment has no solver.
type SearchResult = (Digest, Option<Distance>);

/// The searches for an episode, and what they have found.
pub struct DistanceSearch {
    kind: &'static dyn EnvironmentSpec,
    /// `None` when nothing is to be searched.
    limits: Option<SearchLimits>,
    known: HashMap<Digest, Distance>,
    /// The state that is searched now.
    running: Option<(Digest, CancelOnDrop)>,
    results_in: mpsc::UnboundedSender<SearchResult>,
    results_out: mpsc::UnboundedReceiver<SearchResult>,
}

impl DistanceSearch {
    /// A gauge for states of this kind; one without an allowance never searches.
    pub fn new(kind: &'static dyn EnvironmentSpec, limits: Option<SearchLimits>) -> Self {
        let (results_in, results_out) = mpsc::unbounded_channel();
        Self { kind, limits, known: HashMap::new(), running: None, results_in, results_out }
    }

    /// Whether it searches at all: it is switched on, and the environment has shown no lack of a solver.
    pub fn is_enabled(&self) -> bool {
        self.limits.is_some()
    }

    /// Starts the search for the newest state that is not known, unless it is under way. Must be called
    /// within a runtime.
    pub fn start_next(&mut self, steps: &[Arc<Step>]) {
        let Some(allowance) = self.limits else { return };
        let distances = self.distances(steps);
        let unknown = (0..steps.len()).rev().find(|index| distances.at(*index).is_none());
        let Some(step) = unknown.and_then(|index| steps.get(index)) else {
            self.running = None;
            return;
        };
        if self.running.as_ref().is_none_or(|(state, _)| *state != step.state) {
            let wanted = CancelOnDrop::default();
            tokio::spawn(run_search(
                self.kind,
                (step.state, step.observation.clone()),
                allowance,
                wanted.flag(),
                self.results_in.clone(),
            ));
            self.running = Some((step.state, wanted));
        }
    }

    /// Waits until something more is known; for ever when nothing is searched. Dropping it loses nothing.
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

    /// Searches until every one of these states is known, or nothing more can be.
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

    /// What is known of these steps.
    pub fn distances(&self, steps: &[Arc<Step>]) -> Distances {
        let known = steps.iter().map(|step| self.known.get(&step.state).cloned());
        Distances::new(known.collect(), self.is_enabled())
    }
}

/// One search, and the clock that ends it. An answer that nobody wants any more is not told.
async fn run_search(
    kind: &'static dyn EnvironmentSpec,
    (state, seen): (Digest, Observation),
    allowance: SearchLimits,
    stop: Arc<AtomicBool>,
    tell: mpsc::UnboundedSender<SearchResult>,
) {
    let late = Arc::new(AtomicBool::new(false));
    let (bell, stopped) = (late.clone(), stop.clone());
    let mut work = tokio::task::spawn_blocking(move || {
        let bounds = SearchBudget { time_up: Some(&late), ..allowance.bounds(&stopped) };
        kind.distance_to_goal(&seen, bounds)
    });
    let answer = match allowance.time {
        None => work.await,
        Some(time) => tokio::select! {
            biased;
            answer = &mut work => answer,
            () = tokio::time::sleep(time) => {
                bell.store(true, Ordering::Relaxed);
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
        Err(_) => Some(Distance::Unknown("the search broke down".to_owned())),
    };
    // Whoever asked may have gone.
    let _ = tell.send((state, found));
}
