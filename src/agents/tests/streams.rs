//! Streams as servers and gateways send them, each with its one outcome.

use mageyard_domain::{AgentError, EndpointFailure, Reply, Setting, Treatment};
use serde_json::{Value, json};

use super::agent_fixture::{RecordingObserver, agent, ask, ask_in, request};
use super::raw_server::{RawServer, chunk, good, response, stream};

const REPLY: &str = "# analyze\nok\n\n# action\nUp\n";

/// What becomes of a stream.
#[derive(Debug)]
enum Outcome {
    /// A reply with the whole text and this ending; `None` for a complete one.
    Reply(Option<&'static str>),
    /// The same, with a note that has these words.
    Noted(&'static str),
    /// The try is lost and repeated; the error has these words.
    Lost(&'static str),
    /// The try is not repeated; the error has these words.
    Failed(&'static str),
}

use Outcome::{Failed, Lost, Noted, Reply as Ends};

fn text() -> String {
    chunk(REPLY, &Value::Null)
}

fn end(reason: &str) -> String {
    chunk("", &json!(reason))
}

fn done() -> String {
    "[DONE]".to_owned()
}

/// The text, this event, and a regular end.
fn within(event: &str) -> Vec<String> {
    vec![text(), event.to_owned(), end("stop"), done()]
}

/// The text, and this event as the last one.
fn last(event: &Value) -> Vec<String> {
    vec![text(), event.to_string()]
}

fn ended(reason: &Value) -> Vec<String> {
    vec![text(), chunk("", reason), done()]
}

/// Events that have nothing of the reply.
fn placeholders() -> Vec<(Vec<String>, Outcome)> {
    let skipped = [
        ": OPENROUTER PROCESSING",
        "\"\"",
        "null",
        "keepalive",
        "true",
        "0",
        "ping",
        "[]",
        "[1, 2]",
        "\"waiting\"",
        "<!-- heartbeat -->",
        "[PROCESSING]",
    ];
    let mut all: Vec<_> = skipped
        .map(|event| (within(event), Noted("1 event of the stream was no JSON object and was skipped")))
        .into();
    for event in ["", "{}", r#"{"type": "ping"}"#, r#"{"choices": []}"#, r#"{"error": null}"#] {
        all.push((within(event), Ends(None)));
    }
    all.push((
        vec!["null".into(), ": wait".into(), text(), end("stop"), done()],
        Noted("2 events of the stream were no JSON objects and were skipped; the first begins with \"null\""),
    ));
    all.push((vec![": wait".into(), done()], Failed("it has no choices")));
    all.push((vec![": wait".into()], Lost("before its first character")));
    all.push((
        within(r#"{"choices": [{"delta": {"content": "x}"#),
        Lost("an event of the stream is damaged"),
    ));
    all
}

/// Ends with and without a reason.
fn ends() -> Vec<(Vec<String>, Outcome)> {
    let mut all: Vec<_> = ["stop", "STOP", "eos", "end_turn", "finished", "stop_sequence"]
        .map(|reason| (ended(&json!(reason)), Ends(None)))
        .into();
    all.extend([
        (vec![text(), end("stop")], Ends(None)),
        (ended(&json!("length")), Ends(Some("cut"))),
        (ended(&json!("content_filter")), Ends(Some("filtered"))),
        (ended(&json!("tool_calls")), Ends(Some("unknown"))),
        (ended(&json!("error")), Lost("the server ended it with the reason \"error\"")),
        (ended(&json!("abort")), Lost("reason \"abort\"")),
        (ended(&json!("network_error")), Lost("reason \"network_error\"")),
        (ended(&json!("SOMETHING_NEW")), Lost("reason \"SOMETHING_NEW\"")),
        (ended(&json!({"type": "crash"})), Lost("crash")),
        (ended(&json!(7)), Lost("reason \"7\"")),
        (ended(&Value::Null), Ends(Some("unmarked"))),
        (ended(&json!("")), Ends(Some("unmarked"))),
        (ended(&json!("null")), Ends(Some("unmarked"))),
        (vec![text()], Ends(Some("unmarked"))),
        (vec![chunk("# analyze\nI th", &Value::Null)], Lost("after 14 characters")),
    ]);
    all
}

/// Errors in a chunk or within its choice.
fn errors() -> Vec<(Vec<String>, Outcome)> {
    let choice = |error: Value| json!({"choices": [{"delta": {"content": ""}, "error": error, "finish_reason": "error"}]});
    let stopped = "model runner has unexpectedly stopped";
    vec![
        (last(&json!({"error": stopped})), Lost(stopped)),
        (last(&json!({"error": {"message": stopped}})), Lost(stopped)),
        (last(&json!({"error": {"message": stopped, "code": null}})), Lost(stopped)),
        (last(&json!({"error": {"message": stopped, "code": "backend_died"}})), Lost(stopped)),
        (last(&json!({"error": true})), Lost("true")),
        (vec![json!({"error": stopped}).to_string()], Lost("before its first character")),
        (last(&json!({"error": {"message": "provider", "code": 502}})), Lost("error 502")),
        (last(&json!({"error": {"message": "busy", "type": "overloaded_error"}})), Lost("error 529")),
        (last(&json!({"error": {"message": "slow down", "code": 429}})), Lost("error 429")),
        (last(&choice(json!({"message": "provider", "code": 502}))), Lost("error 502")),
        (last(&choice(json!({"message": stopped}))), Lost(stopped)),
        (last(&choice(json!(stopped))), Lost(stopped)),
        (last(&json!({"choices": [{"delta": {"error": stopped}}]})), Lost(stopped)),
        (last(&json!({"error": {"message": "no key", "code": 401}})), Failed("error 401")),
        (last(&json!({"error": {"message": "bad", "code": 400}})), Failed("error 400")),
        (last(&json!({"error": "This model's maximum context length is 8192 tokens"})), Failed("too long")),
        (last(&json!({"error": {"message": "no money", "code": "insufficient_quota"}})), Failed("quota")),
        (within(r#"{"error": ""}"#), Ends(None)),
        (within(r#"{"error": {}}"#), Ends(None)),
        (within(r#"{"error": false}"#), Ends(None)),
    ]
}

fn check(events: &[String], outcome: &Outcome, found: Result<Reply, AgentError>) {
    match (outcome, found) {
        (Ends(ending), Ok(reply)) => {
            assert_eq!((reply.text.as_str(), reply.ending.name()), (REPLY, *ending), "{events:?}");
            assert!(reply.notes.is_empty(), "{events:?}: {:?}", reply.notes);
        }
        (Noted(says), Ok(reply)) => {
            assert_eq!((reply.text.as_str(), reply.ending.name()), (REPLY, None), "{events:?}");
            assert!(reply.notes.len() == 1 && reply.notes[0].contains(says), "{:?}", reply.notes);
        }
        (Lost(says) | Failed(says), Err(error)) => {
            let treatment = EndpointFailure::of(&error).map(EndpointFailure::treatment);
            assert!(error.to_string().contains(says), "{events:?}: {error}");
            let is_lost = treatment == Some(Treatment::Retry);
            assert_eq!(is_lost, matches!(outcome, Lost(_)), "{events:?}: {error}");
        }
        (outcome, found) => panic!("{events:?}: {outcome:?}, found {found:?}"),
    }
}

#[tokio::test]
async fn every_stream_has_its_one_outcome() {
    let cases: Vec<_> = [placeholders(), ends(), errors()].into_iter().flatten().collect();
    assert!(cases.len() >= 60, "{} streams", cases.len());
    for (events, outcome) in &cases {
        let server = RawServer::start(vec![stream(events)]);
        let observer = RecordingObserver::new(request());
        let settings = json!({"max_retries": 0, "rate_limit_wait": 0});
        let found = ask(agent(&server.url(), &settings).as_mut(), &request(), &observer).await;
        check(events, outcome, found);
    }
}

/// The only reply to these events.
async fn reply_to(events: &[String], settings: &Value) -> Reply {
    let server = RawServer::start(vec![stream(events)]);
    let observer = RecordingObserver::new(request());
    ask(agent(&server.url(), settings).as_mut(), &request(), &observer).await.unwrap()
}

#[tokio::test]
async fn only_reasoning_is_a_kind_of_its_own() {
    let delta = |delta: Value| json!({"choices": [{"delta": delta}]}).to_string();
    let counted = json!({"choices": [], "usage": {
        "prompt_tokens": 9, "completion_tokens": 200, "completion_tokens_details": {"reasoning_tokens": 200},
    }});
    let says = "the model reasoned and wrote nothing; the token limit is 300";
    for events in [
        vec![delta(json!({"reasoning_content": "boxes"})), end("stop"), done()],
        vec![delta(json!({"content": "<think>boxes</think>\n"})), end("stop"), done()],
        vec![end("stop"), counted.to_string(), done()],
        vec![delta(json!({"reasoning": "boxes", "content": " "})), done()],
    ] {
        let reply = reply_to(&events, &json!({"max_tokens": 300, "thoughts": "<think> </think>"})).await;
        assert_eq!(reply.ending.name(), Some("only_reasoning"), "{events:?}");
        assert_eq!(reply.ending.to_string(), says);
        assert!(!reply.ending.is_readable());
    }
    let cut = [delta(json!({"reasoning_content": "boxes"})), end("length"), done()];
    assert_eq!(
        reply_to(&cut, &json!({})).await.ending.name(),
        Some("cut"),
        "the reason for the end is known"
    );
    let empty = [end("stop"), done()];
    assert!(reply_to(&empty, &json!({})).await.ending.is_complete(), "nothing says that it reasoned");
}

#[tokio::test]
async fn what_a_reply_has_and_is_not_used_is_said() {
    let image = json!([{"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}]);
    let delta = |delta: Value| json!({"choices": [{"delta": delta}]}).to_string();
    for (event, note) in [
        (delta(json!({ "images": image })), "the reply has image data, which is not used"),
        (delta(json!({ "content": image })), "the reply has image data, which is not used"),
        (delta(json!({"audio": {"data": "AA=="}})), "the reply has audio data, which is not used"),
        (r#"{"choices": [null]}"#.to_owned(), "a choice of the response is not an object and was ignored"),
        (
            r#"{"choices": [{"delta": {}}, {"delta": {"content": "x"}}]}"#.to_owned(),
            "the response has several choices, of which only the first is used",
        ),
    ] {
        let reply = reply_to(&within(&event), &json!({})).await;
        assert_eq!((reply.text.as_str(), reply.notes.as_slice()), (REPLY, &[note.to_owned()][..]), "{event}");
    }
}

#[tokio::test]
async fn a_success_with_an_error_for_a_wrong_address_stops_the_run_and_says_so() {
    let text = r#"{"error": "Unexpected endpoint or method. (POST /chat/completions)"}"#;
    for body in [text.to_owned(), format!("[{text}]")] {
        let server = RawServer::start(vec![response(200, "content-type: application/json\r\n", &body)]);
        let observer = RecordingObserver::new(request());
        let error = ask(agent(&server.url(), &json!({})).as_mut(), &request(), &observer).await.unwrap_err();
        let class = EndpointFailure::of(&error).unwrap();
        assert_eq!((class.treatment(), server.times().len()), (Treatment::StopRun, 1), "{error}");
        assert!(error.to_string().contains("the base URL of most servers ends in /v1"), "{error}");
    }
}

#[tokio::test]
async fn a_reply_that_the_server_broke_off_is_asked_for_again() {
    let began = chunk("# analyze\nI th", &Value::Null);
    let error = json!({"error": "model runner has unexpectedly stopped"}).to_string();
    for broken in [vec![began.clone(), end("error"), done()], vec![began, error]] {
        let server = RawServer::start(vec![stream(&broken), good(REPLY)]);
        let observer = RecordingObserver::new(request());
        let reply = ask(agent(&server.url(), &json!({})).as_mut(), &request(), &observer).await.unwrap();
        assert_eq!((reply.text.as_str(), server.times().len()), (REPLY, 2));
    }
}

#[tokio::test]
async fn a_list_without_a_marked_end_is_asked_for_again() {
    let unmarked = stream(&[text(), done()]);
    for (setting, requests, ending) in [(Setting::Online, 1, Some("unmarked")), (Setting::Global, 2, None)] {
        let server = RawServer::start(vec![unmarked.clone(), good(REPLY)]);
        let observer = RecordingObserver::new(request());
        let mut agent = agent(&server.url(), &json!({}));
        let reply = ask_in(setting, agent.as_mut(), &request(), &observer).await.unwrap();
        assert_eq!((reply.ending.name(), server.times().len()), (ending, requests), "{setting:?}");
    }
    let server = RawServer::start(vec![unmarked]);
    let observer = RecordingObserver::new(request());
    let mut agent = agent(&server.url(), &json!({"max_retries": 1}));
    let error = ask_in(Setting::Global, agent.as_mut(), &request(), &observer).await.unwrap_err().to_string();
    assert!(error.contains("named no reason for its end, so the list may be incomplete"), "{error}");
    assert_eq!(server.times().len(), 2);
}
