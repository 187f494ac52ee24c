//! The form in which the turns of a request are written, over complete episodes.

use serde_json::Value;

use super::runs::{args, sandbox};
use crate::sandbox::{CommandResult, Sandbox};
use crate::server::{Behavior, Server};

/// Steps of a request without images, whose turns are made of several texts.
const TEXTS: &[&str] = &["lost.xsb", "--prompt", "HD-CoT-NoIMG", "--max-steps", "3"];

fn run(sandbox: &Sandbox, server: &Server, more: &[&str]) -> CommandResult {
    sandbox.run(&args(&server.url(), more))
}

/// The contents of all turns that the server received.
fn contents(server: &Server) -> Vec<Value> {
    let turns = server.requests().into_iter().flat_map(|body| body["messages"].as_array().unwrap().clone());
    turns.map(|turn| turn["content"].clone()).collect()
}

#[test]
fn a_server_without_lists_gets_every_text_as_a_string() {
    let sandbox = sandbox();
    let server = Server::start(Behavior::StringsOnly);
    sandbox.write("work/mageyard.toml", "[model]\nsystem_role = false\n");
    let result = run(&sandbox, &server, TEXTS);
    assert_eq!((result.code, server.requests().len()), (Some(0), 3), "{}", result.err);
    assert!(contents(&server).iter().all(Value::is_string));
    let replayed = sandbox.run(&["replay", "last", "--json", "--store", "runs"]).json_lines();
    assert_eq!(replayed[0]["identical"], true);
}

#[test]
fn a_turn_outside_om_is_a_string_and_one_with_an_image_a_list() {
    let sandbox = sandbox();
    let server = Server::start(Behavior::Normal);
    let result = run(&sandbox, &server, &["lost.xsb", "--max-steps", "3", "--am", "2", "--om", "1"]);
    assert_eq!(result.code, Some(0), "{}", result.err);
    let contents = contents(&server);
    assert_eq!(contents.iter().filter(|content| content.is_array()).count(), 3);
    for content in contents {
        let has_image = content.to_string().contains("image_url");
        assert_eq!(content.is_array(), has_image, "{content}");
    }
}

#[test]
fn a_server_without_strings_gets_lists() {
    let sandbox = sandbox();
    let server = Server::start(Behavior::ListsOnly);
    let refused = run(&sandbox, &server, TEXTS);
    refused.fails_with(1, &["400", "valid list"]);
    sandbox.write("work/mageyard.toml", "[model]\ncontent = \"parts\"\n");
    let result = run(&sandbox, &server, TEXTS);
    assert_eq!(result.code, Some(0), "{}", result.err);
    assert!(contents(&server)[2..].iter().all(Value::is_array));
    let replayed = sandbox.run(&["replay", "last", "--json", "--store", "runs"]).json_lines();
    assert_eq!(replayed[0]["identical"], true);
}

#[test]
fn an_image_is_never_sent_as_a_string() {
    let sandbox = sandbox();
    let server = Server::start(Behavior::Normal);
    sandbox.write("work/mageyard.toml", "[model]\ncontent = \"string\"\n");
    let result = run(&sandbox, &server, &["lost.xsb"]);
    result.fails_with(1, &["turn 2 has an image", "model.content", "HD-CoT-NoIMG"]);
    assert_eq!(server.requests().len(), 0);
    assert_eq!(run(&sandbox, &server, TEXTS).code, Some(0));
}

#[test]
fn the_journal_keeps_the_segment_of_each_text_in_a_string() {
    let sandbox = sandbox();
    let server = Server::start(Behavior::Normal);
    assert_eq!(run(&sandbox, &server, TEXTS).code, Some(0));
    let journal = sandbox.sessions("work/runs").remove(0).join("0001/journal.jsonl");
    let text = std::fs::read_to_string(journal).unwrap();
    let sent = text.lines().find(|line| line.contains("\"event\":\"sent\"")).unwrap();
    let sent: Value = serde_json::from_str(sent).unwrap();
    let turn = &sent["new_turns"][1];
    let content = turn["json"]["content"].as_str().unwrap();
    let mut rest = content;
    let mut names = Vec::new();
    for part in turn["outline"].as_array().unwrap() {
        let name = part.get(0).unwrap_or(part).as_str().unwrap();
        names.push(name);
        if let Some(length) = part.get(1).and_then(Value::as_u64) {
            rest = rest[usize::try_from(length).unwrap()..].strip_prefix("\n\n").unwrap();
        }
    }
    assert_eq!(names, ["task", "board", "cot", "io"]);
    assert!(content.ends_with(rest) && rest.contains("# action"), "{rest}");
}
