//! `run --jobs 8` killed at random moments and resumed until it is done: no episode is lost or played twice, and the
//! store has every request that the server received.

use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::Duration;
use std::{fs, thread};

use serde_json::Value;

use crate::sandbox::{Sandbox, wait};
use crate::server::{Behavior, Server, ServerState};

const LEVELS: usize = 8;
const JOBS: usize = 8;

/// Milliseconds that look random, the same in every run of the test.
struct Moments(u64);

impl Moments {
    fn next(&mut self) -> Duration {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        Duration::from_millis(60 + (self.0 >> 33) % 900)
    }
}

/// The events of a journal, without a last line that a kill has cut.
pub(crate) fn events(journal: &Path) -> Vec<Value> {
    let text = fs::read_to_string(journal).unwrap();
    let whole = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
    whole.map(|line| serde_json::from_str(line).expect(line)).collect()
}

pub(crate) fn count(events: &[Value], names: &[&str]) -> usize {
    events.iter().filter(|event| names.iter().any(|name| event["event"] == *name)).count()
}

fn journals(session: &Path, episodes: usize) -> Vec<PathBuf> {
    (1..=episodes).map(|number| session.join(format!("{number:04}/journal.jsonl"))).collect()
}

fn start(sandbox: &Sandbox, args: &[&str]) -> Child {
    sandbox.command(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// Plays one session to its end through kills; returns their number.
fn play_through_kills(moments: &mut Moments, repeats: usize) -> usize {
    let server = Server::with(ServerState::new(Behavior::Normal, Duration::from_millis(4)));
    let sandbox = Sandbox::new();
    let url = server.url();
    let model = ["--agent", "model", "--model", "mock", "--base-url", &url];
    let times = repeats.to_string();
    let first =
        ["run", "sokoban/first", "--repeats", &times, "--max-steps", "6", "--store=runs", "--jobs", "8"];
    let resume = ["run", "--json", "--store=runs", "--resume", "last", "--jobs", "8"];
    let mut child = start(&sandbox, &[&first[..], &model].concat());
    let mut kills = 0;
    loop {
        thread::sleep(moments.next());
        // It can end by itself between two looks at it; its exit code then says so, also after the kill.
        child.kill().unwrap();
        let ended = wait(&mut child);
        let planned = sandbox.path("work/runs").is_dir()
            && sandbox
                .sessions("work/runs")
                .last()
                .is_some_and(|session| session.join("plan.jsonl").is_file());
        if let Some(code) = ended {
            assert_eq!(code, 0, "after {kills} kills");
            break;
        }
        kills += 1;
        // Killed before there was anything to resume, the first command begins again.
        let args = if planned { resume.to_vec() } else { [&first[..], &model].concat() };
        child = start(&sandbox, &args);
    }
    check(&sandbox, &server, (kills, LEVELS * repeats), &resume);
    kills
}

fn check(sandbox: &Sandbox, server: &Server, (kills, all): (usize, usize), resume: &[&str]) {
    let again = sandbox.run(resume);
    assert_eq!((again.code, again.err.as_str()), (Some(0), ""));
    let reported = again.json_lines();
    let episodes: Vec<_> = reported.iter().map(|object| object["episode"].as_u64().unwrap()).collect();
    assert!(reported.iter().all(|object| object["type"] == "episode"), "finished ones are not played again");
    let mut sorted = episodes.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, (1..=all as u64).collect::<Vec<_>>(), "no episode is lost and none is there twice");
    let sessions = sandbox.sessions("work/runs");
    let session = sessions.last().unwrap();
    assert!(!session.join(format!("{:04}", all + 1)).exists());
    let mut stored = 0;
    let mut replied = 0;
    for journal in journals(session, all) {
        let events = events(&journal);
        let asked = count(&events, &["sent", "retried"]);
        let answers = count(&events, &["replied"]);
        assert_eq!(
            count(&events, &["acted", "passed"]),
            answers,
            "each reply was used once: {}",
            journal.display()
        );
        assert_eq!(count(&events, &["opened"]), 1);
        (stored, replied) = (stored + asked, replied + answers);
    }
    let received = server.requests().len();
    // A request is stored before it is sent, and a kill can come between the two; a reply can be lost in flight.
    let in_flight = kills * JOBS;
    assert!((received..=received + in_flight).contains(&stored), "{stored} stored, {received} received");
    let finished = received - server.abandoned();
    assert!((replied..=replied + in_flight).contains(&finished), "{replied} replies stored, {finished} sent");
    assert!(sandbox.run(&["log", "check", "--store=runs"]).success().contains("intact"));
}

fn kill(wanted: usize, repeats: usize) {
    let mut moments = Moments(wanted as u64);
    let mut kills = 0;
    while kills < wanted {
        kills += play_through_kills(&mut moments, repeats);
    }
    println!("{kills} kills");
}

#[test]
fn a_few_kills_lose_and_repeat_nothing() {
    kill(3, 1);
}

/// `cargo test --test it killed::fifty -- --ignored`
#[test]
#[ignore = "takes minutes"]
fn fifty_kills_lose_and_repeat_nothing() {
    kill(50, 3);
}
