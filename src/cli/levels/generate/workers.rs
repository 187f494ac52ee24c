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

/// Generates the levels of one group, or those found until `stop` is set. Fails if the limit of rooms is reached.
pub(super) fn generate_group(
    request: &GenerateRequest,
    group_request: &GroupRequest,
    excluded: &HashSet<SymmetryKey>,
    stop: &AtomicBool,
) -> Result<GeneratedGroup, Failure> {
    let (next, done) = (AtomicU64::new(0), AtomicBool::new(false));
    let started = Instant::now();
    let work = |sender: std::sync::mpsc::Sender<JudgedRoom>| {
        let mut generator = Generator::new(group_request.shape, request.seed);
        while !done.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let bounds = request.needs_solver().then_some(SearchBudget::with_states(request.states, &done));
            if sender.send((number, generator.candidate(number, bounds))).is_err() {
                break;
            }
        }
    };
    std::thread::scope(|scope| {
        let (sender, candidates) = channel();
        for _ in 0..request.jobs {
            let sender = sender.clone();
            scope.spawn(|| work(sender));
        }
        drop(sender);
        let mut group = GeneratedGroup::new(
            group_request,
            LevelFilter::new(request.min_moves, request.max_moves, excluded.clone()),
        );
        let judged = collect_levels(&mut group, &candidates, request, stop);
        done.store(true, Ordering::Relaxed);
        group.took = started.elapsed();
        judged.map(|()| group)
    })
}

/// Judges candidates in order until there are enough levels or `stop` is set.
fn collect_levels(
    group: &mut GeneratedGroup,
    candidates: &Receiver<JudgedRoom>,
    request: &GenerateRequest,
    stop: &AtomicBool,
) -> Result<(), Failure> {
    let mut waiting = BTreeMap::new();
    let progress = Progress::new(&group.name, group.wanted);
    let limit = request.tries.saturating_mul(group.wanted as u64);
    while group.levels.len() < group.wanted {
        if group.filter.tried() >= limit {
            return Err(out_of_rooms(group, request.tries));
        }
        let number = group.filter.tried();
        if let Some(candidate) = waiting.remove(&number) {
            group.levels.extend(group.filter.accept(candidate));
            progress.show(group);
            continue;
        }
        match candidates.recv_timeout(POLL_INTERVAL) {
            Ok((number, candidate)) => drop(waiting.insert(number, candidate)),
            Err(RecvTimeoutError::Timeout) => progress.show(group),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Failure::running("a worker thread ended unexpectedly"));
            }
        }
        if stop.load(Ordering::Relaxed) {
            return Ok(());
        }
    }
    Ok(())
}

fn out_of_rooms(group: &GeneratedGroup, tries: u64) -> Failure {
    let what = format!(
        "{} of {} levels of {} found in {} rooms: {}; no level was written",
        group.levels.len(),
        group.wanted,
        group.name,
        group.filter.tried(),
        group.rejection_summary().unwrap_or_else(|| "none rejected".to_owned()),
    );
    let help = format!("raise --tries above {tries}, or relax --min-moves and --max-moves");
    Failure::Problem(Exit::Limit, Problem::new(what).with_help(help))
}
