//! Replies that are cut, refused, mislabeled or damaged: each is kept, marked and counted.

use super::runs::{args, sandbox};
use crate::sandbox::{CommandResult, Sandbox};
use crate::server::{Behavior, Server};
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;

fn run(sandbox: &Sandbox, server: &Server, more: &[&str]) -> CommandResult {
    sandbox.run(&args(&server.url(), more))
}

fn journal(sandbox: &Sandbox) -> PathBuf {
    sandbox.sessions("work/runs").remove(0).join("0001/journal.jsonl")
}

fn events(sandbox: &Sandbox, name: &str) -> Vec<Value> {
    let text = fs::read_to_string(journal(sandbox)).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.filter(|line| line["event"] == name).collect()
}

fn with_settings(play: &str) -> Sandbox {
    let sandbox = sandbox();
    sandbox.write("work/mageyard.toml", play);
    sandbox
}

#[test]
fn a_cut_reply_is_an_unreadable_attempt_by_default() {
    for (behavior, name, says) in [
        (Behavior::Length, "cut", "the reply was truncated after 34 tokens"),
        (Behavior::Refusal, "refused", "the model refused: I will not push crates."),
        (Behavior::Filter, "filtered", "content filter stopped the reply"),
        (Behavior::Tool, "tool_call", "the model called the tool \"click\""),
    ] {
        let sandbox = sandbox();
        let server = Server::start(behavior);
        let result = run(&sandbox, &server, &["two.xsb", "--max-steps", "2"]);
        assert_eq!((result.code, result.err.as_str()), (Some(0), ""), "{name}");
        assert_eq!(server.requests().len(), 6, "three attempts at each of two steps");
        let replied = events(&sandbox, "replied");
        let ending = &replied[0]["ending"];
        assert!(ending == name || ending.get(name).is_some(), "{ending}");
        let refused = events(&sandbox, "refused");
        assert_eq!((refused.len(), &refused[0]["failure"]["rule"]), (6, &json!(name)));
        let why = refused[0]["failure"]["why"].as_str().unwrap();
        assert!(why.contains(says), "{why}");
        assert_eq!(events(&sandbox, "passed").len(), 2, "no action");
        let lines = result.json_lines();
        let step = &lines[0]["replies"][0];
        assert_eq!(json!([step["ending"], step["cancelled"]]), json!([name, false]));
        assert!(step["why"].as_str().unwrap().contains(says), "{step}");
        assert_eq!(lines.last().unwrap()["reply_endings"], json!({name: 6}));
        let report = sandbox.run(&["report", "last", "--store", "runs", "--json"]).json_lines();
        assert_eq!(report[0]["reply_endings"], json!({name: 6}));
        let report = sandbox.run(&["report", "last", "--store", "runs"]).out;
        assert!(report.contains("replies that were") && report.contains(&name.replace('_', " ")), "{report}");
        let list = sandbox.run(&["log", "list", "--store", "runs"]).out;
        assert!(list.contains(&format!("replies: 6 {}", name.replace('_', " "))), "{list}");
        let found = sandbox.run(&["find", "ending", "last", "--store", "runs", "--json"]).json_lines();
        assert_eq!(found.iter().map(|line| &line["step"]).collect::<Vec<_>>(), [1, 2]);
        let turns = |request: &Value| request["messages"].as_array().unwrap().clone();
        let empty = |turn: &Value| turn["content"] == "" || turn["content"] == json!([]);
        assert!(server.requests().iter().all(|request| !turns(request).iter().any(empty)), "{name}");
        sandbox.run(&["replay", "last", "--store", "runs"]).success();
        sandbox.run(&["log", "check", "--store", "runs"]).success();
    }
}

#[test]
fn a_cut_reply_can_end_the_episode() {
    for (behavior, setting, ending) in
        [(Behavior::Length, "on_cut", "reply_cut"), (Behavior::Refusal, "on_refusal", "refusal")]
    {
        let sandbox = with_settings(&format!("[play]\n{setting} = \"end\"\n"));
        let server = Server::start(behavior);
        let result = run(&sandbox, &server, &["two.xsb"]);
        assert_eq!(result.code, Some(0), "{}", result.err);
        let episode = result.json_lines().pop().unwrap();
        assert_eq!(json!([episode["ending"], episode[setting]]), json!([ending, "end"]));
        assert_eq!(server.requests().len(), 1);
        let again = sandbox.run(&["run", "--json", "--store", "runs", "--resume", "last"]);
        assert_eq!((again.code, server.requests().len()), (Some(0), 1), "nothing is asked again");
    }
}

#[test]
fn a_cut_reply_can_stop_the_episode_as_before() {
    let sandbox = with_settings("[play]\non_cut = \"stop\"\n");
    let server = Server::start(Behavior::Length);
    let result = run(&sandbox, &server, &["two.xsb"]);
    result.fails_with(1, &["two.xsb#1: the reply was truncated after 34 tokens"]);
    let cut = events(&sandbox, "cut");
    assert!(cut[0]["text"].as_str().unwrap().starts_with("# analyze"), "{cut:?}");
    assert!(cut[0]["ending"]["cut"]["why"].as_str().unwrap().contains("34 tokens"), "{cut:?}");
    let report = sandbox.run(&["report", "last", "--store", "runs", "--json"]).json_lines();
    assert_eq!(report[0]["reply_endings"], json!({"cut": 1}), "an unfinished episode counts too");
    assert_eq!(
        json!([report[0]["requests"], report[0]["requests_cancelled"]]),
        json!([1, 0]),
        "a reply came"
    );
    server.set_behavior(Behavior::Normal);
    for _ in 0..2 {
        server.queue_reply("# analyze\nEasy.\n\n# action\nRight\n");
    }
    let again = sandbox.run(&["run", "--json", "--store", "runs", "--resume", "last"]);
    assert_eq!(again.code, Some(0), "{}", again.err);
    assert_eq!(again.json_lines().pop().unwrap()["solved"], true);
}

#[test]
fn a_resume_does_not_ask_again_for_a_reply_that_was_cut() {
    let sandbox = sandbox();
    let server = Server::start(Behavior::Length);
    run(&sandbox, &server, &["two.xsb", "--max-steps", "1"]).success();
    let whole = fs::read_to_string(journal(&sandbox)).unwrap();
    let first = whole.find("\"event\":\"replied\"").unwrap();
    let end = first + whole[first..].find('\n').unwrap() + 1;
    // As if it had been killed between the first reply and the verdict on it.
    fs::write(journal(&sandbox), &whole[..end]).unwrap();
    server.set_behavior(Behavior::Normal);
    for _ in 0..2 {
        server.queue_reply("# analyze\nEasy.\n\n# action\nRight\n");
    }
    let before = server.requests().len();
    let again = sandbox.run(&["run", "--json", "--store", "runs", "--resume", "last"]);
    assert_eq!(again.code, Some(0), "{}", again.err);
    let replies = again.json_lines().remove(0)["replies"].clone();
    assert_eq!(json!([replies[0]["ending"], replies[1]["ending"]]), json!(["cut", null]));
    assert_eq!(server.requests().len(), before + 1, "only the second attempt is asked for");
}

#[test]
fn an_unmarked_reply_is_read_and_marked_on_every_output() {
    let sandbox = sandbox();
    let server = Server::start(Behavior::Unmarked);
    for _ in 0..2 {
        server.queue_reply("# analyze\nEasy.\n\n# action\nRight\n");
    }
    let result = run(&sandbox, &server, &["two.xsb"]);
    assert_eq!(result.code, Some(0), "{}", result.err);
    let lines = result.json_lines();
    assert_eq!(json!([lines[0]["action"], lines[0]["replies"][0]["ending"]]), json!(["Right", "unmarked"]));
    let viewed = sandbox.run(&["view", "last", "--store", "runs", "--json"]).json_lines();
    assert_eq!(viewed[1]["replies"][0]["ending"], "unmarked");
    let sandbox = self::sandbox();
    let server = Server::start(Behavior::Gzip);
    for _ in 0..2 {
        server.queue_reply("# analyze\nEasy.\n\n# action\nRight\n");
    }
    let url = server.url();
    let plain =
        ["run", "--store", "runs", "--agent", "model", "--model", "mock", "--base-url", &url, "two.xsb"];
    let result = sandbox.run(&plain);
    assert!(
        result.out.contains("(the body was compressed with gzip, which was not requested)"),
        "{}",
        result.out
    );
}
