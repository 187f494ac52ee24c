//! Generates levels: worker threads make and solve candidates, which are judged in the order of their numbers, so that
//! the result does not depend on the number of threads.

mod level_filter;

use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use thiserror::Error;

pub use self::level_filter::LevelFilter;
use mageyard_domain::{Candidate, LevelGenerator, LevelKey, LevelKind, Rejection, SearchBudget};

/// How often the stop flag is checked.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// A number of levels of one kind.
#[derive(Clone)]
pub struct GroupRequest {
    /// The kind.
    pub kind: LevelKind,
    /// The number of levels.
    pub count: usize,
}

/// What decides which candidates become levels, and the number of threads.
#[derive(Clone, Debug)]
pub struct GenerationLimits {
    /// The random seed.
    pub seed: u64,
    /// The least actions of a shortest solution.
    pub min_moves: Option<u32>,
    /// The most actions of a shortest solution.
    pub max_moves: Option<u32>,
    /// The most states that the solver visits for a candidate.
    pub states: u64,
    /// The most candidates for each level, on average.
    pub tries: u64,
    /// The number of threads.
    pub jobs: usize,
    /// Levels to exclude.
    pub excluded: HashSet<LevelKey>,
}

/// The generated levels of one group.
pub struct GeneratedGroup {
    /// The kind of its levels.
    pub kind: LevelKind,
    /// The number of levels requested.
    pub wanted: usize,
    /// The levels so far.
    pub levels: Vec<Candidate>,
    /// What was rejected.
    pub filter: LevelFilter,
    /// How long it took.
    pub took: Duration,
}

/// Why the levels of a group were not generated.
#[derive(Debug, Error)]
pub enum GenerationError {
    /// The limit of candidates was reached.
    #[error("{found} of {wanted} levels of {name} found in {tried} {noun}: {rejected}")]
    OutOfCandidates {
        /// The name of the kind.
        name: String,
        /// Levels found.
        found: usize,
        /// Levels requested.
        wanted: usize,
        /// Candidates tried.
        tried: u64,
        /// What candidates are called.
        noun: &'static str,
        /// Why candidates were rejected.
        rejected: String,
    },
    /// A worker failed.
    #[error("a worker thread ended unexpectedly")]
    WorkerEnded,
}

type JudgedCandidate = (u64, Result<Candidate, Rejection>);

/// Generates the levels of one group, or those found until `stop` is set. `progress` is called after each level and
/// now and then. Fails if the limit of candidates is reached.
pub fn generate_group(
    generator: &dyn LevelGenerator,
    group: &GroupRequest,
    limits: &GenerationLimits,
    progress: &dyn Fn(&GeneratedGroup),
    stop: &AtomicBool,
) -> Result<GeneratedGroup, GenerationError> {
    let next = AtomicU64::new(0);
    let done = AtomicBool::new(false);
    let started = Instant::now();
    std::thread::scope(|scope| {
        let (sender, candidates) = channel();
        for _ in 0..limits.jobs {
            let sender = sender.clone();
            let next = &next;
            let done = &done;
            scope.spawn(move || make_candidates(group, limits, (next, done), &sender));
        }
        drop(sender);
        let mut generated = GeneratedGroup::new(generator, group, limits);
        let [_, noun] = generator.candidate_noun();
        let judged = collect_levels(&mut generated, (&candidates, noun), limits, progress, stop);
        done.store(true, Ordering::Relaxed);
        generated.took = started.elapsed();
        judged.map(|()| generated)
    })
}

/// Makes candidates until `done` is set. Each takes the next number.
fn make_candidates(
    group: &GroupRequest,
    limits: &GenerationLimits,
    (next, done): (&AtomicU64, &AtomicBool),
    sender: &Sender<JudgedCandidate>,
) {
    let mut worker = group.kind.source.worker(limits.seed);
    let needs_solver = limits.min_moves.is_some() || limits.max_moves.is_some();
    while !done.load(Ordering::Relaxed) {
        let number = next.fetch_add(1, Ordering::Relaxed);
        let budget = needs_solver.then_some(SearchBudget::with_states(limits.states, done));
        if sender.send((number, worker.candidate(number, budget))).is_err() {
            break;
        }
    }
}

/// Judges candidates in order until there are enough levels or `stop` is set.
fn collect_levels(
    group: &mut GeneratedGroup,
    (candidates, noun): (&Receiver<JudgedCandidate>, &'static str),
    limits: &GenerationLimits,
    progress: &dyn Fn(&GeneratedGroup),
    stop: &AtomicBool,
) -> Result<(), GenerationError> {
    let mut waiting = BTreeMap::new();
    let limit = limits.tries.saturating_mul(group.wanted as u64);
    while group.levels.len() < group.wanted {
        if group.filter.tried() >= limit {
            return Err(group.out_of_candidates(noun));
        }
        let number = group.filter.tried();
        if let Some(candidate) = waiting.remove(&number) {
            group.levels.extend(group.filter.accept(candidate));
            progress(group);
            continue;
        }
        match candidates.recv_timeout(POLL_INTERVAL) {
            Ok((number, candidate)) => drop(waiting.insert(number, candidate)),
            Err(RecvTimeoutError::Timeout) => progress(group),
            Err(RecvTimeoutError::Disconnected) => return Err(GenerationError::WorkerEnded),
        }
        if stop.load(Ordering::Relaxed) {
            return Ok(());
        }
    }
    Ok(())
}

impl GeneratedGroup {
    fn new(generator: &dyn LevelGenerator, group: &GroupRequest, limits: &GenerationLimits) -> Self {
        let moves = (limits.min_moves, limits.max_moves);
        let filter = LevelFilter::new(generator.rejections(), moves, limits.excluded.clone());
        let GroupRequest { kind, count } = group.clone();
        Self { kind, wanted: count, levels: Vec::new(), filter, took: Duration::ZERO }
    }

    /// The levels with their titles: the name of the kind and a number.
    pub fn titled_levels(&self) -> impl Iterator<Item = (String, &Candidate)> {
        (1..).zip(&self.levels).map(|(number, level)| (format!("{}-{number}", self.kind.name), level))
    }

    /// Why candidates were rejected, as text; `None` if none were.
    pub fn rejection_summary(&self) -> Option<String> {
        let counted = self.filter.rejected().iter().filter(|(_, count)| *count > 0);
        let reasons: Vec<String> =
            counted.map(|(rejection, count)| format!("{count} {}", rejection.description)).collect();
        (!reasons.is_empty()).then(|| reasons.join(", "))
    }

    fn out_of_candidates(&self, noun: &'static str) -> GenerationError {
        GenerationError::OutOfCandidates {
            name: self.kind.name.clone(),
            found: self.levels.len(),
            wanted: self.wanted,
            tried: self.filter.tried(),
            noun,
            rejected: self.rejection_summary().unwrap_or_else(|| "none rejected".to_owned()),
        }
    }
}
