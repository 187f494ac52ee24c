//! Episodes that go on at another address, because their server is gone.

use std::fs;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::killed::{count, events};
use crate::sandbox::{Sandbox, wait};
use crate::server::{Behavior, Server, ServerState};

/// A cell with four episodes of six steps. Its file names no server.
const SWEEP: &str = "name = \"moving\"\nlevels = [\"sokoban/first/1..4\"]\n[settings]\nplay.agent = \"model\"\n\
                     play.max_steps = 6\nmodel.name = \"mock\"\nmodel.max_retries = 0\n";
const RUN: [&str; 7] = ["sweep", "run", "moving.toml", "--store=runs", "--json", "--jobs", "2"];

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("work/mageyard.toml", "[sweep]\nretries = 0\n[run]\nfailure_limit = 0\n");
    sandbox.write("work/moving.toml", SWEEP);
    sandbox
}

fn journals(sandbox: &Sandbox) -> Vec<PathBuf> {
    let cells = sandbox.sessions("work/runs/sweeps/moving");
    let episodes = cells.iter().flat_map(|cell| fs::read_dir(cell).unwrap());
    let mut journals: Vec<_> = episodes.map(|entry| entry.unwrap().path().join("journal.jsonl")).collect();
    journals.retain(|journal| journal.is_file());
    journals.sort();
    journals
}

/// Runs the sweep on a server that is gone after a few requests.
fn run_until_the_server_dies(sandbox: &Sandbox) -> (String, usize) {
    let server = Server::with(ServerState::new(Behavior::Normal, Duration::from_millis(5)));
    let url = server.url();
    let args = [&RUN[..], &["--base-url", &url]].concat();
    let mut child = sandbox.command(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let began = Instant::now();
    while server.requests().len() < 5 && began.elapsed() < Duration::from_secs(30) {
        std::thread::sleep(Duration::from_millis(5));
    }
    let received = server.requests().len();
    drop(server);
    assert_eq!(wait(&mut child), Some(3), "the cell failed");
    (url, received)
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}

#[test]
fn a_started_cell_goes_on_at_the_server_of_the_machine() {
    let sandbox = sandbox();
    let (first, received) = run_until_the_server_dies(&sandbox);
    assert!(received < 24, "it died early: {received}");
    let second = Server::start(Behavior::Normal);
    let sandbox = sandbox.with("OPENAI_BASE_URL", &second.url());
    let run = sandbox.run(&RUN);
    assert_eq!(run.code, Some(0), "{run:?}");
    let journals = journals(&sandbox);
    assert_eq!(journals.len(), 4);
    let moved = journals.iter().filter(|path| count(&events(path), &["connected"]) == 1).count();
    assert!(moved >= 1, "the episodes that had begun say that they moved");
    let replies: usize = journals.iter().map(|path| count(&events(path), &["replied"])).sum();
    assert!(second.requests().len() <= replies && replies <= 24, "{replies} replies");
    let heads = journals.iter().map(|path| events(path).remove(0));
    let addresses: Vec<String> =
        heads.map(|head| head["head"]["seated"]["base_url"].as_str().unwrap().to_owned()).collect();
    assert_eq!(addresses.iter().filter(|url| **url == first).count(), moved, "{addresses:?}");
    assert_eq!(addresses.iter().filter(|url| **url == second.url()).count(), 4 - moved, "{addresses:?}");
    let report = sandbox.run(&["report", "runs/sweeps/moving", "--format", "json"]).json_lines();
    let rows: Vec<_> = report.iter().filter(|row| row["produced_by"]["servers"].is_array()).collect();
    let servers: Vec<_> = rows.iter().flat_map(|row| texts(&row["produced_by"]["servers"])).collect();
    assert!(servers.contains(&first.as_str()) && servers.contains(&second.url().as_str()), "{servers:?}");
    let episodes: u64 = rows.iter().map(|row| row["episodes"].as_u64().unwrap()).sum();
    assert_eq!(episodes, 4, "an episode that has moved is one of its condition: {report:?}");
}

#[test]
fn a_resumed_session_takes_the_address_that_is_given() {
    let sandbox = Sandbox::new();
    let first = Server::start(Behavior::Normal);
    let url = first.url();
    let start = ["run", "sokoban/first/1", "--store=runs", "--agent=model", "--model=mock", "--max-steps=4"];
    let parked = sandbox.run(&[&start[..], &["--base-url", &url, "--break", "step=2"]].concat());
    assert_eq!(parked.code, Some(3), "{parked:?}");
    let before = first.requests().len();
    drop(first);
    let second = Server::start(Behavior::Normal);
    let resume = ["run", "--resume=last", "--store=runs"];
    let changed = sandbox.run(&[&resume[..], &["--base-url", &second.url(), "--am=3"]].concat());
    changed.fails_with(2, &["--am has no effect with --resume"]);
    let resumed = sandbox.run(&[&resume[..], &["--base-url", &second.url()]].concat());
    assert_eq!(resumed.code, Some(0), "{resumed:?}");
    let said = format!("requests now use base_url {} in place of {url}", second.url());
    assert!(resumed.err.contains(&said) || resumed.out.contains(&said), "{resumed:?}");
    assert_eq!(before + second.requests().len(), 4, "four steps, each asked once");
    let session = sandbox.sessions("work/runs").remove(0);
    let events = events(&session.join("0001/journal.jsonl"));
    let event = events.iter().find(|event| event["event"] == "connected").unwrap();
    assert_eq!(event["settings"], serde_json::json!({"base_url": second.url()}));
    assert_eq!(sandbox.run(&["replay", "last", "--store=runs"]).code, Some(0), "the recording repeats");
    assert_eq!(sandbox.run(&["log", "check", "last", "--store=runs"]).code, Some(0));
}

#[test]
fn a_setting_for_another_model_moves_nothing() {
    let sandbox = Sandbox::new();
    let first = Server::start(Behavior::Normal);
    let start = ["run", "sokoban/first/1", "--store=runs", "--agent=model", "--model=mock", "--max-steps=4"];
    let parked = sandbox.run(&[&start[..], &["--base-url", &first.url(), "--break", "step=2"]].concat());
    assert_eq!(parked.code, Some(3), "{parked:?}");
    let other = Server::start(Behavior::Normal);
    let file = format!("[model]\nname = \"other\"\nbase_url = \"{}\"\n", other.url());
    sandbox.write("work/mageyard.toml", file);
    let resumed = sandbox.run(&["run", "--resume=last", "--store=runs"]);
    assert_eq!(resumed.code, Some(0), "{resumed:?}");
    assert_eq!((first.requests().len(), other.requests().len()), (4, 0));
}
