//! Tests of encoding and decoding requests, and of building replies.

use std::sync::{Arc, Mutex};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::access::Credentials;
use super::decode::{KnownParts, decode};
use super::encode::BodyEncoder;
use super::pool::ModelPool;
use super::preview::PreviewEncoder;
use super::protocol::{ChatCompletions, ModelReader, Protocol};
use super::reply_builder::ReplyBuilder;
use super::request_builder::RequestBuilder;
use super::settings::ModelSettings;
use mageyard_domain::{
    AgentError, AgentEvent, AgentObserver, DecodedPart, DecodedTurn, Digest, Message, MessagePart, Options,
    PartId, Picture, ReplyEnding, RequestEncoder, Role, Segment, SentRequest, Usage,
};

fn settings(more: &Value) -> Arc<ModelSettings> {
    let mut options = Options::from([("name".to_owned(), json!("m"))]);
    options.extend(more.as_object().unwrap().clone());
    ModelSettings::parse(&options).unwrap().into()
}

fn text(text: &str) -> MessagePart {
    MessagePart::Text(Segment::Turn, text.into())
}

fn part(step: u32) -> PartId {
    PartId { step, index: 0 }
}

fn frame(step: u32, shade: u8) -> MessagePart {
    MessagePart::Image(part(step), Arc::new(Picture::new(8, 4, 1, vec![shade; 96]).unwrap()))
}

fn request() -> Vec<Message> {
    let turn = |role, pieces| Message { role, parts: pieces };
    vec![
        turn(Role::System, vec![text("SYSTEM")]),
        turn(Role::User, vec![text("TASK"), frame(1, 9), text("FORMAT")]),
        turn(Role::Assistant, vec![text("out \"1\" é")]),
        turn(Role::User, vec![text("TURN"), frame(2, 9)]),
        turn(Role::Assistant, vec![text("out 2")]),
        turn(Role::User, vec![text("RETRY")]),
    ]
}

#[test]
fn an_encoded_request_decodes_to_the_same_turns() {
    let mut encoder = BodyEncoder::default();
    let request = request();
    let result = encoder.encode(&settings(&json!({})), &request, 0).unwrap();
    for (expected_turn, sent) in request.iter().zip(result.turns()) {
        let parts = expected_turn.parts.iter().map(|part| match part {
            MessagePart::Text(_, text) => DecodedPart::Text(text.to_string()),
            MessagePart::Image(part, _) => DecodedPart::Image(result.digest(*part).unwrap()),
        });
        assert_eq!(*sent, DecodedTurn::new(expected_turn.role, parts));
    }
    let digest = result.digest(part(1)).unwrap();
    assert_eq!((result.sent.images, result.sent.frames.len()), (2, 2), "a blob for each frame");
    assert_eq!(result.sent.frames[0].size, (256, 128));
    let image = json!({"type": "image_url", "image_url": {"url": format!("blob:{digest}")}});
    let expected = json!({
        "messages": [
            {"role": "system", "content": "SYSTEM"},
            {"role": "user", "content": [{"type": "text", "text": "TASK"}, image, {"type": "text", "text": "FORMAT"}]},
            {"role": "assistant", "content": "out \"1\" é"},
            {"role": "user", "content": [{"type": "text", "text": "TURN"}, image]},
            {"role": "assistant", "content": "out 2"},
            {"role": "user", "content": "RETRY"},
        ],
        "model": "m", "temperature": 0.1, "top_p": 0.95, "max_tokens": 4000, "frequency_penalty": 1.0,
        "stream": true, "stream_options": {"include_usage": true},
    });
    assert_eq!(result.sent.to_version_1(), expected);
}

/// The content of each turn of a request without images, encoded with `model.content` set to this.
fn contents(form: &str) -> Vec<Value> {
    let mut request = request();
    request[1].parts = vec![text("TASK"), text("FORMAT")];
    request[3].parts.truncate(1);
    let encoded = BodyEncoder::default().encode(&settings(&json!({"content": form})), &request, 0).unwrap();
    let turns = encoded.sent.turns.iter().map(|turn| serde_json::from_str::<Value>(turn.json()).unwrap());
    turns.map(|mut turn| turn["content"].take()).collect()
}

#[test]
fn a_turn_without_an_image_is_one_string_unless_lists_are_asked_for() {
    let strings = ["SYSTEM", "TASK\n\nFORMAT", "out \"1\" é", "TURN", "out 2", "RETRY"].map(Value::from);
    assert_eq!(contents("auto"), strings);
    assert_eq!(contents("string"), strings);
    let list = |texts: &[&str]| texts.iter().map(|text| json!({"type": "text", "text": text})).collect();
    let lists: [Value; 6] =
        [&["SYSTEM"][..], &["TASK", "FORMAT"], &["out \"1\" é"], &["TURN"], &["out 2"], &["RETRY"]].map(list);
    assert_eq!(contents("parts"), lists);
}

#[test]
fn an_image_in_a_plain_string_is_an_error_that_names_the_setting() {
    let result = BodyEncoder::default().encode(&settings(&json!({"content": "string"})), &request(), 0);
    let error = result.err().unwrap().to_string();
    assert!(error.contains("turn 2 has an image") && error.contains("model.content"), "{error}");
}

#[test]
fn extra_fields_override_and_null_removes_a_field() {
    let extra = r#"{"max_tokens": null, "max_completion_tokens": 9, "temperature": 0.7, "top_k": 40}"#;
    let settings = settings(&json!({"extra": extra, "stream": false}));
    let body = &BodyEncoder::default().encode(&settings, &request(), 0).unwrap().sent.envelope;
    let field = |name: &str| body.get(name).cloned();
    assert_eq!(field("max_tokens"), None);
    assert_eq!(field("max_completion_tokens"), Some(json!(9)));
    assert_eq!((field("temperature"), field("top_k")), (Some(json!(0.7)), Some(json!(40))));
    assert_eq!((field("stream"), field("stream_options")), (Some(json!(false)), None));
}

#[tokio::test]
async fn agents_for_calls_of_one_request_share_its_turns_and_each_has_its_seed() {
    let builder = |extra: &str| {
        let options = [("name", "m"), ("extra", extra)].map(|(name, text)| (name.to_owned(), text.into()));
        RequestBuilder::new(&options.into(), ModelPool::default()).unwrap()
    };
    let calls = builder("{}");
    let request = request();
    let one = calls.seeded(7);
    let other = calls.seeded(8);
    assert!(one.1 && other.1);
    let one = one.0.encode(&request, 0).await.unwrap().sent;
    let other = other.0.encode(&request, 0).await.unwrap().sent;
    assert_eq!([&one, &other].map(|sent| sent.envelope["seed"].clone()), [json!(7), json!(8)]);
    assert!(one.turns.iter().zip(&other.turns).all(|(one, other)| Arc::ptr_eq(one, other)));
    assert!(Arc::ptr_eq(&one.frames[0].bytes, &other.frames[0].bytes));
    let (own, is_seeded) = builder(r#"{"seed": 3}"#).seeded(7);
    let own = own.encode(&request, 0).await.unwrap().sent;
    assert_eq!((own.envelope["seed"].clone(), is_seeded), (json!(3), false));
}

#[test]
fn an_injected_image_is_found() {
    let mut encoder = BodyEncoder::default();
    let result = encoder.encode(&settings(&json!({})), &request(), 0).unwrap();
    let mut body: Value = serde_json::from_slice(&result.bytes).unwrap();
    let url = format!("data:image/png;base64,{}", STANDARD.encode(b"one too many"));
    let parts = body["messages"][3]["content"].as_array_mut().unwrap();
    parts.push(json!({"type": "image_url", "image_url": {"url": url}}));
    let read = decode(&ChatCompletions, &serde_json::to_vec(&body).unwrap(), KnownParts::default()).unwrap();
    assert_eq!(read.images, 3);
    assert_eq!(read.turns[3].decoded.images().nth(1).unwrap(), Digest::of(b"one too many"));
    for (change, says) in [
        (
            json!({"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}),
            "not embedded in the body",
        ),
        (json!({"type": "image_url", "image_url": {"url": "data:image/png;base64,?"}}), "cannot be decoded"),
        (json!({"type": "input_audio"}), "input_audio"),
    ] {
        *body["messages"][3]["content"].as_array_mut().unwrap().last_mut().unwrap() = change;
        let why =
            decode(&ChatCompletions, &serde_json::to_vec(&body).unwrap(), KnownParts::default()).unwrap_err();
        assert!(why.starts_with("turn 4 of the body") && why.contains(says), "{why}");
    }
}

#[test]
fn a_frame_is_encoded_once_and_dropped_when_no_longer_sent() {
    let mut encoder = BodyEncoder::default();
    let settings = settings(&json!({}));
    let mut request = request();
    let first = encoder.encode(&settings, &request, 0).unwrap().sent.frames[0].bytes.clone();
    let retry = encoder.encode(&settings, &request, 0).unwrap().sent.frames[0].bytes.clone();
    assert!(Arc::ptr_eq(&first, &retry));
    request[1].parts[1] = frame(1, 200);
    let changed = encoder.encode(&settings, &request, 0).unwrap();
    let digests = [1, 2].map(|step| changed.digest(part(step)));
    assert_ne!(digests[0], digests[1], "another picture at the same step is encoded again");
    request.truncate(1);
    assert_eq!(encoder.encode(&settings, &request, 0).unwrap().digest(part(1)), None);
}

/// Records all events.
#[derive(Default)]
struct EventRecorder(Mutex<Vec<AgentEvent>>);

impl AgentObserver for EventRecorder {
    fn verify(&self, _: &[&DecodedTurn], _: &dyn Fn(PartId) -> Option<Digest>) -> Result<(), AgentError> {
        Ok(())
    }

    fn sending(&self, _: &Arc<SentRequest>) -> Result<(), AgentError> {
        Ok(())
    }

    fn failed(&self, _: &AgentError) -> Result<(), AgentError> {
        Ok(())
    }

    fn notify(&self, event: AgentEvent) {
        self.0.lock().unwrap().push(event);
    }
}

fn add_event(
    builder: &mut ReplyBuilder,
    chunk: &Value,
    recorder: &EventRecorder,
) -> Result<(), super::RequestError> {
    ChatCompletions.add_event(builder, &serde_json::from_str(&chunk.to_string()).unwrap(), recorder)
}

fn reply_from(chunks: &[Value], done: bool) -> Result<mageyard_domain::Reply, super::RequestError> {
    let mut builder = ReplyBuilder::new(&Credentials::default(), done);
    chunks.iter().try_for_each(|chunk| add_event(&mut builder, chunk, &EventRecorder::default()))?;
    builder.finish(Some(("model.max_tokens", 77)))
}

#[test]
fn chunks_are_joined_and_reasoning_is_kept_separate() {
    let recorder = EventRecorder::default();
    let mut builder = ReplyBuilder::new(&Credentials::default(), false);
    for chunk in [
        json!({"model": "m-1", "created": 1.5, "choices": [{"delta": {"role": "assistant", "reasoning_content": "# action"}}]}),
        json!({"choices": [{"delta": {"content": "# ac"}}], "usage": null}),
        json!({"choices": [{"delta": {"content": "tion\nUp"}, "finish_reason": "stop"}]}),
        json!({"choices": [], "usage": {
            "prompt_tokens": 5, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 3},
        }}),
    ] {
        add_event(&mut builder, &chunk, &recorder).unwrap();
    }
    let reply = builder.finish(None).unwrap();
    assert_eq!((reply.text.as_str(), reply.reasoning.as_deref()), ("# action\nUp", Some("# action")));
    let usage = Usage { input: 5, output: 7, cached: 3, cache_writes: 0 };
    assert_eq!(reply.usage, Some(usage));
    assert_eq!(reply.model.as_deref(), Some("m-1"));
    let events = recorder.0.lock().unwrap();
    let expected = [
        AgentEvent::ReasoningReceived("# action".into()),
        AgentEvent::TextReceived("# ac".into()),
        AgentEvent::TextReceived("tion\nUp".into()),
        AgentEvent::UsageReported(usage),
    ];
    assert_eq!(*events, expected);
}

#[test]
fn every_failed_finish_has_its_own_error() {
    let end = |finish: &str| json!({"choices": [{"delta": {"content": "words"}, "finish_reason": finish}]});
    let one = |part: Value| vec![json!({"choices": [{"message": part, "finish_reason": "stop"}]})];
    let cases: Vec<(Vec<Value>, bool, &str, bool)> = vec![
        (vec![end("abort")], true, "after 5 characters: the server ended it with the reason \"abort\"", true),
        (vec![end("odd\u{1b}[1m")], true, "the reason \"odd", true),
        (vec![json!({"choices": []})], true, "has no choices", false),
        (
            vec![json!({"choices": [{"delta": {"content": "wor"}}]})],
            false,
            "the reply was interrupted after 3 characters: the server closed the connection; retry",
            true,
        ),
        (
            vec![json!({"choices": [{"delta": {"reasoning": "w"}}]})],
            false,
            "after 1 character of reasoning",
            true,
        ),
        (vec![], false, "the reply was interrupted before its first character", true),
        (
            vec![json!({"error": {"message": "busy", "code": 503}})],
            true,
            "the server reported an error 503 within the reply: busy",
            true,
        ),
        (
            vec![json!({"error": {"message": "no", "code": "400"}})],
            true,
            "reported an error 400 within the reply: no",
            false,
        ),
        (
            vec![json!({"error": "\u{1b}[31mred"})],
            true,
            "the reply was interrupted before its first character: ␛[31mred",
            true,
        ),
        (one(json!({"content": "x".repeat(5 << 20)})), true, "longer than 4 MiB", false),
    ];
    for (chunks, done, says, retry) in cases {
        let error = reply_from(&chunks, done).unwrap_err();
        assert!(error.error.to_string().contains(says), "{says:?} is not in {}", error.error);
        assert_eq!(error.is_retryable(), retry, "{says}");
    }
    assert_eq!(reply_from(&[json!({"choices": [{"delta": {"content": "all"}}]})], true).unwrap().text, "all");
    assert_eq!(reply_from(&[end("stop")], false).unwrap().text, "words");
    assert_eq!(
        reply_from(&one(json!({"content": [{"type": "text", "text": "part"}]})), true).unwrap().text,
        "part"
    );
}

#[test]
fn a_failed_reply_keeps_what_was_received() {
    let end =
        |finish: &str| vec![json!({"choices": [{"delta": {"content": "words"}, "finish_reason": finish}]})];
    let one = |part: Value| vec![json!({"choices": [{"message": part, "finish_reason": "stop"}]})];
    let cut = "at 77 tokens, the limit set by model.max_tokens; raise it for longer replies";
    let tool = |name: &str| ReplyEnding::ToolCall { name: name.into() };
    for (chunks, text, ending) in [
        (end("length"), "words", ReplyEnding::Cut { why: cut.into() }),
        (end("content_filter"), "words", ReplyEnding::Filtered),
        (end("eos"), "words", ReplyEnding::Complete),
        (end("tool_calls"), "words", ReplyEnding::Unknown { reason: "tool_calls".into() }),
        (
            one(json!({"refusal": "No.", "content": "So."})),
            "So.",
            ReplyEnding::Refused { message: "No.".into() },
        ),
        (one(json!({"tool_calls": [{"function": {"name": "click"}}]})), "", tool("click")),
        (one(json!({"function_call": {"name": "old"}, "content": "x"})), "x", tool("old")),
    ] {
        let reply = reply_from(&chunks, true).unwrap();
        assert_eq!((reply.text.as_str(), reply.ending), (text, ending));
    }
}

#[test]
fn a_cutoff_names_the_limit_and_its_setting() {
    let cut = |more: Value, used: Option<u64>| {
        mageyard_domain::Cutoff { requested: settings(&more).token_limit(), used }.to_string()
    };
    for (more, used, says) in [
        (json!({}), None, "at 4000 tokens, the limit set by model.max_tokens"),
        (json!({"max_tokens": 9}), Some(9), "at 9 tokens, the limit set by model.max_tokens"),
        (
            json!({"max_tokens": 9}),
            Some(8),
            "after 8 tokens, below model.max_tokens = 9: the server has its own limit",
        ),
        (
            json!({"extra": r#"{"max_tokens": 7}"#}),
            None,
            "at 7 tokens, the limit set by max_tokens in model.extra",
        ),
        (
            json!({"extra": r#"{"max_tokens": null, "max_completion_tokens": 5}"#}),
            Some(5),
            "at 5 tokens, the limit set by max_completion_tokens in model.extra",
        ),
        (
            json!({"extra": r#"{"max_tokens": null}"#}),
            Some(5),
            "after 5 tokens: the server has its own limit",
        ),
        (json!({"extra": r#"{"max_tokens": null}"#}), None, "at a token limit: the server has its own limit"),
    ] {
        let words = cut(more.clone(), used);
        assert!(words.starts_with(says), "{more} {used:?}: {words}");
    }
}

#[test]
fn a_preview_has_the_marks_of_the_request_that_is_sent() {
    let settings = settings(&json!({"protocol": "messages", "cache": "on", "key_variable": ""}));
    let preview = PreviewEncoder::new(settings.clone());
    for (stable, marked) in [(0, vec![0]), (2, vec![0, 1]), (4, vec![0, 3])] {
        let shown = RequestEncoder::encode(&preview, &request(), stable).unwrap();
        let sent = BodyEncoder::default().encode(&settings, &request(), stable).unwrap().sent;
        let json = |request: &SentRequest| {
            request.turns.iter().map(|turn| turn.json().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(json(&shown), json(&sent));
        let turns = shown.read_turns(&ModelReader).into_iter().enumerate();
        let found: Vec<usize> = turns.filter(|(_, turn)| turn.cache_mark).map(|(index, _)| index).collect();
        assert_eq!(found, marked);
    }
    assert!(preview.asks_for_caching());
}
