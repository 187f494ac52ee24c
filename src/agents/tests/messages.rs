//! Anthropic Messages: replies in every shape, failures, headers, and a whole episode.

use super::agent_fixture::{RecordingObserver, agent, ask, request};
use crate::server::{Behavior, Server};
use mageyard_domain::{AgentError, Reply, Usage};
use serde_json::{Value, json};

const REPLY: &str = "# analyze\nfür → 🧙 ok\n\n# action\nUp\n";

/// Asks a server with this behavior once; returns the result and the number of requests.
async fn ask_server(behavior: Behavior, settings: &Value) -> (Result<Reply, AgentError>, usize) {
    let server = Server::start(behavior);
    for _ in 0..4 {
        server.queue_reply(REPLY);
    }
    let mut all = json!({"protocol": "messages", "max_retries": 1});
    all.as_object_mut().unwrap().extend(settings.as_object().unwrap().clone());
    let observer = RecordingObserver::new(request());
    let result = ask(agent(&server.url(), &all).as_mut(), &request(), &observer).await;
    if let Ok(reply) = &result {
        assert_eq!(observer.text(), reply.text, "what was shown is what was received");
    }
    (result, server.requests().len())
}

#[tokio::test]
async fn replies_are_read_whole_and_in_pieces() {
    for stream in [true, false] {
        for behavior in [Behavior::Normal, Behavior::Reasoning, Behavior::NoUsage, Behavior::CachedUsage] {
            let (reply, requests) = ask_server(behavior, &json!({"stream": stream})).await;
            let reply = reply.unwrap_or_else(|error| panic!("{behavior:?} {stream}: {error}"));
            assert_eq!((reply.text.as_str(), requests), (REPLY, 1), "{behavior:?} {stream}");
            assert_eq!(reply.model.as_deref(), Some("mock-1"));
            assert!(reply.ending.is_complete(), "{behavior:?} {stream}");
            let usage = |cached, cache_writes| Some(Usage { input: 1200, output: 34, cached, cache_writes });
            let expected = match behavior {
                Behavior::NoUsage => None,
                Behavior::CachedUsage => usage(700, 300),
                _ => usage(0, 0),
            };
            assert_eq!(reply.usage, expected, "{behavior:?} {stream}");
            let thought = "# action\nNowhere[thinking that the server does not show]\n";
            let thought = (behavior == Behavior::Reasoning).then_some(thought);
            assert_eq!(reply.reasoning.as_deref(), thought, "{behavior:?} {stream}");
        }
    }
}

#[tokio::test]
async fn a_reply_that_is_not_whole_says_how_it_ended() {
    for stream in [true, false] {
        for (behavior, text, name) in [
            (Behavior::Length, REPLY, "cut"),
            (Behavior::Refusal, "", "refused"),
            (Behavior::Tool, "", "tool_call"),
        ] {
            let reply = ask_server(behavior, &json!({"stream": stream})).await.0.unwrap();
            assert_eq!(
                (reply.text.as_str(), reply.ending.name()),
                (text, Some(name)),
                "{behavior:?} {stream}"
            );
        }
    }
    let reply = ask_server(Behavior::Length, &json!({"max_tokens": 34})).await.0.unwrap();
    assert!(reply.ending.to_string().contains("the limit set by model.max_tokens"), "{}", reply.ending);
}

#[tokio::test]
async fn errors_have_the_status_of_their_class_and_are_retried_by_it() {
    for (behavior, tries, says) in [
        (Behavior::Overloaded, 2, "the server returned error 529: Overloaded"),
        (Behavior::Unauthorized, 1, "the server returned error 401: invalid x-api-key"),
        (Behavior::ErrorMidStream, 2, "the server reported an error 529 within the reply: Overloaded"),
        (Behavior::EndsEarly, 2, "interrupted"),
    ] {
        let (result, requests) = ask_server(behavior, &json!({})).await;
        let error = result.unwrap_err().to_string();
        assert!(error.contains(says), "{behavior:?}: {error}");
        assert_eq!(requests, tries, "{behavior:?}");
    }
}
