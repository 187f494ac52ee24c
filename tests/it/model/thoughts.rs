//! Thoughts in the text of a reply: set apart, shown, kept exactly, and never read for actions.

use super::runs::{args, sandbox};
use crate::sandbox::Sandbox;
use crate::server::{Behavior, Server, THOUGHT};
use serde_json::{Value, json};

const RIGHT: &str = "# analyze\nEasy.\n\n# action\nRight\n";

/// Plays an episode of two steps with thoughts; returns the outputs in its second request.
fn outputs(sandbox: &Sandbox, server: &Server) -> Vec<String> {
    for _ in 0..2 {
        server.queue_reply(RIGHT);
    }
    let result = sandbox.run(&args(&server.url(), &["two.xsb"]));
    assert_eq!(result.code, Some(0), "{}", result.err);
    let lines = result.json_lines();
    assert_eq!(json!([lines[0]["action"], lines[0]["replies"][0]["thoughts"]]), json!(["Right", 1]));
    let requests = server.requests();
    let turns = requests[1]["messages"].as_array().unwrap();
    let outputs = turns.iter().filter(|turn| turn["role"] == "assistant");
    outputs.map(|turn| turn["content"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn past_outputs_are_sent_without_their_thoughts() {
    let sandbox = sandbox();
    let server = Server::start(Behavior::Thinking);
    assert_eq!(outputs(&sandbox, &server), [RIGHT]);
    let shown = sandbox.run(&["view", "last#1", "--store", "runs", "--print", "reply"]);
    assert_eq!(shown.out.trim_end(), format!("<think>\n{THOUGHT}</think>\n\n{RIGHT}").trim_end());
    sandbox.run(&["replay", "last", "--store", "runs"]).success();
    let changes =
        sandbox.run(&["reparse", "last", "--store", "runs", "--reader", "strict", "--json"]).json_lines();
    assert_eq!(changes.last().unwrap()["changed_steps"], 0);
}

#[test]
fn past_outputs_can_keep_their_thoughts() {
    let sandbox = sandbox();
    let server = Server::start(Behavior::Thinking);
    sandbox.write("work/mageyard.toml", "[memory]\nthoughts = \"keep\"\n");
    assert_eq!(outputs(&sandbox, &server), [format!("<think>\n{THOUGHT}</think>\n\n{RIGHT}")]);
    sandbox.run(&["replay", "last", "--store", "runs"]).success();
}

#[test]
fn the_reader_of_think_tags_still_gets_them() {
    let sandbox = sandbox();
    let server = Server::start(Behavior::Normal);
    let reply = "<think>Easy.</think><answer>Right</answer>";
    for _ in 0..2 {
        server.queue_reply(reply);
    }
    let result = sandbox.run(&args(&server.url(), &["two.xsb", "--reader", "think"]));
    assert_eq!(result.code, Some(0), "{}", result.err);
    let lines = result.json_lines();
    assert_eq!(json!([lines[0]["action"], lines[0]["replies"][0]["thoughts"]]), json!(["Right", 0]));
    // Recorded with another reader, the thought is set apart, and comes back for this one.
    let server = Server::start(Behavior::Normal);
    for _ in 0..6 {
        server.queue_reply(reply);
    }
    let more = ["two.xsb", "--max-steps", "2"];
    sandbox.run(&args(&server.url(), &more)).success();
    let changes = ["reparse", "last", "--store", "runs", "--reader", "think", "--json"];
    let changes: Vec<Value> = sandbox.run(&changes).json_lines();
    assert_eq!(changes.last().unwrap()["changed_steps"], 2, "{changes:?}");
}

#[test]
fn a_wrong_list_of_delimiters_is_reported_at_its_place() {
    let sandbox = sandbox();
    sandbox.write("work/mageyard.toml", "[model]\nname = \"m\"\nthoughts = \"<think>\"\n");
    sandbox
        .run(&["run", "two.xsb", "--agent", "model"])
        .fails_with(2, &["mageyard.toml:3:", "\"<think>\" is not an opening and a closing delimiter"]);
}
