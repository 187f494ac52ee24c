//! `OpenAI` Responses: replies in every shape, failures, and a whole episode.

use super::runs::{args, sandbox};
use crate::server::{Behavior, Server};
use serde_json::{Value, json};

#[test]
fn an_episode_over_responses_is_recorded_replayed_and_exported() {
    let sandbox = sandbox();
    let server = Server::start(Behavior::Normal);
    sandbox.write("work/mageyard.toml", "[model]\nprotocol = \"responses\"\nmax_tokens = 900\n");
    for _ in 0..2 {
        server.queue_reply("# analyze\nEasy.\n\n# action\nRight\n");
    }
    let result = sandbox.run(&args(&server.url(), &["two.xsb"]));
    assert_eq!((result.code, result.err.as_str()), (Some(0), ""), "{result:?}");
    let printed = sandbox.run(&["view", "last#2", "--store", "runs", "--print", "request"]).success();
    let body: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(body, server.requests()[1], "the stored pieces are what was sent");
    assert_eq!(json!([body["max_output_tokens"], body["store"]]), json!([900, false]));
    assert!(body["instructions"].as_str().unwrap().starts_with("You are playing"), "{body}");
    assert_eq!(body["frequency_penalty"], Value::Null);
    let again = sandbox.run(&["run", "--json", "--store", "runs", "--agent", "replay", "--from", "last"]);
    assert_eq!((again.code, again.err.as_str()), (Some(0), ""), "{again:?}");
}
