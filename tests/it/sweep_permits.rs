//! Several processes that share the requests at once of one server.

use std::process::{Child, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

use crate::sandbox::{Sandbox, wait};
use crate::server::{Behavior, Server, ServerState};

/// The requests at once that the server may get.
const MOST: usize = 4;

/// A sandbox with a sweep of 24 episodes, which ask this server.
fn sandbox(url: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write(
        "work/mageyard.toml",
        "[sweep]\nheartbeat = 1\nlease = 2\n[run]\nfailure_limit = 0\njobs = 6\n",
    );
    let sweep = format!(
        "name = \"small\"\nlevels = \"sokoban/first/1..3\"\nrepeats = 2\n[settings]\nplay.agent = \"model\"\n\
         play.max_steps = 4\nmodel.name = \"mock\"\nmodel.base_url = \"{url}\"\n\
         model.max_connections = {MOST}\n\
         [[grid]]\nmemory.am = [1, 2]\nplay.prompt = [\"0s-CoT\", \"HD-CoT\"]\n"
    );
    sandbox.write("work/small.toml", sweep);
    sandbox
}

fn wait_for_requests(server: &Server, count: usize) {
    let began = Instant::now();
    while server.requests().len() < count {
        assert!(began.elapsed() < Duration::from_secs(30), "{} requests", server.requests().len());
        thread::sleep(Duration::from_millis(5));
    }
}

/// Three workers, of which one is killed, never send more requests at once than one of them may, and use what it leaves.
/// The server limits the rate of the first request. Returns the sandbox with the store `work/runs`.
pub(crate) fn workers_share_the_requests_at_once(permits: &str) -> Sandbox {
    let server = Server::with(ServerState::new(Behavior::BusyAfter, Duration::from_millis(30)));
    let sandbox = sandbox(&server.url());
    let args = ["sweep", "work", "small.toml", "--store=runs", "--json", "--permits", permits];
    let start = || sandbox.command(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let mut workers: Vec<Child> = (0..3).map(|_| start()).collect();
    wait_for_requests(&server, 30);
    workers[0].kill().unwrap();
    assert_eq!(wait(&mut workers[0]), None);
    for worker in &mut workers[1..] {
        assert_eq!(wait(worker), Some(0));
    }
    assert_eq!(server.peak(), MOST, "at once");
    let status = sandbox.run(&["sweep", "status", "small", "--store=runs"]).success();
    assert!(status.starts_with("4 cells: 4 done"), "{status}");
    sandbox
}

#[test]
fn workers_share_the_requests_at_once_in_a_folder() {
    let sandbox = workers_share_the_requests_at_once("file");
    let folders = sandbox.sessions("work/runs/.permits").into_iter();
    let mut files =
        folders.flat_map(|folder| fs::read_dir(folder).unwrap()).map(|entry| entry.unwrap().path());
    let body = files.find(|path| path.to_string_lossy().contains("/body.")).unwrap();
    let ledger: serde_json::Value = serde_json::from_slice(&fs::read(body).unwrap()).unwrap();
    assert_eq!((&ledger["most"], &ledger["halvings"]), (&MOST.into(), &1.into()), "{ledger}");
    assert_eq!(ledger["processes"], serde_json::json!({}), "all have left");
}

#[test]
fn a_place_that_cannot_be_used_is_refused_before_anything_is_sent() {
    let server = Server::start(Behavior::Normal);
    let sandbox = sandbox(&server.url());
    for (permits, why) in [
        ("http://host", "write file"),
        ("redis://:secret@host", "write the password as ${NAME}"),
        ("redis://127.0.0.1:1", "the Redis server 127.0.0.1:1: "),
    ] {
        let result = sandbox.run(&["sweep", "run", "small.toml", "--store=runs", "--permits", permits]);
        result.fails_with(2, &["--permits", why]);
    }
    assert_eq!(server.requests().len(), 0);
}
