//! Thoughts in the text of a reply: set apart, shown, kept exactly, and never read for actions.

use mageyard::domain::AgentEvent;
use serde_json::{Value, json};

use super::agent_fixture::{RecordingObserver, agent, ask, request};
use super::runs::{args, sandbox};
use crate::sandbox::Sandbox;
use crate::server::{Behavior, Server, THOUGHT};

const REPLY: &str = "# analyze\nI walk.\n\n# action\nUp\n";
const RIGHT: &str = "# analyze\nEasy.\n\n# action\nRight\n";

#[tokio::test]
async fn thoughts_are_set_apart_while_they_stream() {
    for stream in [true, false] {
        for behavior in [Behavior::Thinking, Behavior::ThinkingUnopened] {
            let server = Server::start(behavior);
            server.queue_reply(REPLY);
            let observer = RecordingObserver::new(request());
            let settings = json!({"stream": stream, "thoughts": "<think> </think>"});
            let reply = ask(agent(&server.url(), &settings).as_mut(), &request(), &observer).await.unwrap();
            assert_eq!(reply.text, REPLY, "{behavior:?} {stream}");
            assert!(reply.ending.is_complete() && reply.reasoning.is_none());
            assert_eq!(reply.thoughts.len(), 1);
            assert_eq!(reply.thoughts[0].text.trim(), THOUGHT.trim());
            let open = if behavior == Behavior::Thinking { "<think>\n" } else { "" };
            assert_eq!(reply.content(), format!("{open}{THOUGHT}</think>\n\n{REPLY}"));
            let mut text = String::new();
            let mut reasoning = String::new();
            for event in observer.events.lock().unwrap().iter() {
                match event {
                    AgentEvent::TextReceived(new) => text.push_str(new),
                    AgentEvent::ReasoningReceived(new) => reasoning.push_str(new),
                    AgentEvent::TextWasReasoning { bytes } => {
                        reasoning.push_str(&text.split_off(text.len() - bytes));
                    }
                    _ => {}
                }
            }
            assert_eq!((text.as_str(), reasoning.trim()), (REPLY, THOUGHT.trim()), "{behavior:?} {stream}");
        }
    }
}

#[tokio::test]
async fn an_unclosed_thought_is_a_cut_reply() {
    let server = Server::start(Behavior::ThinkingUnclosed);
    server.queue_reply(REPLY);
    let observer = RecordingObserver::new(request());
    let settings = json!({"thoughts": "<think> </think>"});
    let reply = ask(agent(&server.url(), &settings).as_mut(), &request(), &observer).await.unwrap();
    assert_eq!((reply.text.as_str(), reply.ending.name()), ("", Some("cut")));
    assert_eq!(
        reply.ending.to_string(),
        "the reply was truncated within its reasoning: <think> is not closed"
    );
    assert!(reply.content().ends_with(REPLY));
}

#[tokio::test]
async fn without_delimiters_the_text_is_as_it_came() {
    let server = Server::start(Behavior::Thinking);
    server.queue_reply(REPLY);
    let observer = RecordingObserver::new(request());
    let reply = ask(agent(&server.url(), &json!({"thoughts": ""})).as_mut(), &request(), &observer).await;
    let reply = reply.unwrap();
    assert_eq!((reply.text, reply.thoughts), (format!("<think>\n{THOUGHT}</think>\n\n{REPLY}"), vec![]));
}

#[tokio::test]
async fn thinking_parts_of_a_content_list_are_reasoning() {
    for stream in [true, false] {
        let server = Server::start(Behavior::ThinkingParts);
        server.queue_reply(REPLY);
        let observer = RecordingObserver::new(request());
        let settings = json!({"stream": stream});
        let reply = ask(agent(&server.url(), &settings).as_mut(), &request(), &observer).await.unwrap();
        assert_eq!((reply.text.as_str(), reply.reasoning.as_deref()), (REPLY, Some(THOUGHT)), "{stream}");
    }
}

/// Plays an episode of two steps with thoughts; returns the outputs in its second request.
fn outputs(sandbox: &Sandbox, server: &Server) -> Vec<String> {
    (0..2).for_each(|_| server.queue_reply(RIGHT));
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
    (0..2).for_each(|_| server.queue_reply(reply));
    let result = sandbox.run(&args(&server.url(), &["two.xsb", "--reader", "think"]));
    assert_eq!(result.code, Some(0), "{}", result.err);
    let lines = result.json_lines();
    assert_eq!(json!([lines[0]["action"], lines[0]["replies"][0]["thoughts"]]), json!(["Right", 0]));
    // Recorded with another reader, the thought is set apart, and comes back for this one.
    let server = Server::start(Behavior::Normal);
    (0..6).for_each(|_| server.queue_reply(reply));
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
