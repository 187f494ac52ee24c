//! The protocol on a real folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::*;

/// A clock that tests set.
#[derive(Default)]
struct TestClock(Mutex<Duration>);

impl TestClock {
    fn pass(&self, seconds: u64) {
        *self.0.lock().unwrap() += Duration::from_secs(seconds);
    }
}

impl Clock for TestClock {
    fn now(&self) -> Duration {
        *self.0.lock().unwrap()
    }
}

/// Processes that have ended when a file names them.
struct TestProcesses(String, PathBuf);

impl Processes for TestProcesses {
    fn own(&self) -> Option<Vec<u8>> {
        Some(self.0.clone().into_bytes())
    }

    fn has_ended(&self, identity: &[u8]) -> bool {
        fs::read(&self.1).is_ok_and(|ended| ended == identity)
    }
}

fn worker(sweep: &Path, name: &str, cells: &[&str]) -> (Claims, Arc<TestClock>) {
    let folder = DiskFolder::create(sweep.join(CONTROL_FOLDER), &SUBFOLDERS).unwrap();
    let clock = Arc::new(TestClock::default());
    let name = WorkerName::new(name).unwrap();
    let processes = Arc::new(TestProcesses(name.to_string(), sweep.join("ended")));
    let mut claims =
        Claims::with(Arc::new(folder), clock.clone(), processes, name, Timing::default()).unwrap();
    claims.add(cells.iter().copied()).unwrap();
    (claims, clock)
}

fn claimed(claims: &mut Claims) -> Claim {
    match claims.claim_next().unwrap() {
        Next::Claimed(claim) => claim,
        Next::Wait(time) => panic!("wait {time:?}"),
        Next::Ended => panic!("ended"),
    }
}

fn states(sweep: &Path) -> Vec<(String, State, u32)> {
    let states = cell_states(sweep).unwrap();
    states.into_iter().map(|(cell, state)| (cell, state.state, state.claims)).collect()
}

#[test]
fn cells_are_claimed_in_the_order_of_the_plan_and_each_by_one_worker() {
    let sweep = tempfile::tempdir().unwrap();
    let (mut one, _) = worker(sweep.path(), "one", &["b", "a", "c"]);
    let (mut two, _) = worker(sweep.path(), "two", &["b", "a", "c"]);
    let b = claimed(&mut one);
    let a = claimed(&mut two);
    let c = claimed(&mut one);
    assert_eq!([b.cell(), a.cell(), c.cell()], ["b", "a", "c"]);
    assert!(matches!(two.claim_next().unwrap(), Next::Wait(time) if time == Duration::from_secs(5)));
    a.finish(&End::Done).unwrap();
    let reason = Reason { class: "rate limit".to_owned(), text: "HTTP 429".to_owned() };
    b.finish(&End::Failed(reason.clone())).unwrap();
    c.finish(&End::Release).unwrap();
    let text = |cell: &str| cell.to_owned();
    assert_eq!(
        states(sweep.path()),
        [(text("a"), State::Done, 1), (text("b"), State::Failed, 1), (text("c"), State::Queued, 1)]
    );
    assert_eq!(cell_states(sweep.path()).unwrap()["b"].reason, Some(reason));
    let c = claimed(&mut two);
    assert_eq!((c.cell(), c.generation(), c.taken_over), ("c", 2, false));
    c.finish(&End::Done).unwrap();
    assert!(matches!(two.claim_next().unwrap(), Next::Ended));
    assert_eq!(one.requeue_failed(|cell| cell == "b").unwrap(), ["b"]);
    assert_eq!(claimed(&mut one).generation(), 2);
    assert!(two.add(["a", "b", "c", "d"]).unwrap() == 1, "only the new cell is queued");
}

#[test]
fn a_cell_whose_owner_has_stopped_is_taken_over_and_the_owner_cannot_write() {
    let sweep = tempfile::tempdir().unwrap();
    let (mut one, early) = worker(sweep.path(), "one", &["a"]);
    let (mut two, late) = worker(sweep.path(), "two", &["a"]);
    late.pass(100_000);
    let first = claimed(&mut one);
    let guard = first.guard();
    assert!(matches!(two.claim_next().unwrap(), Next::Wait(_)));
    late.pass(39);
    early.pass(29);
    guard.check().unwrap();
    assert!(matches!(two.claim_next().unwrap(), Next::Wait(time) if time == Duration::from_secs(1)));
    // The lease is over, but no other worker has the cell: a heartbeat renews it.
    early.pass(10);
    guard.check().unwrap();
    late.pass(2);
    assert!(matches!(two.claim_next().unwrap(), Next::Wait(_)), "there was a heartbeat");
    late.pass(40);
    let second = claimed(&mut two);
    assert_eq!((second.cell(), second.generation(), second.taken_over), ("a", 2, true));
    early.pass(30);
    let why = guard.check().unwrap_err();
    assert!(why.contains("another worker took the cell over"), "{why}");
    assert!(first.heartbeat().unwrap_err().is_lost() && first.finish(&End::Done).unwrap_err().is_lost());
    second.finish(&End::Done).unwrap();
    assert!(second.guard().check().is_err(), "a finished claim allows no write");
    assert_eq!(states(sweep.path()), [("a".to_owned(), State::Done, 2)]);
}

#[test]
fn a_cell_whose_process_has_ended_is_taken_over_at_once() {
    let sweep = tempfile::tempdir().unwrap();
    let (mut one, _) = worker(sweep.path(), "one", &["a"]);
    let (mut two, _) = worker(sweep.path(), "two", &["a"]);
    let first = claimed(&mut one);
    assert!(matches!(two.claim_next().unwrap(), Next::Wait(_)));
    fs::write(sweep.path().join("ended"), "one").unwrap();
    let second = claimed(&mut two);
    assert_eq!((second.cell(), second.generation(), second.taken_over), ("a", 2, true));
    assert!(first.heartbeat().unwrap_err().is_lost());
}

#[test]
fn a_cell_waits_for_the_one_that_it_requires() {
    let sweep = tempfile::tempdir().unwrap();
    let (mut one, _) = worker(sweep.path(), "one", &["a", "b", "c"]);
    one.require([("a", "b")]);
    let b = claimed(&mut one);
    let c = claimed(&mut one);
    assert_eq!([b.cell(), c.cell()], ["b", "c"]);
    assert!(matches!(one.claim_next().unwrap(), Next::Wait(_)));
    c.finish(&End::Done).unwrap();
    b.finish(&End::Failed(Reason { class: "bug".to_owned(), text: String::new() })).unwrap();
    assert!(matches!(one.claim_next().unwrap(), Next::Ended), "it cannot be started now");
    one.requeue_failed(|_| true).unwrap();
    claimed(&mut one).finish(&End::Done).unwrap();
    assert_eq!(claimed(&mut one).cell(), "a");
}

#[test]
fn a_worker_that_dies_while_it_adds_cells_loses_none() {
    let sweep = tempfile::tempdir().unwrap();
    let (claims, _) = worker(sweep.path(), "one", &["a"]);
    let control = sweep.path().join(CONTROL_FOLDER);
    fs::write(control.join("adding/b.dead"), "").unwrap();
    fs::write(control.join("known/b"), "dead").unwrap();
    fs::write(control.join("adding/a.dead"), "").unwrap();
    drop(claims);
    let (mut two, _) = worker(sweep.path(), "two", &["a", "b", "c"]);
    let cells: Vec<_> = (0..3).map(|_| claimed(&mut two)).collect();
    assert_eq!(cells.iter().map(Claim::cell).collect::<Vec<_>>(), ["a", "b", "c"]);
    assert_eq!(fs::read_dir(control.join("adding")).unwrap().count(), 0);
}

#[test]
fn foreign_files_are_errors_that_name_the_file() {
    for (name, content) in [
        ("queue/a.1.bak", ""),
        ("queue/.hidden", ""),
        ("claimed/a.w", ""),
        ("adding/a", ""),
        ("known/a b", ""),
        ("claims.json", "{"),
        ("claims.json", r#"{"format":2,"heartbeat_ms":1,"lease_ms":2,"margin_ms":1}"#),
        ("claims.json", r#"{"format":1,"heartbeat_ms":5,"lease_ms":5,"margin_ms":1}"#),
    ] {
        let sweep = tempfile::tempdir().unwrap();
        let (mut claims, _) = worker(sweep.path(), "one", &["a"]);
        drop(claimed(&mut claims));
        let path = sweep.path().join(CONTROL_FOLDER).join(name);
        fs::write(&path, content).unwrap();
        let found = match name {
            "claims.json" => Claims::open(sweep.path(), "two", Timing::default()).map(drop),
            "known/a b" => cell_states(sweep.path()).map(drop),
            _ => claims.claim_next().map(drop),
        };
        match found {
            Ok(()) => assert!(name.contains("hidden"), "{name}: {content}"),
            Err(error) => assert!(error.to_string().starts_with(&path.display().to_string()), "{error}"),
        }
        assert!(path.exists(), "it is never removed");
    }
}

#[test]
fn a_cell_in_two_states_and_a_missing_one_are_reported() {
    let sweep = tempfile::tempdir().unwrap();
    worker(sweep.path(), "one", &["a", "b"]);
    let control = sweep.path().join(CONTROL_FOLDER);
    fs::remove_file(control.join("queue/b.0")).unwrap();
    assert_eq!(states(sweep.path())[1], ("b".to_owned(), State::Missing, 0));
    fs::write(control.join("done/a.w.1"), "").unwrap();
    let error = cell_states(sweep.path()).unwrap_err().to_string();
    assert!(error.contains("done/a.w.1") && error.contains("queue/a.0"), "{error}");
}

#[test]
fn threads_share_a_sweep_on_disk() {
    let sweep = tempfile::tempdir().unwrap();
    let names: Vec<String> = (0..200).map(|number| format!("cell-{number}")).collect();
    let run = |label: usize| {
        let mut claims = Claims::open(sweep.path(), &format!("t{label}"), Timing::default()).unwrap();
        let added = claims.add(names.iter().map(String::as_str)).unwrap();
        let mut done = Vec::new();
        while let Next::Claimed(claim) = claims.claim_next().unwrap() {
            claim.heartbeat().unwrap();
            claim.finish(&End::Done).unwrap();
            done.push(claim.cell().to_owned());
        }
        (added, done)
    };
    let results: Vec<(usize, Vec<String>)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|label| scope.spawn(move || run(label))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(results.iter().map(|(added, _)| added).sum::<usize>(), 200);
    let mut done: Vec<String> = results.into_iter().flat_map(|(_, done)| done).collect();
    done.sort();
    let mut all = names.clone();
    all.sort();
    assert_eq!(done, all);
    assert!(cell_states(sweep.path()).unwrap().values().all(|cell| cell.state == State::Done));
}
