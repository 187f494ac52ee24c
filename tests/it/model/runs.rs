//! Complete episodes of the real binary.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::sandbox::{CommandResult, Sandbox, wait};
use crate::server::{Behavior, Server};

/// Solved in two moves.
const TWO_STEP_LEVEL: &str = "######\n#@$ .#\n######\n";

/// The box is in a corner: the level is dead.
const DEAD_LEVEL: &str = "#####\n#$@ #\n#  .#\n#####\n";

pub(super) fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("work/two.xsb", TWO_STEP_LEVEL);
    sandbox.write("work/lost.xsb", DEAD_LEVEL);
    sandbox
}

pub(super) fn args<'a>(server: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let first =
        ["run", "--json", "--store", "runs", "--agent", "model", "--model", "mock", "--base-url", server];
    [&first[..], more].concat()
}

fn run(sandbox: &Sandbox, server: &Server, more: &[&str]) -> CommandResult {
    sandbox.run(&args(&server.url(), more))
}

fn journal(sandbox: &Sandbox) -> PathBuf {
    let session = sandbox.sessions("work/runs").remove(0);
    session.join("0001/journal.jsonl")
}

fn events(sandbox: &Sandbox, name: &str) -> Vec<Value> {
    let text = fs::read_to_string(journal(sandbox)).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.filter(|line| line["event"] == name).collect()
}

fn action(name: &str) -> String {
    format!("# analyze\nEasy.\n\n# action\n{name}\n")
}

#[test]
fn a_plan_is_requested_once() {
    let sandbox = sandbox();
    let server = Server::start(Behavior::Normal);
    server.queue_reply("### Analyze\nEasy.\n\n### Actions\nRight, Right\n");
    let result = run(&sandbox, &server, &["two.xsb", "--setting", "global"]);
    assert_eq!(result.code, Some(0), "{}", result.err);
    assert_eq!(result.json_lines().pop().unwrap()["solved"], true);
    assert_eq!(server.requests().len(), 1);
    let system = server.requests()[0]["messages"][0].clone();
    assert_eq!(system["role"], "system");
}

/// The seeds of the requests of two repeats.
fn seeds(more: &[&str]) -> Vec<Option<u64>> {
    let sandbox = sandbox();
    let server = Server::start(Behavior::Normal);
    let played = ["lost.xsb", "--max-steps", "3", "--repeats", "2"];
    let result = run(&sandbox, &server, &[&played[..], more].concat());
    assert_eq!(result.code, Some(0), "{}", result.err);
    let sent = events(&sandbox, "sent");
    let requests = server.requests();
    let seeds: Vec<_> = requests.iter().map(|request| request["seed"].as_u64()).collect();
    // A line has the fields around the turns only if the line before it has others.
    let recorded: BTreeSet<_> =
        sent.iter().filter_map(|line| line["new_envelope"]["seed"].as_u64()).collect();
    assert_eq!(recorded, seeds[..sent.len()].iter().flatten().copied().collect(), "they are recorded");
    assert_eq!(sandbox.run(&["replay", "last", "--store", "runs"]).code, Some(0), "and made again");
    seeds
}

#[test]
fn the_seed_reaches_the_model() {
    let first = seeds(&["--seed", "5"]);
    assert_eq!(first.len(), 6);
    let distinct: BTreeSet<_> = first.iter().map(|seed| seed.unwrap()).collect();
    assert_eq!(distinct.len(), 6, "each request of each repeat has its own: {first:?}");
    assert!(distinct.iter().all(|seed| *seed < 1 << 31));
    assert_eq!(seeds(&["--seed", "5"]), first, "the same run has the same seeds");
    assert_ne!(seeds(&["--seed", "6"])[0], first[0]);
    assert_eq!(seeds(&["--set", "model.seeded=false"]), [None; 6]);
    assert_eq!(seeds(&["--set", "model.extra={\"seed\": 7}"]), [Some(7); 6]);
}

#[test]
fn the_server_receives_the_configured_memory_window() {
    for (am, om) in [(0, 1), (1, 1), (3, 2), (5, 3)] {
        let sandbox = sandbox();
        let server = Server::start(Behavior::Normal);
        let am_text = am.to_string();
        let om_text = om.to_string();
        let result =
            run(&sandbox, &server, &["lost.xsb", "--am", &am_text, "--om", &om_text, "--max-steps", "6"]);
        assert_eq!(result.code, Some(0), "{}", result.err);
        let requests = server.requests();
        assert_eq!(requests.len(), 6);
        for (past, request) in requests.iter().enumerate() {
            let turns = request["messages"].as_array().unwrap();
            let outputs = turns.iter().filter(|turn| turn["role"] == "assistant").count();
            let images = request.to_string().matches("data:image/png;base64,").count();
            assert_eq!((outputs, images), (am.min(past), om.min(past + 1)), "AM={am} OM={om} t={past}");
        }
    }
}

#[test]
fn images_and_the_system_role_can_be_switched_off() {
    let sandbox = sandbox();
    let server = Server::start(Behavior::Normal);
    sandbox.write("work/mageyard.toml", "[model]\nsystem_role = false\n");
    let result = run(&sandbox, &server, &["lost.xsb", "--prompt", "HD-CoT-NoIMG", "--max-steps", "3"]);
    assert_eq!(result.code, Some(0), "{}", result.err);
    for request in server.requests() {
        assert!(!request.to_string().contains("image_url"), "{request}");
        assert_eq!(request["messages"][0]["role"], "user");
    }
}

#[test]
fn an_unreadable_reply_is_retried_twice() {
    let sandbox = sandbox();
    let server = Server::start(Behavior::Normal);
    for text in ["nonsense", "Up", "# action\nFly", &action("Right")] {
        server.queue_reply(text);
    }
    let result = run(&sandbox, &server, &["two.xsb", "--max-steps", "2"]);
    assert_eq!(result.code, Some(0), "{}", result.err);
    assert_eq!((events(&sandbox, "refused").len(), events(&sandbox, "passed").len()), (3, 1));
    let requests = server.requests();
    assert_eq!(requests.len(), 4, "three attempts, then the next step");
    let last = |request: &Value| {
        request["messages"].as_array().unwrap().iter().rev().take(2).cloned().collect::<Vec<_>>()
    };
    let [user, assistant] = last(&requests[1]).try_into().unwrap();
    assert_eq!(json!([assistant["role"], assistant["content"]]), json!(["assistant", "nonsense"]));
    assert!(user["content"].as_str().unwrap().starts_with("Your reply could not be parsed."), "{user}");
    assert_eq!(
        requests[2]["messages"].as_array().unwrap().len(),
        requests[0]["messages"].as_array().unwrap().len() + 4
    );
}

#[test]
fn a_server_error_gives_no_score() {
    let sandbox = sandbox();
    let server = Server::start(Behavior::NoModel);
    let result = run(&sandbox, &server, &["two.xsb"]);
    result.fails_with(
        1,
        &["every request would fail: the server returned error 404", "is there a model \"mock\""],
    );
    assert!(!result.out.contains("episode"), "{}", result.out);
    assert_eq!(
        ["sent", "failed", "cut"].map(|name| events(&sandbox, name).len()),
        [1, 1, 1],
        "the sent request is recorded"
    );
}

#[test]
fn a_resumed_episode_keeps_its_original_settings() {
    let sandbox = sandbox();
    let server = Server::start(Behavior::Flaky);
    for _ in 0..3 {
        server.queue_reply(&action("Right"));
    }
    let result = run(&sandbox, &server, &["two.xsb", "--max-retries", "0", "--temperature", "0.5"]);
    assert_eq!(result.code, Some(1), "{}", result.err);
    let result = sandbox.run(&["run", "--json", "--store", "runs", "--resume", "last"]);
    assert_eq!((result.code, result.err.as_str()), (Some(0), ""));
    assert_eq!(result.json_lines().pop().unwrap()["solved"], true);
    assert!(server.requests().iter().all(|request| request["temperature"] == 0.5));
}

#[test]
fn text_and_reasoning_of_an_interrupted_reply_are_kept() {
    for (behavior, field, begin) in [
        (Behavior::StallsMidway, "text", "# analyze"),
        (Behavior::ReasoningStalls, "reasoning", "Boxes first."),
    ] {
        let sandbox = sandbox();
        let server = Server::start(behavior);
        interrupt(&sandbox, &server);
        let cut = events(&sandbox, "cut");
        assert!(cut[0][field].as_str().is_some_and(|kept| kept.starts_with(begin)), "{cut:?}");
        assert_eq!(events(&sandbox, "sent").len(), 1);
    }
}

/// Plays until the reply has begun and the server is silent, and interrupts the program.
fn interrupt(sandbox: &Sandbox, server: &Server) {
    let mut command = sandbox.command(&args(&server.url(), &["two.xsb"]));
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(20);
    while server.stalled() == 0 {
        assert!(Instant::now() < deadline, "no reply started");
        std::thread::sleep(Duration::from_millis(5));
    }
    // The beginning of the reply was sent, but may not have arrived.
    std::thread::sleep(Duration::from_millis(300));
    let process = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(process, rustix::process::Signal::INT).unwrap();
    assert_eq!(wait(&mut child), Some(130));
}

#[test]
fn an_image_that_cannot_be_stored_stops_the_episode() {
    let sandbox = sandbox();
    let server = Server::start(Behavior::NoModel);
    assert_eq!(run(&sandbox, &server, &["two.xsb"]).code, Some(1));
    let blobs = journal(&sandbox).with_file_name("../blobs");
    fs::remove_dir_all(&blobs).unwrap();
    fs::write(&blobs, "in the way").unwrap();
    let result = sandbox.run(&["run", "--store", "runs", "--resume", "last"]);
    result.fails_with(1, &["the journal cannot be written", "blobs"]);
    fs::remove_file(&blobs).unwrap();
    sandbox.run(&["log", "check", "--store", "runs"]).success();
}

#[test]
fn a_wrong_model_setting_is_reported_at_its_place() {
    let sandbox = sandbox();
    let base = ["run", "two.xsb", "--agent", "model"];
    sandbox.run(&base).fails_with(2, &["model.name: a model needs a name: --model NAME"]);
    let named = [&base[..], &["--model", "m"]].concat();
    for (more, says) in [
        (["--base-url", "here"], "--base-url: model.base_url: \"here\" is not a URL"),
        (["--max-retries", "-1"], "--max-retries: model.max_retries: -1 is out of range"),
        (["--temperature", "warm"], "--temperature: model.temperature must be a number, not \"warm\""),
    ] {
        sandbox.run(&[&named[..], &more].concat()).fails_with(2, &[says]);
    }
    sandbox.write("work/mageyard.toml", "[model]\nname = \"m\"\nextra = \"{\"\n");
    sandbox.run(&base).fails_with(2, &["mageyard.toml:3:", "model.extra: it is not a JSON object"]);
    sandbox
        .run(&["config", "check"])
        .fails_with(2, &["mageyard.toml:3:", "model.extra: it is not a JSON object"]);
}

#[test]
fn a_flag_overrides_the_base_url_variable() {
    let server = Server::start(Behavior::Normal);
    let other = Server::start(Behavior::Normal);
    let sandbox =
        sandbox().with("OPENAI_BASE_URL", &server.url()).with("OPENAI_API_BASE", "http://127.0.0.1:1/v1");
    let base = ["run", "lost.xsb", "--max-steps", "1", "--agent", "model", "--model", "m"];
    assert_eq!(sandbox.run(&base).code, Some(0));
    assert_eq!((server.requests().len(), other.requests().len()), (1, 0));
    assert_eq!(sandbox.run(&[&base[..], &["--base-url", &other.url()]].concat()).code, Some(0));
    assert_eq!((server.requests().len(), other.requests().len()), (1, 1));
    sandbox.run(&["levels", "list"]).success();
}
