//! `ask --from-text`: each answer begins with a text, and the server goes on from there.

use super::*;

const START: &str = "# analyze\nI look at the box";

fn from_text(sandbox: &Sandbox, server: &Server, more: &[&str]) -> CommandResult {
    let url = server.url();
    let args =
        ["ask", "last#7", "--models", "mock", "--samples", "2", "--concurrency", "1", "--base-url", &url];
    sandbox.run(&[&args[..], &["--store", "runs", "--json", "--from-text", START], more].concat())
}

#[test]
fn the_server_continues_the_text_and_the_whole_answer_is_read() {
    let (sandbox, journal) = played();
    let bytes = fs::read(&journal).unwrap();
    let server = Server::start(Behavior::Normal);
    server.queue_reply(" above.\n\n# action\nDown\n");
    server.queue_reply(&format!("{START}, once more.\n\n# action\nLeft\n"));
    let result = from_text(&sandbox, &server, &["--target", "Down"]);
    assert_eq!((result.code, result.err.as_str()), (Some(0), ""));
    let objects = result.json_lines();
    assert_eq!(of_type(&objects, "ask")[0]["from_text"], START);
    let replies: Vec<Value> =
        of_type(&objects, "ask_call").iter().map(|call| call["reply"].clone()).collect();
    let expected =
        [format!("{START} above.\n\n# action\nDown\n"), format!("{START}, once more.\n\n# action\nLeft\n")];
    assert_eq!(replies, expected, "a text that the server repeats is not doubled");
    assert_eq!(of_type(&objects, "ask_variant")[0]["target"]["count"], 1);
    for request in server.requests() {
        let last = request["messages"].as_array().unwrap().last().unwrap().clone();
        assert_eq!((&last["role"], &last["content"]), (&json!("assistant"), &json!(START)));
        let fields = (&request["continue_final_message"], &request["add_generation_prompt"]);
        assert_eq!(fields, (&json!(true), &json!(false)));
    }
    assert_eq!(fs::read(&journal).unwrap(), bytes, "the recording is untouched");
    let text = sandbox.run(&["ask", "last#7", "--show", "--store", "runs"]).success();
    assert!(text.contains("each answer begins with \"# analyze\\nI look at the box\""), "{text}");
    // It is part of the question: without it, other calls are made, and what other servers do not know can be left out.
    let other = from_text(&sandbox, &server, &["--extra", "{\"add_generation_prompt\": null}", "--dry-run"]);
    assert_eq!(of_type(&other.json_lines(), "ask")[0]["calls_left"], 2);
    assert_eq!(server.requests().len(), 2);
}

#[test]
fn a_protocol_without_a_way_is_refused() {
    let (sandbox, _) = played();
    let server = Server::start(Behavior::Normal);
    let refused = from_text(&sandbox, &server, &["--set", "model.protocol=responses"]);
    refused.fails_with(2, &["no way to continue an answer", "chat and messages"]);
    assert_eq!(server.requests().len(), 0);
}
