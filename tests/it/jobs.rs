//! `run --jobs`: several episodes at once, in the order of the levels.

use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::sandbox::{CommandResult, Sandbox, wait_with_output};
use crate::server::{Behavior, Server, ServerState};

/// Eight levels with three repeats each.
const RANDOM: [&str; 9] =
    ["run", "sokoban/first", "--agent", "random", "--repeats", "3", "--max-steps", "9", "--store=runs"];

fn with<'a>(args: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    [args, more].concat()
}

/// The arguments of a run of eight levels with a model.
fn model<'a>(url: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let args =
        ["run", "sokoban/first", "--store=runs", "--agent", "model", "--model", "mock", "--base-url", url];
    with(&args, more)
}

/// The text without the time that an episode took.
fn without_seconds(text: &str) -> Vec<String> {
    let line = |line: &str| match line.rsplit_once("  ") {
        Some((rest, seconds)) if seconds.ends_with(" s") => rest.to_owned(),
        _ => line.to_owned(),
    };
    text.lines().map(line).collect()
}

/// The objects without fields that differ between runs, in the order of episodes and steps.
fn sorted_objects(result: &CommandResult) -> Vec<Value> {
    let mut objects = result.json_lines();
    for object in &mut objects {
        let fields = object.as_object_mut().unwrap();
        for field in ["seconds", "session", "folder"] {
            fields.shift_remove(field);
        }
    }
    let key = |object: &Value| (object["episode"].as_u64(), object["step"].as_u64().unwrap_or(u64::MAX));
    objects.sort_by_key(key);
    objects
}

#[test]
fn text_is_the_same_with_any_number_of_jobs() {
    let one = Sandbox::new().run(&RANDOM).success();
    assert_eq!(one.matches("step limit").count() + one.matches("won").count(), 25, "{one}");
    for jobs in ["2", "8", "100"] {
        let many = Sandbox::new().run(&with(&RANDOM, &["--jobs", jobs])).success();
        assert_eq!(without_seconds(&many), without_seconds(&one), "{jobs} jobs");
    }
}

#[test]
fn json_has_the_same_objects_with_any_number_of_jobs() {
    let one = Sandbox::new().run(&with(&RANDOM, &["--json"]));
    let many = Sandbox::new().run(&with(&RANDOM, &["--json", "--jobs", "8"]));
    let one = sorted_objects(&one);
    let many = sorted_objects(&many);
    assert_eq!(one.len(), 24 + one.iter().filter(|object| object["type"] == "step").count());
    assert_eq!(many, one);
}

#[test]
fn episodes_wait_for_the_server_at_the_same_time() {
    let server = Server::with(ServerState::new(Behavior::Normal, Duration::from_millis(60)));
    let url = server.url();
    let result = Sandbox::new().run(&model(&url, &["--max-steps", "1", "--jobs", "8"]));
    assert_eq!(result.code, Some(0), "{}", result.err);
    assert_eq!((server.requests().len(), server.peak()), (8, 8));
}

#[test]
fn an_episode_that_fails_does_not_disturb_the_others() {
    let sandbox = Sandbox::new();
    let walled = "#######\n#@#$.##\n#######\n";
    let solvable = "#####\n#@$.#\n#####\n";
    sandbox.write("work/mixed.xsb", [solvable, walled, solvable].join("\n"));
    let result = sandbox.run(&["run", "mixed.xsb", "--store=runs", "--jobs", "3"]);
    assert_eq!(result.code, Some(3), "{result:?}");
    assert!(result.err.contains("mixed.xsb#2: the oracle agent found no action"), "{}", result.err);
    assert_eq!(result.out.matches("won").count(), 3, "two episodes and the summary: {}", result.out);
}

#[test]
fn a_signal_ends_all_episodes_in_order_and_they_can_be_resumed() {
    let sandbox = Sandbox::new();
    let server = Server::start(Behavior::StallsMidway);
    let url = server.url();
    let args = model(&url, &["--max-steps", "3", "--jobs", "5"]);
    let mut child = sandbox.command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(20);
    while server.stalled() < 5 {
        assert!(Instant::now() < deadline, "only {} episodes are waiting", server.stalled());
        std::thread::sleep(Duration::from_millis(5));
    }
    Command::new("kill").args(["-s", "INT", &child.id().to_string()]).status().unwrap();
    let ended = wait_with_output(&mut child);
    assert_eq!(ended.code, Some(130), "{ended:?}");
    ended.fails_with(130, &["stopped; the log is complete", "run --resume", "--store runs"]);
    let session = sandbox.sessions("work/runs").remove(0);
    for number in 1..=5 {
        let journal = fs::read_to_string(session.join(format!("{number:04}/journal.jsonl"))).unwrap();
        assert!(journal.ends_with('\n') && journal.contains("\"event\":\"cut\""), "{journal}");
    }
    assert!(!session.join("0006").exists(), "no further episode was begun");
    server.set_behavior(Behavior::Normal);
    let result = sandbox.run(&["run", "--json", "--store=runs", "--resume", "last", "--jobs", "8"]);
    assert_eq!(result.code, Some(0), "{}", result.err);
    let numbers = sorted_objects(&result);
    let numbers: Vec<_> = numbers.iter().filter(|object| object["type"] == "episode").collect();
    assert_eq!(numbers.len(), 8);
}

#[test]
fn a_server_that_keeps_failing_stops_the_run_with_one_message() {
    for (jobs, behavior, says) in [
        ("1", Behavior::HtmlPage, "it is an HTML page"),
        ("1", Behavior::NoField, "error 400"),
        ("4", Behavior::NoField, "error 400"),
    ] {
        let sandbox = Sandbox::new();
        let server = Server::start(behavior);
        let url = server.url();
        let result = sandbox.run(&model(&url, &["--max-steps", "1", "--jobs", jobs]));
        // Requests under way when the third fails may fail too.
        let stopped =
            if jobs == "1" { "the run stopped after 3 equal failures" } else { "the run stopped after " };
        result.fails_with(1, &[stopped, "equal failures in a row: ", says, "run --resume"]);
        let requests = server.requests().len();
        assert!((3..=3 + 3 * usize::from(jobs != "1")).contains(&requests), "{requests} requests");
        server.set_behavior(Behavior::Normal);
        let result = sandbox.run(&["run", "--json", "--store=runs", "--resume", "last"]);
        assert_eq!(result.code, Some(0), "{}", result.err);
        assert_eq!(result.json_lines().iter().filter(|object| object["type"] == "episode").count(), 8);
    }
}

#[test]
fn a_run_below_the_failure_limit_names_each_failed_level() {
    let sandbox = Sandbox::new();
    let server = Server::start(Behavior::NoField);
    sandbox.write("work/mageyard.toml", "[run]\nfailure_limit = 0\n");
    let url = server.url();
    let result = sandbox.run(&model(&url, &["--max-steps", "1"]));
    assert_eq!((result.code, server.requests().len()), (Some(1), 8));
    for number in 1..=8 {
        let message = format!("sokoban/first/{number}: the server returned error 400");
        assert_eq!(result.err.matches(&message).count(), 1, "{}", result.err);
    }
}

#[test]
fn breakpoints_park_episodes_that_run_at_once() {
    let sandbox = Sandbox::new();
    let args = with(&RANDOM, &["--break", "off_path", "--jobs", "6"]);
    let result = sandbox.run(&args);
    assert_eq!(result.code, Some(3), "{}", result.err);
    let parked = result.err.matches("parked at a breakpoint").count();
    assert!(parked > 12, "{parked} parked: {}", result.err);
    let result = sandbox.run(&["run", "--store=runs", "--resume", "last", "--jobs", "6"]);
    assert_eq!(result.code, Some(0), "{}", result.err);
    assert!(result.out.contains("24 episodes"), "{}", result.out);
}

#[test]
fn a_closed_pipe_ends_the_run_and_loses_nothing() {
    let sandbox = Sandbox::new();
    let args = with(&RANDOM, &["--jobs", "4", "--max-steps=2000"]);
    let args: Vec<_> = args.into_iter().filter(|arg| *arg != "9" && *arg != "--max-steps").collect();
    let mut child = sandbox.command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let ended = wait_with_output(&mut child);
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""));
    assert!(sandbox.run(&["log", "check", "--store=runs"]).success().contains("intact"));
}

#[test]
fn a_terminal_shows_the_progress_and_then_only_the_lines() {
    let screen = Sandbox::new().terminal(&with(&RANDOM, &["--jobs", "4"]), 100, 400);
    let text = screen.screen().contents();
    assert!(text.contains("24 episodes, ") && !text.contains("of 24 episodes"), "{text}");
    assert_eq!(text.lines().filter(|line| line.contains("sokoban/first/")).count(), 24, "{text}");
}
