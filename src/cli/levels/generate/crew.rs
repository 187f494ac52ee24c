//! Many hands: rooms are made and solved on several threads and judged in the order of their numbers, so
//! that the levels do not depend on how many threads there were.

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

use super::order::Order;
use super::order::Wish;
use super::progress::Progress;
use super::tally::Lot;
use crate::cli::exit::Exit;
use crate::cli::exit::Failure;
use crate::config::Problem;
use crate::domain::Bounds;
use crate::envs::Fall;
use crate::envs::Generator;
use crate::envs::Likeness;
use crate::envs::Made;
use crate::envs::Sieve;

/// How often somebody looks whether it shall end.
const GLANCE: Duration = Duration::from_millis(50);

type Candidate = (u64, Result<Made, Fall>);

/// The levels of one wish. Ends early, with a failure, when `stop` is raised or rooms run out.
pub(super) fn make(
    order: &Order,
    wish: &Wish,
    excluded: &HashSet<Likeness>,
    stop: &AtomicBool,
) -> Result<Lot, Failure> {
    let (next, done) = (AtomicU64::new(0), AtomicBool::new(false));
    let started = Instant::now();
    let work = |sender: std::sync::mpsc::Sender<Candidate>| {
        let mut generator = Generator::new(wish.shape, order.seed);
        while !done.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let bounds = order.solves().then_some(Bounds::states(order.states, &done));
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
        let mut lot = Lot::new(wish, Sieve::new(order.least, order.most, excluded.clone()));
        let judged = judge(&mut lot, &candidates, order, stop);
        done.store(true, Ordering::Relaxed);
        lot.took = started.elapsed();
        judged.map(|()| lot)
    })
}

/// Takes candidates in order until there are enough levels.
fn judge(
    lot: &mut Lot,
    candidates: &Receiver<Candidate>,
    order: &Order,
    stop: &AtomicBool,
) -> Result<(), Failure> {
    let mut waiting = BTreeMap::new();
    let progress = Progress::new(&lot.name, lot.wanted);
    let limit = order.tries.saturating_mul(lot.wanted as u64);
    while lot.levels.len() < lot.wanted {
        if lot.sieve.tried() >= limit {
            return Err(ran_out(lot, order.tries));
        }
        let number = lot.sieve.tried();
        if let Some(candidate) = waiting.remove(&number) {
            lot.levels.extend(lot.sieve.keep(candidate));
            progress.show(lot);
            continue;
        }
        match candidates.recv_timeout(GLANCE) {
            Ok((number, candidate)) => drop(waiting.insert(number, candidate)),
            Err(RecvTimeoutError::Timeout) => progress.show(lot),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Failure::running("a thread has ended too early"));
            }
        }
        if stop.load(Ordering::Relaxed) {
            return Err(Failure::running("stopped"));
        }
    }
    Ok(())
}

fn ran_out(lot: &Lot, tries: u64) -> Failure {
    let what = format!(
        "only {} of {} levels of {} were found among {} rooms: {}; no level was written",
        lot.levels.len(),
        lot.wanted,
        lot.name,
        lot.sieve.tried(),
        lot.reasons().unwrap_or_else(|| "none fell".to_owned()),
    );
    let help = format!("--tries N allows more rooms a level than {tries}, or make the bounds wider");
    Failure::Problem(Exit::Limit, Problem::new(what).help(help))
}
