//! The adapter against itself: what is packed is read back, and what was smuggled in is seen.

use std::sync::Arc;
use std::sync::Mutex;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use serde_json::json;

use super::Wire;
use super::decode::decode;
use super::draft::Draft;
use super::encode::Encoder;
use super::key::Secret;
use super::settings::Settings;
use super::trouble::Again;
use crate::domain::AgentError;
use crate::domain::Digest;
use crate::domain::Line;
use crate::domain::Message;
use crate::domain::News;
use crate::domain::Options;
use crate::domain::Picture;
use crate::domain::Piece;
use crate::domain::Role;
use crate::domain::Segment;
use crate::domain::SentTurn;
use crate::domain::Usage;

fn settings(more: &Value) -> Settings {
    let mut options = Options::from([("name".to_owned(), json!("m"))]);
    options.extend(more.as_object().unwrap().clone());
    Settings::read(&options).unwrap()
}

fn text(text: &str) -> Piece {
    Piece::Text(Segment::Turn, text.into())
}

fn frame(step: u32, shade: u8) -> Piece {
    Piece::Frame(step, Arc::new(Picture::new(8, 4, 1, vec![shade; 96]).unwrap()))
}

fn request() -> Vec<Message> {
    let turn = |role, pieces| Message { role, pieces };
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
fn what_is_packed_is_read_back() {
    let mut encoder = Encoder::default();
    let request = request();
    let packed = encoder.pack(&settings(&json!({})), &request).unwrap();
    for (due, sent) in request.iter().zip(&packed.turns) {
        assert_eq!((due.role, due.text()), (sent.role, sent.text.clone()));
        let pictures: Vec<Digest> = due.frames().filter_map(|(step, _)| encoder.digest(step)).collect();
        assert_eq!(pictures, sent.pictures);
    }
    let digest = encoder.digest(1).unwrap();
    assert_eq!((packed.sent.images, packed.sent.pictures.len()), (2, 2), "a picture for each frame");
    assert_eq!(packed.sent.pictures[0].size, (256, 128));
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
    assert_eq!(packed.sent.body, expected);
}

#[test]
fn further_fields_win_and_null_leaves_one_out() {
    let extra = r#"{"max_tokens": null, "max_completion_tokens": 9, "temperature": 0.7, "top_k": 40}"#;
    let settings = settings(&json!({"extra": extra, "stream": false}));
    let body = Encoder::default().pack(&settings, &request()).unwrap().sent.body;
    let field = |name: &str| body.get(name).cloned();
    assert_eq!(field("max_tokens"), None);
    assert_eq!(field("max_completion_tokens"), Some(json!(9)));
    assert_eq!((field("temperature"), field("top_k")), (Some(json!(0.7)), Some(json!(40))));
    assert_eq!((field("stream"), field("stream_options")), (Some(json!(false)), None));
}

#[test]
fn an_image_that_was_smuggled_in_is_read_back() {
    let mut encoder = Encoder::default();
    let packed = encoder.pack(&settings(&json!({})), &request()).unwrap();
    let mut body: Value = serde_json::from_slice(&packed.bytes).unwrap();
    let url = format!("data:image/png;base64,{}", STANDARD.encode(b"one too many"));
    let parts = body["messages"][3]["content"].as_array_mut().unwrap();
    parts.push(json!({"type": "image_url", "image_url": {"url": url}}));
    let read = decode(&serde_json::to_vec(&body).unwrap()).unwrap();
    assert_eq!(read.images, 3);
    assert_eq!(read.turns[3].pictures[1], Digest::of(b"one too many"));
    for (change, says) in [
        (
            json!({"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}),
            "no picture in the body",
        ),
        (json!({"type": "image_url", "image_url": {"url": "data:image/png;base64,?"}}), "cannot be read"),
        (json!({"type": "input_audio"}), "input_audio"),
    ] {
        *body["messages"][3]["content"].as_array_mut().unwrap().last_mut().unwrap() = change;
        let why = decode(&serde_json::to_vec(&body).unwrap()).unwrap_err();
        assert!(why.starts_with("turn 4 of the body") && why.contains(says), "{why}");
    }
}

#[test]
fn a_frame_is_packed_once_and_forgotten_when_it_is_shown_no_more() {
    let (mut encoder, settings) = (Encoder::default(), settings(&json!({})));
    let mut request = request();
    let first = encoder.pack(&settings, &request).unwrap().sent.pictures[0].bytes.clone();
    let again = encoder.pack(&settings, &request).unwrap().sent.pictures[0].bytes.clone();
    assert!(Arc::ptr_eq(&first, &again));
    request[1].pieces[1] = frame(1, 200);
    encoder.pack(&settings, &request).unwrap();
    assert_ne!(encoder.digest(1), encoder.digest(2), "another picture at the same step is packed anew");
    request.truncate(1);
    encoder.pack(&settings, &request).unwrap();
    assert_eq!(encoder.digest(1), None);
}

/// Keeps what it is told.
#[derive(Default)]
struct Ear(Mutex<Vec<News>>);

impl Line for Ear {
    fn prove(&self, _: &[SentTurn], _: &dyn Fn(u32) -> Option<Digest>) -> Result<(), AgentError> {
        Ok(())
    }

    fn tell(&self, news: News) {
        self.0.lock().unwrap().push(news);
    }
}

fn drafted(chunks: &[Value], done: bool) -> Result<crate::domain::Reply, super::Trouble> {
    let mut draft = Draft::new(&Secret::of(&Wire::default(), ""), done);
    chunks.iter().try_for_each(|chunk| draft.take(chunk, &Ear::default()))?;
    draft.finish(Some(("model.max_tokens", 77)))
}

#[test]
fn chunks_add_up_and_reasoning_stays_apart() {
    let ear = Ear::default();
    let mut draft = Draft::new(&Secret::of(&Wire::default(), ""), false);
    for chunk in [
        json!({"model": "m-1", "created": 1.5, "choices": [{"delta": {"role": "assistant", "reasoning_content": "# action"}}]}),
        json!({"choices": [{"delta": {"content": "# ac"}}], "usage": null}),
        json!({"choices": [{"delta": {"content": "tion\nUp"}, "finish_reason": "stop"}]}),
        json!({"choices": [], "usage": {
            "prompt_tokens": 5, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 3},
        }}),
    ] {
        draft.take(&chunk, &ear).unwrap();
    }
    let reply = draft.finish(None).unwrap();
    assert_eq!((reply.text.as_str(), reply.reasoning.as_deref()), ("# action\nUp", Some("# action")));
    let usage = Usage { input: 5, output: 7, cached: 3 };
    assert_eq!(reply.usage, Some(usage));
    assert_eq!(reply.model.as_deref(), Some("m-1"));
    let told = ear.0.lock().unwrap();
    let expected = [
        News::Reasoning("# action".into()),
        News::Text("# ac".into()),
        News::Text("tion\nUp".into()),
        News::Used(usage),
    ];
    assert_eq!(*told, expected);
}

#[test]
fn every_other_end_has_its_own_name() {
    let end = |finish: &str| json!({"choices": [{"delta": {"content": "words"}, "finish_reason": finish}]});
    let one = |part: Value| vec![json!({"choices": [{"message": part, "finish_reason": "stop"}]})];
    let cases: Vec<(Vec<Value>, bool, &str, Again)> = vec![
        (
            vec![end("length")],
            true,
            "cut at 77 tokens, the limit that model.max_tokens sets; a higher one",
            Again::Never,
        ),
        (
            vec![end("content_filter")],
            true,
            "the server's content filter, not the model, stopped the reply after 5 characters",
            Again::Never,
        ),
        (vec![end("abort")], true, "gave up in the middle", Again::Never),
        (one(json!({"refusal": "No."})), true, "the model declined: No.", Again::Never),
        (
            one(json!({"tool_calls": [{"function": {"name": "click"}}]})),
            true,
            "called the tool \"click\"",
            Again::Never,
        ),
        (one(json!({"function_call": {"name": "old"}})), true, "called the tool \"old\"", Again::Never),
        (vec![json!({"choices": []})], true, "empty list of choices", Again::Never),
        (
            vec![json!({"choices": [{"delta": {"content": "wor"}}]})],
            false,
            "the reply broke off after 3 characters: the server closed the connection; ask again",
            Again::Soon,
        ),
        (
            vec![json!({"choices": [{"delta": {"reasoning": "w"}}]})],
            false,
            "after 1 character of reasoning",
            Again::Soon,
        ),
        (vec![], false, "the reply broke off before its first word", Again::Soon),
        (
            vec![json!({"error": {"message": "busy", "code": 503}})],
            true,
            "refused with 503: busy",
            Again::Soon,
        ),
        (
            vec![json!({"error": {"message": "no", "code": "400"}})],
            true,
            "refused with 400: no",
            Again::Never,
        ),
        (vec![json!({"error": "\u{1b}[31mred"})], true, "refused with 200: ␛[31mred", Again::Never),
        (one(json!({"content": "x".repeat(5 << 20)})), true, "longer than 4 MiB", Again::Never),
    ];
    for (chunks, done, says, again) in cases {
        let trouble = drafted(&chunks, done).unwrap_err();
        assert!(trouble.error.to_string().contains(says), "{says:?} is not in {}", trouble.error);
        assert_eq!(trouble.again, again, "{says}");
    }
    assert_eq!(drafted(&[json!({"choices": [{"delta": {"content": "all"}}]})], true).unwrap().text, "all");
    assert_eq!(drafted(&[end("stop")], false).unwrap().text, "words");
    assert_eq!(
        drafted(&one(json!({"content": [{"type": "text", "text": "part"}]})), true).unwrap().text,
        "part"
    );
}

#[test]
fn a_cut_names_the_limit_that_was_set_and_where() {
    let cut = |more: Value, used: Option<u64>| {
        crate::domain::Cutoff { asked: settings(&more).limit(), used }.to_string()
    };
    for (more, used, says) in [
        (json!({}), None, "at 4000 tokens, the limit that model.max_tokens sets"),
        (json!({"max_tokens": 9}), Some(9), "at 9 tokens, the limit that model.max_tokens sets"),
        (
            json!({"max_tokens": 9}),
            Some(8),
            "after 8 tokens, below model.max_tokens = 9: the server has a limit",
        ),
        (
            json!({"extra": r#"{"max_tokens": 7}"#}),
            None,
            "at 7 tokens, the limit that max_tokens in model.extra sets",
        ),
        (
            json!({"extra": r#"{"max_tokens": null, "max_completion_tokens": 5}"#}),
            Some(5),
            "at 5 tokens, the limit that max_completion_tokens in model.extra sets",
        ),
        (
            json!({"extra": r#"{"max_tokens": null}"#}),
            Some(5),
            "after 5 tokens: the server has a limit of its own",
        ),
        (json!({"extra": r#"{"max_tokens": null}"#}), None, "at a limit of tokens: the server has a limit"),
    ] {
        let words = cut(more.clone(), used);
        assert!(words.starts_with(says), "{more} {used:?}: {words}");
    }
}
