//! Worker threads generate and solve rooms; candidates are judged in the order of their numbers, so the result does
//! not depend on the number of threads.

use std::collections::BTreeMap;
use std::collections::HashSet;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Receiver;
use std::sync::mpsc::RecvTimeoutError;
use std::sync::mpsc::channel;
use std::time::Duration;
use std::time::Instant;

use super::generated::GeneratedGroup;
use super::progress::Progress;
use super::request::GenerateRequest;
use super::request::GroupRequest;
use crate::cli::exit::Exit;
use crate::cli::exit::Failure;
use crate::config::Problem;
use crate::domain::SearchBudget;
use crate::envs::Candidate;
use crate::envs::Generator;
use crate::envs::LevelFilter;
use crate::envs::Rejection;
use crate::envs::SymmetryKey;

/// How often the stop flag is checked.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

type JudgedRoom = (u64, Result<Candidate, Rejection>);

/// Generates the levels of one group. Fails if `stop` is set or the limit of rooms is reached.
pub(super) fn generate_group(
    order: &GenerateRequest,
    wish: &GroupRequest,
    excluded: &HashSet<SymmetryKey>,
    stop: &AtomicBool,
) -> Result<GeneratedGroup, Failure> {
    let (next, done) = (AtomicU64::new(0), AtomicBool::new(false));
    let started = Instant::now();
    let work = |sender: std::sync::mpsc::Sender<JudgedRoom>| {
        let mut generator = Generator::new(wish.shape, order.seed);
        while !done.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let bounds = order.needs_solver().then_some(SearchBudget::with_states(order.states, &done));
            if sender.send((number, generator.candidate(number, bounds))).is_err() {
                break;
            }
        }
    };
    std::thread::scope(|scope| {
        let (sender, candidates) = channel();
        for _ in 0..order.jobs {
            let sender = sender.clone();
            scope.spawn(|| work(sender));
        }
        drop(sender);
        let mut lot =
            GeneratedGroup::new(wish, LevelFilter::new(order.min_moves, order.max_moves, excluded.clone()));
        let judged = collect_levels(&mut lot, &candidates, order, stop);
        done.store(true, Ordering::Relaxed);
        lot.took = started.elapsed();
        judged.map(|()| lot)
    })
}

/// Judges candidates in order until there are enough levels.
fn collect_levels(
    lot: &mut GeneratedGroup,
    candidates: &Receiver<JudgedRoom>,
    order: &GenerateRequest,
    stop: &AtomicBool,
) -> Result<(), Failure> {
    let mut waiting = BTreeMap::new();
    let progress = Progress::new(&lot.name, lot.wanted);
    let limit = order.tries.saturating_mul(lot.wanted as u64);
    while lot.levels.len() < lot.wanted {
        if lot.sieve.tried() >= limit {
            return Err(out_of_rooms(lot, order.tries));
        }
        let number = lot.sieve.tried();
        if let Some(candidate) = waiting.remove(&number) {
            lot.levels.extend(lot.sieve.accept(candidate));
            progress.show(lot);
            continue;
        }
        match candidates.recv_timeout(POLL_INTERVAL) {
            Ok((number, candidate)) => drop(waiting.insert(number, candidate)),
            Err(RecvTimeoutError::Timeout) => progress.show(lot),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Failure::running("a worker thread ended unexpectedly"));
            }
        }
        if stop.load(Ordering::Relaxed) {
            return Err(Failure::running("stopped"));
        }
    }
    Ok(())
}

fn out_of_rooms(lot: &GeneratedGroup, tries: u64) -> Failure {
    let what = format!(
        "only {} of {} levels of {} were found among {} rooms: {}; no level was written",
        lot.levels.len(),
        lot.wanted,
        lot.name,
        lot.sieve.tried(),
        lot.rejection_summary().unwrap_or_else(|| "none rejected".to_owned()),
    );
    let help = format!("raise --tries above {tries}, or relax --min-moves and --max-moves");
    Failure::Problem(Exit::Limit, Problem::new(what).with_help(help))
}
