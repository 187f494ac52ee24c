//! `OpenAI` Responses: replies in every shape, failures, and a whole episode.

use super::agent_fixture::{RecordingObserver, agent, ask, request};
use crate::server::{Behavior, Server};
use mageyard_domain::{AgentError, Reply, Usage};
use serde_json::json;

const REPLY: &str = "# analyze\nfür → 🧙 ok\n\n# action\nUp\n";

/// Asks a server with this behavior once; returns the result and the number of requests.
async fn ask_server(behavior: Behavior, stream: bool) -> (Result<Reply, AgentError>, usize) {
    let server = Server::start(behavior);
    for _ in 0..4 {
        server.queue_reply(REPLY);
    }
    let settings = json!({"protocol": "responses", "max_retries": 1, "stream": stream});
    let observer = RecordingObserver::new(request());
    let result = ask(agent(&server.url(), &settings).as_mut(), &request(), &observer).await;
    if let Ok(reply) = &result {
        assert_eq!(observer.text(), reply.text, "what was shown is what was received");
    }
    (result, server.requests().len())
}

#[tokio::test]
async fn replies_are_read_whole_and_in_pieces() {
    for stream in [true, false] {
        for behavior in [Behavior::Normal, Behavior::Reasoning, Behavior::NoUsage, Behavior::CachedUsage] {
            let (reply, requests) = ask_server(behavior, stream).await;
            let reply = reply.unwrap_or_else(|error| panic!("{behavior:?} {stream}: {error}"));
            assert_eq!((reply.text.as_str(), requests), (REPLY, 1), "{behavior:?} {stream}");
            assert!(reply.ending.is_complete() && reply.model.as_deref() == Some("mock-1"), "{behavior:?}");
            let cached = if behavior == Behavior::CachedUsage { 700 } else { 0 };
            let usage = Usage { input: 1200, output: 34, cached, cache_writes: 0 };
            assert_eq!(
                reply.usage,
                (behavior != Behavior::NoUsage).then_some(usage),
                "{behavior:?} {stream}"
            );
            let thought = reply.reasoning.unwrap_or_default().replace("\n\n", "");
            let expected = if behavior == Behavior::Reasoning { "# action\nNowhere" } else { "" };
            assert_eq!(thought.trim_end().replace("\n\n", "\n"), expected, "{behavior:?} {stream}");
        }
    }
}

#[tokio::test]
async fn a_reply_that_is_not_whole_says_how_it_ended() {
    for stream in [true, false] {
        for (behavior, text, name) in [
            (Behavior::Length, REPLY, "cut"),
            (Behavior::Filter, REPLY, "filtered"),
            (Behavior::Refusal, "", "refused"),
            (Behavior::Tool, "", "tool_call"),
        ] {
            let reply = ask_server(behavior, stream).await.0.unwrap();
            assert_eq!(
                (reply.text.as_str(), reply.ending.name()),
                (text, Some(name)),
                "{behavior:?} {stream}"
            );
        }
    }
}

#[tokio::test]
async fn errors_have_a_status_and_are_retried_by_it() {
    for (behavior, tries, says) in [
        (Behavior::Overloaded, 2, "the server returned error 529: Overloaded"),
        (Behavior::Unauthorized, 1, "the server returned error 401: Incorrect API key provided"),
        (Behavior::ErrorMidStream, 2, "the server reported an error 500 within the reply: out of memory"),
        (Behavior::EndsEarly, 2, "interrupted"),
    ] {
        let (result, requests) = ask_server(behavior, true).await;
        let error = result.unwrap_err().to_string();
        assert!(error.contains(says), "{behavior:?}: {error}");
        assert_eq!(requests, tries, "{behavior:?}");
    }
}
