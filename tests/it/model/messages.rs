//! Anthropic Messages: replies in every shape, failures, headers, and a whole episode.

use super::runs::{args, sandbox};
use crate::server::{Behavior, Server};
use serde_json::{Value, json};

#[test]
fn an_episode_over_messages_is_recorded_replayed_and_exported() {
    let sandbox = sandbox().with("ANTHROPIC_API_KEY", "sk-ant-0123").with("OPENAI_API_KEY", "sk-other-0123");
    let server = Server::start(Behavior::CachedUsage);
    sandbox.write("work/mageyard.toml", "[model]\nprotocol = \"messages\"\ncache = \"on\"\n");
    for _ in 0..2 {
        server.queue_reply("# analyze\nEasy.\n\n# action\nRight\n");
    }
    let result = sandbox.run(&args(&server.url(), &["two.xsb"]));
    assert_eq!((result.code, result.err.as_str()), (Some(0), ""), "{result:?}");
    assert_eq!(server.keys(), ["sk-ant-0123", "sk-ant-0123"], "the key of this protocol, and no other");
    let episode = result.json_lines().pop().unwrap();
    assert_eq!(
        json!([episode["tokens_in"], episode["tokens_cached"], episode["tokens_cache_writes"]]),
        json!([2400, 1400, 600])
    );
    let print = |what| sandbox.run(&["view", "last#2", "--store", "runs", "--print", what]).success();
    let body: Value = serde_json::from_str(&print("request")).unwrap();
    assert_eq!(body, server.requests()[1], "the stored pieces are what was sent");
    let marked = json!({"type": "ephemeral"});
    assert_eq!(body["system"][0]["cache_control"], marked);
    assert_eq!(body["messages"].as_array().unwrap().len(), 3);
    let curl = print("curl");
    assert!(curl.contains("-H \"x-api-key: $ANTHROPIC_API_KEY\""), "{curl}");
    assert!(curl.contains("anthropic-version: 2023-06-01"), "{curl}");
    sandbox.run(&["log", "check", "--store", "runs"]).success();
    let again = sandbox.run(&["run", "--json", "--store", "runs", "--agent", "replay", "--from", "last"]);
    assert_eq!((again.code, again.err.as_str()), (Some(0), ""), "{again:?}");
    assert_eq!(server.requests().len(), 2, "a replay sends nothing");
}
