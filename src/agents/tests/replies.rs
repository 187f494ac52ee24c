//! Replies that are cut, refused, mislabeled or damaged: each is kept, marked and counted.

use super::agent_fixture::{RecordingObserver, agent, ask, request};
use crate::server::{Behavior, Server};
use mageyard_domain::{AgentError, Reply};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const REPLY: &str = "# analyze\nfür → 🧙 ok\n\n# action\nUp\n";

/// The reply of a server with this behavior, and what was received while it streamed.
async fn reply(behavior: Behavior, settings: Value) -> (Result<Reply, AgentError>, String) {
    let server = Server::start(behavior);
    server.queue_reply(REPLY);
    let observer = RecordingObserver::new(request());
    let mut settings = settings;
    settings["max_retries"] = json!(0);
    let result = ask(agent(&server.url(), &settings).as_mut(), &request(), &observer).await;
    (result, observer.text())
}

#[tokio::test]
async fn the_first_bytes_tell_a_stream_from_a_body() {
    for (behavior, stream, note) in [
        (Behavior::MislabeledStream, true, None),
        (Behavior::UnaskedStream, false, Some("the server sent a stream that was not requested")),
        (Behavior::UnaskedBody, true, Some("the server sent one body and not the requested stream")),
    ] {
        let (result, received) = reply(behavior, json!({"stream": stream})).await;
        let found = result.unwrap_or_else(|error| panic!("{behavior:?}: {error}"));
        assert_eq!((found.text.as_str(), received.as_str()), (REPLY, REPLY), "{behavior:?}");
        assert_eq!(found.notes, note.into_iter().collect::<Vec<_>>(), "{behavior:?}");
        assert!(found.ending.is_complete());
    }
}

#[tokio::test]
async fn damaged_texts_are_repaired_with_a_note() {
    let lone = "1 character of the reply could not be decoded and was replaced by U+FFFD";
    let nan = "a number of the response is NaN or infinite, which JSON does not have; it was ignored";
    let gzip = "the body was compressed with gzip, which was not requested";
    let replaced = REPLY.replace("# a", "# a\u{FFFD}").replacen("# a\u{FFFD}ction", "# action", 1);
    for (behavior, text, note) in [
        (Behavior::SplitSurrogates, REPLY, None),
        (Behavior::SplitBytes, REPLY, None),
        (Behavior::LoneSurrogate, replaced.as_str(), Some(lone)),
        (Behavior::BadByte, replaced.as_str(), Some(lone)),
        (Behavior::Nan, REPLY, Some(nan)),
        (Behavior::Gzip, REPLY, Some(gzip)),
    ] {
        for stream in [true, false] {
            let (result, received) = reply(behavior, json!({"stream": stream})).await;
            let found = result.unwrap_or_else(|error| panic!("{behavior:?} {stream}: {error}"));
            assert_eq!((found.text.as_str(), received.as_str()), (text, text), "{behavior:?} {stream}");
            assert_eq!(found.notes, note.into_iter().collect::<Vec<_>>(), "{behavior:?} {stream}");
        }
    }
}

#[tokio::test]
async fn a_reply_without_a_final_mark_is_kept_if_it_gives_an_action() {
    let (result, _) = reply(Behavior::Unmarked, json!({})).await;
    let found = result.unwrap();
    let ending = found.ending.to_string();
    assert_eq!((found.text.as_str(), found.ending.name()), (REPLY, Some("unmarked")));
    assert_eq!(ending, "the reply has no final mark: the server closed the connection");
    let began = Instant::now();
    let (result, _) = reply(Behavior::UnmarkedSilence, json!({"timeout": 1})).await;
    let found = result.unwrap();
    assert_eq!(found.ending.to_string(), "the reply has no final mark: the server sent nothing for 1 s");
    assert!((1..5).contains(&began.elapsed().as_secs()), "{:?}", began.elapsed());
    // Half a reply gives no action.
    let (result, _) = reply(Behavior::EndsEarly, json!({})).await;
    assert!(matches!(result, Err(AgentError::ConnectionLost { .. })), "{result:?}");
    let (result, _) = reply(Behavior::StallsMidway, json!({"timeout": 1})).await;
    assert!(matches!(result, Err(AgentError::Timeout { .. })), "{result:?}");
}

#[tokio::test]
async fn silence_after_the_finish_reason_does_not_cost_the_timeout() {
    let began = Instant::now();
    let (result, _) = reply(Behavior::SilentAfterEnd, json!({"timeout": 60})).await;
    let found = result.unwrap();
    assert!(found.ending.is_complete() && found.text == REPLY, "{found:?}");
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
}

#[tokio::test]
async fn a_body_with_a_nan_ends_although_the_connection_stays_open() {
    for stream in [true, false] {
        let began = Instant::now();
        let (result, _) = reply(Behavior::NanHeldOpen, json!({"stream": stream, "timeout": 60})).await;
        let found = result.unwrap_or_else(|error| panic!("{stream}: {error}"));
        assert!(found.ending.is_complete() && found.text == REPLY, "{found:?}");
        assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    }
}

#[tokio::test]
async fn an_unknown_finish_reason_is_an_interruption() {
    for stream in [true, false] {
        let (result, _) = reply(Behavior::OddFinish, json!({"stream": stream})).await;
        let error = result.unwrap_err();
        assert!(matches!(error, AgentError::ConnectionLost { .. }), "{error}");
        assert!(error.to_string().contains("reason \"ran_out_of_ink\""), "{error}");
    }
}
