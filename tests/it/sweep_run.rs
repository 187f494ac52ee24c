//! `sweep run`: killed and issued again, with failures of the server, with limits, breakpoints and several workers.

use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;
use std::{fs, thread};

use crate::killed::{count, events};
use crate::sandbox::{Sandbox, wait};
use crate::server::{Behavior, Server, ServerState};

const CELLS: usize = 4;
const EPISODES: usize = 3;

/// Leases that end soon after a kill, and no long wait before an episode is tried again.
const QUICK: &str =
    "[sweep]\nheartbeat = 1\nlease = 2\nretry_delay = 1\nretries = 1\n[run]\nfailure_limit = 0\n";

/// A sandbox with a sweep of four cells with three episodes each, which ask this server.
fn sandbox(url: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("work/mageyard.toml", QUICK);
    let sweep = format!(
        "name = \"small\"\nlevels = [\"sokoban/first/1..3\"]\n[settings]\nplay.agent = \"model\"\n\
         play.max_steps = 4\nmodel.name = \"mock\"\nmodel.base_url = \"{url}\"\n\
         [[grid]]\nmemory.am = [1, 2]\nplay.prompt = [\"0s-CoT\", \"HD-CoT\"]\n"
    );
    sandbox.write("work/small.toml", sweep);
    sandbox
}

const RUN: [&str; 5] = ["sweep", "run", "small.toml", "--store=runs", "--json"];

/// The journals of all cells.
fn journals(sandbox: &Sandbox) -> Vec<PathBuf> {
    let cells = sandbox.sessions("work/runs/sweeps/small");
    let episodes = cells.iter().flat_map(|cell| fs::read_dir(cell).unwrap());
    let mut journals: Vec<_> = episodes.map(|entry| entry.unwrap().path().join("journal.jsonl")).collect();
    journals.retain(|journal| journal.is_file());
    journals.sort();
    journals
}

/// The number of objects of this type with this state.
fn ended(lines: &[serde_json::Value], state: &str) -> usize {
    lines.iter().filter(|line| line["type"] == "sweep_cell_end" && line["state"] == state).count()
}

#[test]
fn a_sweep_that_is_killed_loses_and_repeats_nothing() {
    let server = Server::with(ServerState::new(Behavior::Normal, Duration::from_millis(30)));
    let sandbox = sandbox(&server.url());
    let args = [&RUN[..], &["--jobs", "2"]].concat();
    let mut kills = 0;
    for moment in [500, 700, 900] {
        let mut child = sandbox.command(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        thread::sleep(Duration::from_millis(moment));
        if child.try_wait().unwrap().is_none() {
            child.kill().unwrap();
            assert_eq!(wait(&mut child), None);
            kills += 1;
        }
    }
    let done = sandbox.run(&args);
    assert_eq!(done.code, Some(0), "{done:?}");
    let journals = journals(&sandbox);
    assert_eq!(journals.len(), CELLS * EPISODES, "no episode is lost and none is there twice");
    let mut stored = 0;
    let mut replied = 0;
    for journal in &journals {
        let events = events(journal);
        assert_eq!(count(&events, &["opened"]), 1);
        let answers = count(&events, &["replied"]);
        assert_eq!(count(&events, &["acted", "passed"]), answers, "each reply was used once");
        (stored, replied) = (stored + count(&events, &["sent", "retried"]), replied + answers);
    }
    let received = server.requests().len();
    let in_flight = kills * 2;
    assert!((received..=received + in_flight).contains(&stored), "{stored} stored, {received} received");
    assert!(replied + in_flight >= received, "{replied} replies stored, {received} requests");
    let again = sandbox.run(&args);
    assert_eq!(
        (again.code, server.requests().len()),
        (Some(0), received),
        "nothing is left to do: {again:?}"
    );
}

#[test]
fn failures_of_the_server_are_tried_again_and_never_scored() {
    let server = Server::start(Behavior::Down);
    let sandbox = sandbox(&server.url());
    let args = [&RUN[..], &["--set", "model.max_retries=0"]].concat();
    let failing = sandbox.run(&args);
    assert_eq!(failing.code, Some(3), "{failing:?}");
    assert_eq!(ended(&failing.json_lines(), "failed"), CELLS);
    assert!(failing.json_lines().iter().all(|line| line["type"] != "episode"), "a failure has no score");
    server.set_behavior(Behavior::Normal);
    let again = sandbox.run(&[&args[..], &["--only", "failed"]].concat());
    assert_eq!(again.code, Some(0), "{again:?}");
    assert_eq!(ended(&again.json_lines(), "done"), CELLS);
}

#[test]
fn a_limit_stops_the_sweep_and_the_next_run_completes_it() {
    let server = Server::start(Behavior::Normal);
    let sandbox = sandbox(&server.url());
    let limited = sandbox.run(&[&RUN[..], &["--max-tokens", "100"]].concat());
    assert_eq!(limited.code, Some(4), "{limited:?}");
    assert!(limited.err.contains("the token limit is reached"), "{}", limited.err);
    let still = sandbox.run(&[&RUN[..], &["--max-tokens", "100"]].concat());
    assert_eq!(still.code, Some(4), "what earlier runs spent counts: {still:?}");
    assert_eq!(sandbox.run(&RUN).code, Some(0));
    assert_eq!(journals(&sandbox).len(), CELLS * EPISODES);
}

#[test]
fn a_limit_finishes_and_counts_the_requests_under_way() {
    let server = Server::with(ServerState::new(Behavior::Normal, Duration::from_millis(60)));
    let sandbox = sandbox(&server.url());
    let limited = sandbox.run(&[&RUN[..], &["--jobs", "4", "--max-tokens", "100"]].concat());
    assert_eq!(limited.code, Some(4), "{limited:?}");
    assert!(server.requests().len() >= 4, "several were under way");
    assert_eq!(server.abandoned(), 0, "each reply was read to its end");
    let events: Vec<_> = journals(&sandbox).iter().flat_map(|path| events(path)).collect();
    assert_eq!(count(&events, &["replied"]), server.requests().len());
    assert_eq!(count(&events, &["cut", "failed"]), 0);
    let status = sandbox.run(&["sweep", "status", "small", "--store=runs", "--json"]).json_lines().remove(0);
    assert_eq!((status["requests"].as_u64(), status["unmetered"].as_u64()), (Some(4), Some(0)), "{status}");
}

#[test]
fn a_time_limit_waits_for_no_retry() {
    let server = Server::start(Behavior::BusyLong);
    let sandbox = sandbox(&server.url());
    let settings = ["--max-time", "2", "--set", "model.max_retries=9", "--set", "model.rate_limit_wait=7200"];
    let began = std::time::Instant::now();
    let limited = sandbox.run(&[&RUN[..], &settings].concat());
    assert_eq!(limited.code, Some(4), "{limited:?}");
    assert!(began.elapsed() < Duration::from_secs(15), "{:?}", began.elapsed());
}

#[test]
fn a_limit_counts_an_estimate_of_what_is_unknown() {
    let server = Server::start(Behavior::NoUsage);
    let sandbox = sandbox(&server.url());
    let limited = sandbox.run(&[&RUN[..], &["--max-tokens", "2000"]].concat());
    limited.fails_with(
        4,
        &["the token limit is reached", "are an estimate for requests whose tokens are unknown"],
    );
    assert!(server.requests().len() < 6, "{} requests", server.requests().len());
    let again = sandbox.run(&[&RUN[..], &["--max-tokens", "2000"]].concat());
    again.fails_with(4, &["the token limit is reached"]);
}

#[test]
fn a_breakpoint_parks_a_cell_and_the_others_go_on() {
    let server = Server::start(Behavior::Normal);
    server.queue_reply("no heading and no action");
    let sandbox = sandbox(&server.url());
    let parked = sandbox.run(&[&RUN[..], &["--break", "parse"]].concat());
    assert_eq!(parked.code, Some(3), "{parked:?}");
    let lines = parked.json_lines();
    assert_eq!((ended(&lines, "parked"), ended(&lines, "done")), (1, CELLS - 1), "{lines:?}");
    let left = sandbox.run(&RUN);
    assert_eq!((left.code, left.json_lines().len()), (Some(3), 0), "it stays parked");
    let resumed = sandbox.run(&[&RUN[..], &["--only", "parked"]].concat());
    assert_eq!((resumed.code, ended(&resumed.json_lines(), "done")), (Some(0), 1), "{resumed:?}");
}

#[test]
fn effects_of_breakpoints_tag_and_fork_while_every_cell_goes_on() {
    let server = Server::start(Behavior::Normal);
    server.queue_reply("no heading and no action");
    let sandbox = sandbox(&server.url());
    let effects = ["--break", "parse tag unread", "--break", "step=1 once fork am=0"];
    let run = sandbox.run(&[&RUN[..], &effects].concat());
    assert_eq!((run.code, ended(&run.json_lines(), "done")), (Some(0), CELLS), "{run:?}");
    assert_eq!(run.err.matches("is tagged unread").count(), 1, "{}", run.err);
    assert_eq!(run.err.matches("branch b1 begins at step 1").count(), CELLS * EPISODES, "{}", run.err);
    assert!(run.err.contains(", episode 1: step 1: "), "each is said with its episode: {}", run.err);
    let branches = journals(&sandbox).iter().filter(|path| path.with_file_name("b1").exists()).count();
    assert_eq!(branches, CELLS * EPISODES);
}

#[test]
fn workers_share_the_cells() {
    let server = Server::with(ServerState::new(Behavior::Normal, Duration::from_millis(20)));
    let sandbox = sandbox(&server.url());
    let args = ["sweep", "work", "small.toml", "--store=runs", "--json"];
    let start = || sandbox.command(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let mut workers: Vec<_> = (0..3).map(|_| start()).collect();
    for worker in &mut workers {
        assert_eq!(wait(worker), Some(0));
    }
    assert_eq!(journals(&sandbox).len(), CELLS * EPISODES);
    let replied: usize = journals(&sandbox).iter().map(|path| count(&events(path), &["replied"])).sum();
    assert_eq!(server.requests().len(), replied, "no call was made twice");
}

#[test]
fn a_limit_is_refused_where_earlier_requests_cannot_be_counted() {
    let server = Server::start(Behavior::Normal);
    server.queue_reply("no heading and no action");
    let sandbox = sandbox(&server.url());
    assert_eq!(sandbox.run(&[&RUN[..], &["--break", "parse"]].concat()).code, Some(3));
    let parked: Vec<_> =
        journals(&sandbox).into_iter().filter(|path| !path.with_file_name("summary.json").exists()).collect();
    let [journal] = &parked[..] else { panic!("{parked:?}") };
    let mut bytes = fs::read(journal).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(journal, bytes).unwrap();
    let limited = sandbox.run(&[&RUN[..], &["--max-tokens", "1000000"]].concat());
    limited.fails_with(5, &["0001/journal.jsonl"]);
}

#[test]
fn a_limit_counts_what_all_workers_spend() {
    let server = Server::with(ServerState::new(Behavior::Normal, Duration::from_millis(30)));
    let sandbox = sandbox(&server.url());
    let jobs = 2;
    let workers = 3;
    let limit = 1000;
    let limit_text = limit.to_string();
    let args = ["sweep", "work", "small.toml", "--store=runs", "--jobs=2", "--max-tokens", &limit_text];
    let start = || sandbox.command(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let mut children: Vec<_> = (0..workers).map(|_| start()).collect();
    for child in &mut children {
        assert_eq!(wait(child), Some(4));
    }
    let status = sandbox.run(&["sweep", "status", "small", "--store=runs", "--json"]).json_lines().remove(0);
    let [requests, input, output] =
        ["requests", "tokens_in", "tokens_out"].map(|name| status[name].as_u64().unwrap());
    let each = (input + output).div_ceil(requests);
    assert!(input + output >= limit, "{status}");
    let most = limit + (jobs * workers) * each + each;
    assert!(input + output <= most, "{} tokens, {most} may be used: {status}", input + output);
    assert_eq!(server.requests().len(), usize::try_from(requests).unwrap());
}

#[test]
fn cells_of_a_killed_process_are_free_at_once() {
    let server = Server::with(ServerState::new(Behavior::Normal, Duration::from_millis(30)));
    let sandbox = sandbox(&server.url());
    sandbox.write("work/mageyard.toml", "[sweep]\nheartbeat = 60\nlease = 600\n");
    let mut child = sandbox.command(&RUN).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while server.requests().len() < 3 {
        thread::sleep(Duration::from_millis(10));
    }
    child.kill().unwrap();
    assert_eq!(wait(&mut child), None);
    let done = sandbox.run(&RUN);
    assert_eq!((done.code, ended(&done.json_lines(), "done")), (Some(0), CELLS), "{done:?}");
    let claims: Vec<_> = sandbox.run(&["sweep", "status", "small", "--store=runs", "--json"]).json_lines();
    assert!(claims.iter().any(|cell| cell["claims"] == 2), "a cell was taken over: {claims:?}");
}

#[test]
fn a_server_that_cannot_be_reached_ends_the_run_at_once() {
    let sandbox = sandbox("http://127.0.0.1:9/v1");
    fs::remove_file(sandbox.path("work/mageyard.toml")).unwrap();
    let began = std::time::Instant::now();
    let failing = sandbox.run(&[&RUN[..], &["--jobs", "4"]].concat());
    failing.fails_with(1, &["the sweep stopped", "127.0.0.1:9", "completes what is missing"]);
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    let server = Server::start(Behavior::Normal);
    let again = sandbox.run(&[&RUN[..], &["--base-url", &server.url()]].concat());
    assert_eq!((again.code, ended(&again.json_lines(), "done")), (Some(0), CELLS), "{again:?}");
    assert_eq!(sandbox.sessions("work/runs/sweeps/small").len(), CELLS + 1, "the same cells, and .sweep");
}

#[test]
fn episodes_without_a_summary_are_counted_by_their_journals() {
    let server = Server::start(Behavior::Normal);
    let sandbox = sandbox(&server.url());
    assert_eq!(sandbox.run(&RUN).code, Some(0));
    for journal in journals(&sandbox) {
        fs::remove_file(journal.with_file_name("summary.json")).unwrap();
    }
    let status = sandbox.run(&["sweep", "status", "small", "--store=runs", "--json"]).json_lines().remove(0);
    assert_eq!(status["episodes_done"], CELLS * EPISODES, "they ended at their limit of steps: {status}");
    let journal = journals(&sandbox).remove(0);
    let resumed = sandbox.run(&["run", "--resume", journal.to_str().unwrap(), "--store=runs/sweeps/small"]);
    assert_eq!(resumed.code, Some(0), "{resumed:?}");
    assert!(journal.with_file_name("summary.json").is_file(), "it is written again");
}
