//! `sweep pause`, `resume`, `set`, `requeue` and `cancel`, while several processes work on one store and one of them is killed.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::killed::{count, events};
use crate::sandbox::{Sandbox, wait};
use crate::server::{Behavior, Server, ServerState};

/// Leases that end soon after a kill, and no second try of a request.
const QUICK: &str = "[sweep]\nheartbeat = 1\nlease = 2\nretries = 0\n[run]\nfailure_limit = 0\n";
/// The episodes of each cell.
const EPISODES: usize = 6;
/// The cells, with the one whose server fails at first.
const CELLS: usize = 9;
const WORKERS: usize = 3;
const JOBS: usize = 2;
const DEADLINE: Duration = Duration::from_mins(1);

/// When a worker is killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Moment {
    BeforeThePause,
    WhilePaused,
    AfterTheResume,
    AfterTheSet,
    AfterTheCancel,
}

/// A sweep, its servers and its workers.
struct Sweep {
    sandbox: Sandbox,
    server: Server,
    failing: Server,
    workers: Vec<Worker>,
}

struct Worker {
    child: Child,
    output: PathBuf,
    is_killed: bool,
}

impl Sweep {
    fn new() -> Self {
        let sandbox = Sandbox::new();
        let server = Server::with(ServerState::new(Behavior::Normal, Duration::from_millis(30)));
        let failing = Server::start(Behavior::Down);
        sandbox.write("work/mageyard.toml", QUICK);
        let sweep = format!(
            "name = \"s\"\nlevels = \"sokoban/first/1..{EPISODES}\"\n[settings]\nplay.agent = \"model\"\n\
             play.max_steps = 4\nmodel.name = \"mock\"\nmodel.max_retries = 0\n\
             [[grid]]\nmodel.base_url = \"{}\"\nmemory.am = 9\n\
             [[grid]]\nmodel.base_url = \"{}\"\nmemory.am = [1, 2, 3, 4]\nplay.prompt = [\"0s-CoT\", \"HD-CoT\"]\n",
            failing.url(),
            server.url()
        );
        sandbox.write("work/s.toml", sweep);
        Self { sandbox, server, failing, workers: Vec::new() }
    }

    fn start_worker(&mut self) {
        let output = self.sandbox.path(format!("worker{}", self.workers.len()));
        let args = ["sweep", "work", "s.toml", "--store=runs", "--json", "--jobs", &JOBS.to_string()];
        let mut command = self.sandbox.command(&args);
        command.stdout(File::create(&output).unwrap()).stderr(Stdio::null());
        self.workers.push(Worker { child: command.spawn().unwrap(), output, is_killed: false });
    }

    /// Kills a worker, unless it has ended by itself.
    fn kill(&mut self, index: usize) {
        let worker = &mut self.workers[index];
        worker.child.kill().unwrap();
        wait(&mut worker.child);
        worker.is_killed = true;
    }

    fn living(&self) -> impl Iterator<Item = &Worker> {
        self.workers.iter().filter(|worker| !worker.is_killed)
    }

    /// Gives an order, and waits until every living worker says that it follows it.
    fn order(&self, args: &[&str]) {
        let (verb, rest) = args.split_first().unwrap();
        let args = [&["sweep", verb, "s", "--store=runs", "--json"], rest].concat();
        let given = self.sandbox.run(&args);
        assert_eq!(given.code, Some(0), "{given:?}");
        let number = given.json_lines()[0]["number"].clone();
        if *verb != "cancel" {
            let follows = |worker: &Worker| worker.orders().contains(&number);
            until("all workers follow the order", || self.living().all(follows));
        }
    }

    fn status(&self) -> Vec<Value> {
        self.sandbox.run(&["sweep", "status", "s", "--store=runs", "--json", "--orders"]).json_lines()
    }

    fn control(&self) -> String {
        self.status()[0]["control"].as_str().unwrap().to_owned()
    }

    /// The orders as the status lists them.
    fn orders(&self) -> Vec<String> {
        let is_order = |line: &Value| line["type"] == "sweep_order";
        let name = |line: Value| line["order"].as_str().unwrap().to_owned();
        self.status().into_iter().filter(is_order).map(name).collect()
    }

    /// The cells in this state.
    fn cells(&self, state: &str) -> Vec<String> {
        let is_in = |line: &Value| line["type"] == "cell_status" && line["state"] == state;
        let name = |line: Value| line["cell"].as_str().unwrap().to_owned();
        self.status().into_iter().filter(is_in).map(name).collect()
    }

    /// The journals of all cells.
    fn journals(&self) -> BTreeSet<PathBuf> {
        let cells = self.sandbox.sessions("work/runs/sweeps/s");
        let episodes = cells.iter().flat_map(|cell| fs::read_dir(cell).unwrap());
        let journals = episodes.map(|entry| entry.unwrap().path().join("journal.jsonl"));
        journals.filter(|journal| journal.is_file()).collect()
    }

    /// The journals of episodes that are not over, without those of the failing server.
    fn unfinished(&self) -> usize {
        let is_failing = |journal: &Path| journal.to_string_lossy().contains("-am9-");
        let mut journals = self.journals();
        journals.retain(|journal| !is_failing(journal) && !journal.with_file_name("summary.json").exists());
        journals.len()
    }
}

impl Worker {
    /// The numbers of the orders that it has said it follows.
    fn orders(&self) -> Vec<Value> {
        let text = fs::read_to_string(&self.output).unwrap();
        let whole = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
        let objects = whole.map(|line| serde_json::from_str::<Value>(line).unwrap());
        let orders = objects.filter(|line| line["type"] == "sweep_order");
        orders.map(|order| order["number"].clone()).collect()
    }
}

/// Waits until this is so.
fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + DEADLINE;
    while !is_so() {
        assert!(Instant::now() < deadline, "{what}: not within {DEADLINE:?}");
        thread::sleep(Duration::from_millis(10));
    }
}

/// Plays the sweep through all orders with a kill at this moment.
fn play_through_orders(moment: Moment) {
    let mut sweep = Sweep::new();
    (0..WORKERS).for_each(|_| sweep.start_worker());
    until("some requests", || sweep.server.requests().len() > 6);
    if moment == Moment::BeforeThePause {
        sweep.kill(0);
    }
    pause(&mut sweep, moment);
    sweep.order(&["resume"]);
    let before = sweep.journals();
    until("episodes start again", || sweep.journals() != before);
    if moment == Moment::AfterTheResume {
        sweep.kill(0);
    }
    sweep.order(&["set", "jobs=1"]);
    if moment == Moment::AfterTheSet {
        sweep.kill(0);
    }
    requeue(&sweep);
    cancel(&mut sweep, moment);
    complete(&sweep, moment);
}

fn pause(sweep: &mut Sweep, moment: Moment) {
    sweep.order(&["pause", "--why", "a test"]);
    assert_eq!(sweep.control(), "paused");
    let paused = sweep.journals();
    let killed = if moment == Moment::BeforeThePause { JOBS } else { 0 };
    // The killed worker leaves its episodes.
    until("what was running is finished", || sweep.unfinished() <= killed);
    if moment == Moment::WhilePaused {
        sweep.kill(0);
    }
    let requests = sweep.server.requests().len();
    // Two looks at the orders later nothing has started.
    sweep.order(&["set", "jobs=3"]);
    sweep.order(&["set", "jobs=2"]);
    assert_eq!(sweep.journals(), paused, "{moment:?}: nothing starts");
    assert_eq!(sweep.server.requests().len(), requests, "{moment:?}: and nothing is sent");
}

fn requeue(sweep: &Sweep) {
    until("the cell of the failing server has failed", || sweep.cells("failed").len() == 1);
    let cell = sweep.cells("failed").remove(0);
    sweep.failing.set_behavior(Behavior::Normal);
    let digits = cell.rsplit('-').next().unwrap();
    sweep.order(&["requeue", digits]);
    until("a worker has played it", || sweep.cells("done").contains(&cell));
}

fn cancel(sweep: &mut Sweep, moment: Moment) {
    sweep.order(&["cancel"]);
    if moment == Moment::AfterTheCancel {
        sweep.kill(0);
    }
    for worker in sweep.workers.iter_mut().filter(|worker| !worker.is_killed) {
        assert_eq!(wait(&mut worker.child), Some(4), "{moment:?}");
    }
    assert_eq!(sweep.control(), "cancelled");
    assert!(sweep.cells("done").len() < CELLS, "it ended before it was complete");
    let requests = sweep.server.requests().len();
    let late = sweep.sandbox.run(&["sweep", "work", "s.toml", "--store=runs"]);
    late.fails_with(4, &["the sweep was cancelled by", "sweep resume"]);
    assert_eq!(sweep.server.requests().len(), requests, "{moment:?}: a later worker starts nothing");
}

fn complete(sweep: &Sweep, moment: Moment) {
    sweep.sandbox.run(&["sweep", "set", "s", "jobs=default", "--store=runs"]).success();
    let done = sweep.sandbox.run(&["sweep", "run", "s.toml", "--store=runs", "--json", "--jobs", "9"]);
    assert_eq!(done.code, Some(0), "{moment:?}: {done:?}");
    assert_eq!(sweep.cells("done").len(), CELLS);
    assert_eq!(
        sweep.journals().len(),
        CELLS * EPISODES,
        "{moment:?}: none is missing and none is there twice"
    );
    let mut stored = 0;
    for journal in sweep.journals() {
        let events = events(&journal);
        assert_eq!(count(&events, &["opened"]), 1, "{moment:?}");
        let replies = count(&events, &["replied"]);
        assert_eq!(count(&events, &["acted", "passed"]), replies, "{moment:?}: each reply was used once");
        assert!(journal.with_file_name("summary.json").exists(), "{moment:?}");
        stored += replies;
    }
    let received = sweep.server.requests().len() + sweep.failing.requests().len();
    let failed = EPISODES;
    // A killed worker loses the replies to what it had sent, and the failing server has answered its first requests with
    // errors.
    assert!(
        (stored..=stored + JOBS + failed).contains(&received),
        "{moment:?}: {stored} stored, {received} received"
    );
    let expected = ["pause", "set", "set", "resume", "set", "requeue", "cancel", "set", "resume"];
    assert_eq!(sweep.orders(), expected, "{moment:?}");
    let report = sweep.sandbox.run(&["report", "s", "--store=runs", "--tables", "produced"]).success();
    for line in [": pause, by ", ": a test", ": set jobs=3, by ", ": requeue ", ": cancel, by "] {
        assert!(report.contains(line), "{line}: {report}");
    }
}

#[test]
fn a_worker_that_is_killed_before_the_pause_loses_and_repeats_nothing() {
    play_through_orders(Moment::BeforeThePause);
}

#[test]
fn a_worker_that_is_killed_while_paused_loses_and_repeats_nothing() {
    play_through_orders(Moment::WhilePaused);
}

#[test]
fn a_worker_that_is_killed_after_the_resume_loses_and_repeats_nothing() {
    play_through_orders(Moment::AfterTheResume);
}

#[test]
fn a_worker_that_is_killed_after_new_limits_loses_and_repeats_nothing() {
    play_through_orders(Moment::AfterTheSet);
}

#[test]
fn a_worker_that_is_killed_after_the_cancel_loses_and_repeats_nothing() {
    play_through_orders(Moment::AfterTheCancel);
}

/// A sweep of a level with an agent that asks no model, and one that asks this server.
fn small(server: &Server) -> Sandbox {
    let sandbox = Sandbox::new();
    let sweep = format!(
        "name = \"small\"\nlevels = \"hanoi/first/1\"\n[settings]\nplay.max_steps = 4\n[[grid]]\n\
         play.agent = \"idle\"\n[[grid]]\nplay.agent = \"model\"\nmodel.name = \"mock\"\nmodel.base_url = \"{}\"\n",
        server.url()
    );
    sandbox.write("work/small.toml", sweep);
    sandbox
}

#[test]
fn orders_are_checked_before_they_are_recorded() {
    let server = Server::start(Behavior::Normal);
    let sandbox = small(&server);
    sandbox.run(&["sweep", "pause", "small"]).fails_with(2, &["there is no sweep here"]);
    sandbox.run(&["sweep", "run", "small.toml"]).success();
    for (args, why) in [
        (&["set", "small", "memory.am=2"][..], "never what is measured; possible are jobs"),
        (&["set", "small", "jobs=0"], "whole number from 1 to 10000"),
        (&["set", "small", "cost-limit=2"], "the price of \"mock\" is unknown"),
        (&["set", "small", "max-tokens=2", "--worker", "node1"], "for all workers together"),
        (&["requeue", "small", "sokoban"], "sokoban"),
        (&["requeue", "small", "hanoi-first-1-online-idle"], "is done; only a cell that is failed or parked"),
    ] {
        sandbox.run(&[&["sweep"], args].concat()).fails_with(2, &[why]);
    }
    let none = sandbox.run(&["sweep", "requeue", "small", "--only", "failed"]).success();
    assert_eq!(none, "no cell has failed or is parked\n");
    let status = sandbox.run(&["sweep", "status", "small"]).success();
    assert!(!status.contains("orders"), "nothing was recorded: {status}");
    sandbox.run(&["sweep", "cancel", "small", "--why", "\u{1b}[31mlunch\nnow"]).success();
    let error = &["the sweep was cancelled by", "`mageyard sweep resume`"];
    sandbox.run(&["sweep", "pause", "small"]).fails_with(2, error);
    let status = sandbox.run(&["sweep", "status", "small"]).success();
    assert!(status.starts_with("cancelled by ") && status.contains("␛[31mlunch now\n"), "{status}");
    let order = sandbox.path("data/mageyard/sessions/sweeps/small/.sweep/orders/000001");
    fs::write(&order, "{").unwrap();
    let path = order.to_str().unwrap();
    for args in [&["status", "small"][..], &["resume", "small"], &["work", "small.toml"]] {
        sandbox.run(&[&["sweep"], args].concat()).fails_with(1, &[path, "cannot be read"]);
    }
}

#[test]
fn a_limit_that_was_ordered_holds_for_later_runs_until_it_is_lifted() {
    let server = Server::start(Behavior::Normal);
    let sandbox = small(&server);
    let first = sandbox.run(&["sweep", "run", "small.toml", "--max-tokens", "1"]);
    first.fails_with(4, &["the token limit is reached"]);
    sandbox.run(&["sweep", "set", "small", "max-tokens=1"]).success();
    let limited = sandbox.run(&["sweep", "run", "small.toml", "--plain", "--max-tokens", "1000000"]);
    limited.fails_with(
        4,
        &["the token limit is reached", "set max-tokens=1 by ", "max-tokens=default` undoes it"],
    );
    sandbox.run(&["sweep", "set", "small", "max-tokens=none"]).success();
    let unlimited = sandbox.run(&["sweep", "run", "small.toml", "--plain"]);
    assert_eq!(unlimited.code, Some(0), "{unlimited:?}");
    assert!(unlimited.err.starts_with("set max-tokens=none by "), "{unlimited:?}");
}
