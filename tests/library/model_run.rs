//! An episode with a model: the requests in its journal are those that the server received.

use std::fs;
use std::path::PathBuf;

use mageyard::domain::Digest;
use mageyard::engine::{JournalLine, StoredEvent, read_journal};
use serde_json::{Value, json};

use crate::sandbox::{CommandResult, Sandbox};
use crate::server::{Behavior, Server};

/// Solved in two moves.
const TWO_STEP_LEVEL: &str = "######\n#@$ .#\n######\n";

fn run(sandbox: &Sandbox, server: &Server, more: &[&str]) -> CommandResult {
    let first = [
        "run",
        "--json",
        "--store",
        "runs",
        "--agent",
        "model",
        "--model",
        "mock",
        "--base-url",
        &server.url(),
    ];
    sandbox.run(&[&first[..], more].concat())
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

/// The whole bodies of the requests in the journal.
fn stored_bodies(sandbox: &Sandbox) -> Vec<Value> {
    let lines = read_journal(&journal(sandbox)).unwrap().lines;
    let body = |line: JournalLine| match line.stored {
        StoredEvent::Sent { request, .. } => Some(request.to_version_1()),
        _ => None,
    };
    lines.into_iter().filter_map(body).collect()
}

fn action(name: &str) -> String {
    format!("# analyze\nEasy.\n\n# action\n{name}\n")
}

#[test]
fn an_episode_is_played_recorded_and_replayed() {
    let sandbox = Sandbox::new();
    sandbox.write("work/two.xsb", TWO_STEP_LEVEL);
    let server = Server::start(Behavior::Normal);
    for _ in 0..2 {
        server.queue_reply(&action("Right"));
    }
    let result = run(&sandbox, &server, &["two.xsb"]);
    assert_eq!((result.code, result.err.as_str()), (Some(0), ""));
    let episode = result.json_lines().pop().unwrap();
    assert_eq!(json!([episode["solved"], episode["steps"]]), json!([true, 2]));
    let sent = events(&sandbox, "sent");
    assert_eq!(sent.len(), 2);
    let bodies = stored_bodies(&sandbox);
    for ((sent, body), received) in sent.iter().zip(bodies).zip(server.requests()) {
        assert_eq!(sent["images"], 1);
        let picture = &sent["pictures"][0];
        let file = journal(&sandbox)
            .with_file_name("../blobs")
            .join(format!("{}.png", picture["digest"].as_str().unwrap()));
        let bytes = fs::read(file).unwrap();
        assert_eq!(json!(Digest::of(&bytes)), picture["digest"]);
        let mut stored = body.to_string();
        let base64 = {
            use base64::Engine;
            base64::engine::general_purpose::STANDARD.encode(&bytes)
        };
        stored = stored.replace(
            &format!("blob:{}", picture["digest"].as_str().unwrap()),
            &format!("data:image/png;base64,{base64}"),
        );
        assert_eq!(
            serde_json::from_str::<Value>(&stored).unwrap(),
            received,
            "the journal has what was sent"
        );
    }
    let replied = &events(&sandbox, "replied")[0];
    assert_eq!(json!([replied["usage"], replied["model"]]), json!([{"input": 1200, "output": 34}, "mock-1"]));
    sandbox.run(&["log", "check", "--store", "runs"]).success();
}
