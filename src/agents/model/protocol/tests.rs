//! Tests of all protocols: what is sent is read back from the bytes, stored, and put together again.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::super::decode::{DecodedBody, KnownParts, decode};
use super::super::encode::{BodyEncoder, EncodedRequest};
use super::super::raw_body::ReadEnvelope;
use super::super::settings::ModelSettings;
use super::{ChatCompletions, ModelReader, PROTOCOLS, Protocol};
use mageyard_domain::{
    DecodedPart, DecodedTurn, Message, MessagePart, Options, PartId, Picture, RequestReader, Role, Segment,
    TurnPart,
};

fn settings(protocol: &str, more: &Value) -> Arc<ModelSettings> {
    let mut options = Options::from([("name".into(), json!("m")), ("protocol".into(), json!(protocol))]);
    options.extend(more.as_object().unwrap().clone());
    ModelSettings::parse(&options).unwrap().into()
}

fn text(segment: Segment, text: &str) -> MessagePart {
    MessagePart::Text(segment, text.into())
}

fn image(step: u32) -> MessagePart {
    let shade = u8::try_from(step * 20).unwrap();
    MessagePart::Image(PartId { step, index: 0 }, Arc::new(Picture::new(8, 4, 1, vec![shade; 96]).unwrap()))
}

/// A request with this many past outputs, of which the newest `images` steps are shown.
fn request(system: bool, past: u32, images: u32) -> Vec<Message> {
    let message = |role, parts| Message { role, parts };
    let state = |step: u32| {
        let shown = past + 1 - step < images;
        if shown { image(step) } else { text(Segment::Placeholder, "image not available.") }
    };
    let mut messages = Vec::new();
    if system {
        messages.push(message(Role::System, vec![text(Segment::System, "You \"play\" é\u{1b}.")]));
    }
    let first = vec![text(Segment::Task, "TASK"), state(1), text(Segment::Io, "FORMAT")];
    messages.push(message(Role::User, first));
    for step in 1..=past {
        messages.push(message(Role::Assistant, vec![text(Segment::Output, &format!("out {step}"))]));
        messages.push(message(Role::User, vec![text(Segment::Turn, "TURN"), state(step + 1)]));
    }
    messages.push(message(Role::Assistant, vec![text(Segment::Output, "what?")]));
    messages.push(message(Role::User, vec![text(Segment::Retry, "AGAIN")]));
    messages
}

fn requests() -> impl Iterator<Item = Vec<Message>> {
    let windows = (0..6).flat_map(|past| (0..=past + 1).map(move |images| (past, images)));
    windows.flat_map(|(past, images)| [true, false].map(|system| request(system, past, images)))
}

/// The body as the reader writes it, with the images that were sent.
fn body_of(encoded: &EncodedRequest) -> String {
    ModelReader.body(&encoded.sent, &mut |address| {
        let image = encoded.sent.frames.iter().find(|image| format!("blob:{}", image.blob.digest) == address);
        let image = image.unwrap();
        format!("data:{};base64,{}", image.blob.media_type, STANDARD.encode(&image.bytes))
    })
}

#[test]
fn the_stored_pieces_are_the_bytes_that_were_sent() {
    let mut seen = 0;
    for protocol in PROTOCOLS {
        for more in [json!({}), json!({"stream": false, "extra": "{\"top_k\": 1.5, \"top_p\": null}"})] {
            let settings = settings(protocol.name(), &more);
            let mut encoder = BodyEncoder::default();
            for request in requests() {
                let built = encoder.encode(&settings, &request, 0).unwrap();
                assert_eq!(body_of(&built), String::from_utf8(built.bytes.to_vec()).unwrap());
                assert_eq!(built.sent.turns.len(), request.len(), "{protocol:?}");
                seen += 1;
            }
        }
    }
    assert_eq!(seen, 3 * 2 * 2 * 27);
}

#[test]
fn an_encoder_that_knows_turns_sends_and_reads_what_a_new_one_does() {
    for protocol in PROTOCOLS {
        let cache = if protocol.asks_for_caching() { "on" } else { "off" };
        for more in [json!({"cache": cache, "resolution": 0}), json!({"content": "parts", "resolution": 0})] {
            let settings = settings(protocol.name(), &more);
            let mut encoder = BodyEncoder::default();
            for (number, request) in requests().enumerate() {
                let stable = number % 4;
                let built = encoder.encode(&settings, &request, stable).unwrap();
                let fresh = BodyEncoder::default().encode(&settings, &request, stable).unwrap();
                assert_eq!((&built.bytes, &built.sent), (&fresh.bytes, &fresh.sent), "{protocol:?}");
                assert_eq!(built.turns(), fresh.turns(), "{protocol:?}");
                let read = decode(protocol, &built.bytes, KnownParts::default()).unwrap();
                assert!(read.turns.iter().map(|turn| &turn.decoded).eq(built.turns()), "{protocol:?}");
            }
        }
    }
}

#[test]
fn a_turn_is_read_from_the_bytes_and_not_from_what_is_known() {
    for protocol in PROTOCOLS {
        let settings = settings(protocol.name(), &json!({}));
        let body = |past| BodyEncoder::default().encode(&settings, &request(true, past, 1), 0).unwrap().bytes;
        let one = decode(protocol, &body(1), KnownParts::default()).unwrap();
        let two = decode(protocol, &body(2), KnownParts::default()).unwrap();
        let known: Vec<_> = one.turns.iter().rev().map(Some).collect();
        let read = decode(protocol, &body(2), KnownParts { turns: &known, ..KnownParts::default() }).unwrap();
        let turns =
            |body: &DecodedBody| body.turns.iter().map(|turn| turn.decoded.clone()).collect::<Vec<_>>();
        assert_eq!(turns(&read), turns(&two), "{protocol:?}");
        let known: Vec<_> = two.turns.iter().map(Some).collect();
        let read = decode(protocol, &body(2), KnownParts { turns: &known, ..KnownParts::default() }).unwrap();
        assert!(read.turns.iter().zip(&two.turns).all(|(read, known)| Arc::ptr_eq(read, known)));
    }
}

#[test]
fn the_fields_around_the_turns_are_read_from_the_bytes_and_not_from_what_is_known() {
    for protocol in PROTOCOLS {
        let body = |tokens: u32| {
            let settings = settings(protocol.name(), &json!({ "max_tokens": tokens }));
            BodyEncoder::default().encode(&settings, &request(true, 1, 1), 0).unwrap().bytes
        };
        let read = |tokens, known: Option<&Arc<ReadEnvelope>>| {
            let known = KnownParts { envelope: known, ..KnownParts::default() };
            decode(protocol, &body(tokens), known).unwrap().envelope
        };
        let one = read(7, None);
        let two = read(8, None);
        assert_ne!(one.value, two.value);
        assert!(Arc::ptr_eq(&read(7, Some(&one)), &one));
        assert_eq!(read(8, Some(&one)).value, two.value, "{protocol:?}");
    }
}

#[test]
fn a_text_as_it_was_written_must_be_one_turn() {
    let body = |turns: &str| format!(r#"{{"model":"m","messages":[{turns}]}}"#);
    let one = r#"{"role":"user","content":"a"}"#;
    let read = |turns: &str, written: &[&str]| {
        let envelope =
            decode(&ChatCompletions, body(one).as_bytes(), KnownParts::default()).unwrap().envelope;
        let known = KnownParts { written, envelope: Some(&envelope), ..KnownParts::default() };
        decode(&ChatCompletions, body(turns).as_bytes(), known)
    };
    let two = format!("{one},{one}");
    for written in [&[one, one][..], &[one, "{"], &["{"], &[]] {
        assert_eq!(read(&two, written).unwrap().turns.len(), 2, "{written:?}");
    }
    let why = read(&two, &[&two]).unwrap_err();
    assert!(why.starts_with("turn 1 of the body is not JSON"), "{why}");
}

#[test]
fn a_turn_of_one_text_is_read_like_any_other() {
    for text in ["", "a\n\"b\"", "\u{7}\u{1f980} é", "blob:00"] {
        let mut turn = json!({"role": "user", "content": text});
        let read = ChatCompletions.decode_text_turn(&turn.to_string()).unwrap();
        assert_eq!(read, ChatCompletions.decode_turn(&mut turn, |_| Err(String::new())).unwrap());
    }
    for other in [
        r#"{"role":"user","content":[{"type":"text","text":"a"}]}"#,
        r#"{"role":"user","content":"a","name":"b"}"#,
        r#"{"role":"user","content":"a","content":"b"}"#,
        r#"{"role":"tool","content":"a"}"#,
        r#"{"role":"user"}"#,
        r#"["user","a"]"#,
    ] {
        assert_eq!(ChatCompletions.decode_text_turn(other), None, "{other}");
    }
}

#[test]
fn turns_read_back_are_those_of_the_request() {
    for (protocol, request) in PROTOCOLS.iter().flat_map(|protocol| requests().map(move |it| (protocol, it)))
    {
        let settings = settings(protocol.name(), &json!({}));
        let built = BodyEncoder::default().encode(&settings, &request, 0).unwrap();
        let turn = |message: &Message| {
            let parts = message.parts.iter().map(|part| match part {
                MessagePart::Text(_, text) => DecodedPart::Text(text.to_string()),
                MessagePart::Image(part, _) => DecodedPart::Image(built.digest(*part).unwrap()),
            });
            DecodedTurn::new(message.role, parts)
        };
        let expected: Vec<DecodedTurn> = request.iter().map(turn).collect();
        assert_eq!(built.turns(), expected.iter().collect::<Vec<_>>(), "{protocol:?}");
        let recorded = super::super::decode::decode_recorded(*protocol, &built.sent).unwrap();
        assert_eq!(recorded, expected, "{protocol:?}");
    }
}

#[test]
fn every_part_is_shown_with_its_segment() {
    for protocol in PROTOCOLS {
        let request = request(true, 2, 2);
        let encoded =
            BodyEncoder::default().encode(&settings(protocol.name(), &json!({})), &request, 0).unwrap();
        for (message, turn) in request.iter().zip(encoded.sent.read_turns(&ModelReader)) {
            let expected = message.parts.iter().map(|part| match part {
                MessagePart::Text(segment, text) => (Some(*segment), text.to_string()),
                MessagePart::Image(part, _) => (None, part.step.to_string()),
            });
            let shown = turn.parts.iter().map(|part| match part {
                TurnPart::Text(segment, text) => (*segment, text.clone()),
                TurnPart::Image { image, .. } => (None, image.as_ref().unwrap().part.step.to_string()),
                TurnPart::Unknown(json) => panic!("{json}"),
            });
            assert_eq!(shown.collect::<Vec<_>>(), expected.collect::<Vec<_>>(), "{protocol:?}");
            assert_eq!(turn.role, format!("{:?}", message.role).to_lowercase());
        }
        let names = ModelReader.parameters(&encoded.sent);
        let turns = ["messages", "system", "input", "instructions"];
        assert!(names.iter().all(|(name, _)| !turns.contains(&name.as_str())), "{names:?}");
    }
}

fn envelope(protocol: &str, more: &Value, request: &[Message]) -> String {
    BodyEncoder::default().encode(&settings(protocol, more), request, 0).unwrap().sent.envelope.to_string()
}

#[test]
fn a_body_has_the_fields_of_its_protocol() {
    let with = request(true, 0, 1);
    let without = request(false, 0, 1);
    assert_eq!(
        envelope("messages", &json!({}), &with),
        r#"{"model":"m","max_tokens":4000,"system":null,"messages":[],"temperature":0.1,"top_p":0.95,"stream":true}"#
    );
    assert_eq!(
        envelope("messages", &json!({"stream": false}), &without),
        r#"{"model":"m","max_tokens":4000,"messages":[],"temperature":0.1,"top_p":0.95,"stream":false}"#
    );
    assert_eq!(
        envelope("responses", &json!({}), &with),
        r#"{"model":"m","instructions":null,"input":[],"temperature":0.1,"top_p":0.95,"max_output_tokens":4000,"store":false,"stream":true}"#
    );
}

#[test]
fn turns_are_written_as_the_protocol_has_them() {
    let request = request(true, 1, 1);
    let turns = |protocol, more: &Value| {
        let sent = BodyEncoder::default().encode(&settings(protocol, more), &request, 0).unwrap().sent;
        let digest = sent.frames[0].blob.digest.to_string();
        let turns = sent.turns.iter().take(4).map(|turn| turn.json().replace(&digest, "D"));
        turns.collect::<Vec<_>>()
    };
    assert_eq!(
        turns("messages", &json!({})),
        [
            r#"{"role":"system","content":"You \"play\" é\u001b."}"#,
            r#"{"role":"user","content":"TASK\n\nimage not available.\n\nFORMAT"}"#,
            r#"{"role":"assistant","content":"out 1"}"#,
            r#"{"role":"user","content":[{"type":"text","text":"TURN"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"blob:D"}}]}"#,
        ]
    );
    assert_eq!(
        turns("responses", &json!({"detail": "original"})),
        [
            r#"{"role":"system","content":"You \"play\" é\u001b."}"#,
            r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"TASK"},{"type":"input_text","text":"image not available."},{"type":"input_text","text":"FORMAT"}]}"#,
            r#"{"type":"message","role":"assistant","content":[{"type":"output_text","text":"out 1"}]}"#,
            r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"TURN"},{"type":"input_image","image_url":"blob:D","detail":"original"}]}"#,
        ]
    );
    let chat = turns("chat", &json!({"detail": "low"}));
    let image = r#"{"type":"image_url","image_url":{"url":"blob:D","detail":"low"}}"#;
    assert!(chat[3].contains(image), "{chat:?}");
}

/// A body with this part in the third turn of its list.
fn with_part(protocol: &dyn Protocol, part: &Value) -> Vec<u8> {
    let encoded = BodyEncoder::default()
        .encode(&settings(protocol.name(), &json!({})), &request(true, 2, 2), 0)
        .unwrap();
    let mut body: Value = serde_json::from_slice(&encoded.bytes).unwrap();
    let list = protocol.turn_fields().list;
    let turn = body[list].as_array_mut().unwrap().iter_mut().filter(|turn| turn["role"] == "user").nth(1);
    turn.unwrap()["content"].as_array_mut().unwrap().push(part.clone());
    serde_json::to_vec(&body).unwrap()
}

#[test]
fn a_part_that_is_never_written_is_found() {
    let remote = "https://example.org/a.png";
    for (protocol, parts) in PROTOCOLS.iter().zip([
        [
            json!({"type": "input_audio"}),
            json!({"type": "image", "source": {}}),
            json!({"type": "image_url", "image_url": {"url": remote}}),
        ],
        [
            json!({"type": "document"}),
            json!({"type": "image", "source": {"type": "url", "url": remote}}),
            json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "?"}}),
        ],
        [
            json!({"type": "input_file"}),
            json!({"type": "text", "text": "chat"}),
            json!({"type": "input_image", "image_url": remote}),
        ],
    ]) {
        for part in parts {
            let why = decode(*protocol, &with_part(*protocol, &part), KnownParts::default()).unwrap_err();
            assert!(why.starts_with("turn ") && why.contains(" of the body has a"), "{part}: {why}");
        }
    }
    let body = json!({"input": [{"type": "reasoning", "summary": []}]});
    let why = decode(PROTOCOLS[2], body.to_string().as_bytes(), KnownParts::default()).unwrap_err();
    assert_eq!(why, "turn 1 of the body is an item of type Some(\"reasoning\")");
}
