//! The tokens that a stream reports count as they are billed.

use mageyard_domain::{AgentEvent, Reply, Usage};
use serde_json::{Value, json};

use super::agent_fixture::{RecordingObserver, agent, ask, request};
use super::raw_server::{RawServer, chunk, stream};

/// The reply to a stream whose chunks have these reports, and the last usage that was notified.
async fn counted(reports: &[Value]) -> (Reply, Option<Usage>) {
    let with_usage = |usage: &Value| json!({"choices": [], "usage": usage}).to_string();
    let mut events = vec![chunk("# analyze\nok\n\n# action\nUp\n", &json!("stop"))];
    events.extend(reports.iter().map(with_usage));
    events.push("[DONE]".to_owned());
    let server = RawServer::start(vec![stream(&events)]);
    let observer = RecordingObserver::new(request());
    let reply = ask(agent(&server.url(), &json!({})).as_mut(), &request(), &observer).await.unwrap();
    let events = observer.events.lock().unwrap();
    let usage = events.iter().rev().find_map(|event| match event {
        AgentEvent::UsageReported(usage) => Some(*usage),
        _ => None,
    });
    (reply, usage)
}

fn usage(input: u64, output: u64) -> Usage {
    Usage { input, output, ..Usage::default() }
}

#[tokio::test]
async fn reasoning_beside_the_output_is_output() {
    let reasoning = json!({"reasoning_tokens": 800});
    let plain = json!({"prompt_tokens": 1000, "completion_tokens": 50, "total_tokens": 1850});
    let mut detailed = plain.clone();
    detailed["completion_tokens_details"] = reasoning;
    for report in [detailed, plain] {
        let (reply, notified) = counted(&[report]).await;
        assert_eq!(reply.usage, Some(usage(1000, 850)));
        assert_eq!(notified, reply.usage, "limits count what is notified");
        assert_eq!(reply.notes, Vec::<String>::new());
    }
}

#[tokio::test]
async fn zeros_after_real_numbers_do_not_replace_them_and_zeros_alone_are_unknown() {
    let real = json!({"prompt_tokens": 100, "completion_tokens": 4});
    let zeros = json!({"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0});
    let (reply, notified) = counted(&[real.clone(), real, zeros.clone()]).await;
    assert_eq!((reply.usage, notified), (Some(usage(100, 4)), Some(usage(100, 4))));
    let (reply, notified) = counted(&[zeros]).await;
    assert_eq!((reply.usage, notified), (None, None), "a request without tokens is not free");
}

#[tokio::test]
async fn a_contradiction_is_unknown_and_said() {
    let report = json!({"prompt_tokens": 1000, "completion_tokens": 50, "total_tokens": 900});
    let (reply, _) = counted(&[report]).await;
    assert_eq!(reply.usage, None);
    let [note] = reply.notes.as_slice() else { panic!("{:?}", reply.notes) };
    assert!(note.contains("contradict each other") && note.contains("total 900"), "{note}");
}
