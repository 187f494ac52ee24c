//! Thoughts in the text of a reply: set apart, shown, kept exactly, and never read for actions.

use super::agent_fixture::{RecordingObserver, agent, ask, request};
use crate::server::{Behavior, Server, THOUGHT};
use mageyard_domain::AgentEvent;
use serde_json::json;

const REPLY: &str = "# analyze\nI walk.\n\n# action\nUp\n";

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
