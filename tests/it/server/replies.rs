//! Replies as odd servers send them: thoughts within the text, split characters, wrong labels, no final mark.

use std::io::Write;

use serde_json::{Value, json};

use super::Behavior;

/// A response with a body that is sent in these pieces.
pub(super) struct OddReply {
    pub(super) headers: Vec<(String, String)>,
    pub(super) pieces: Vec<Vec<u8>>,
    /// Whether the connection stays open and silent after it.
    pub(super) stalls: bool,
}

/// The thought of the behaviors with thoughts. It names an action, which must not be read.
pub(crate) const THOUGHT: &str = "Left looks good.\n\n# action\nLeft\n";

/// The reply for this behavior; `None` if it is not an odd one.
pub(super) fn reply(behavior: Behavior, request: &Value, text: &str) -> Option<OddReply> {
    if behavior == Behavior::ReasoningStalls {
        return Some(begun_reasoning());
    }
    let asked = request["stream"] == true;
    let held_open =
        matches!(behavior, Behavior::UnmarkedSilence | Behavior::SilentAfterEnd | Behavior::NanHeldOpen);
    let behavior = if behavior == Behavior::NanHeldOpen { Behavior::Nan } else { behavior };
    let streams = match behavior {
        Behavior::UnaskedStream => true,
        Behavior::UnaskedBody => false,
        Behavior::Thinking
        | Behavior::ThinkingUnopened
        | Behavior::ThinkingUnclosed
        | Behavior::ThinkingParts
        | Behavior::MislabeledStream
        | Behavior::Gzip
        | Behavior::SplitSurrogates
        | Behavior::SplitBytes
        | Behavior::LoneSurrogate
        | Behavior::BadByte
        | Behavior::Nan
        | Behavior::Unmarked
        | Behavior::UnmarkedSilence
        | Behavior::SilentAfterEnd
        | Behavior::OddFinish => asked,
        _ => return None,
    };
    let fragments = fragments(behavior, text);
    let pieces = if streams { events(behavior, &fragments) } else { vec![whole(behavior, &fragments)] };
    let label = match (behavior, streams) {
        (Behavior::MislabeledStream, _) | (_, false) if behavior != Behavior::UnaskedBody => {
            "application/json"
        }
        _ => "text/event-stream",
    };
    let pieces = if behavior == Behavior::Gzip { vec![gzip(&pieces.concat())] } else { pieces };
    Some(OddReply { headers: vec![("content-type".to_owned(), label.to_owned())], pieces, stalls: held_open })
}

/// The beginning of a stream with reasoning, after which the server is silent.
fn begun_reasoning() -> OddReply {
    let event = json!({"choices": [{"index": 0, "delta": {"reasoning_content": "Boxes first."}}]});
    let headers = vec![("content-type".to_owned(), "text/event-stream".to_owned())];
    OddReply { headers, pieces: vec![format!("data: {event}\n\n").into_bytes()], stalls: true }
}

/// The text as parts of a JSON string.
fn fragments(behavior: Behavior, text: &str) -> Vec<Vec<u8>> {
    let text = match behavior {
        Behavior::Thinking => format!("<think>\n{THOUGHT}</think>\n\n{text}"),
        Behavior::ThinkingUnopened => format!("{THOUGHT}</think>\n\n{text}"),
        Behavior::ThinkingUnclosed => format!("<think>\n{THOUGHT}{text}"),
        _ => text.to_owned(),
    };
    let letter = |letter: char| match (behavior, letter.len_utf8()) {
        (Behavior::SplitSurrogates, 4) => letter
            .encode_utf16(&mut [0; 2])
            .iter()
            .map(|half| format!("\\u{half:04x}").into_bytes())
            .collect(),
        (Behavior::SplitBytes, 4) => letter.to_string().into_bytes().chunks(2).map(<[u8]>::to_vec).collect(),
        _ => vec![escaped(&letter.to_string())],
    };
    let mut all: Vec<Vec<u8>> = text.chars().flat_map(letter).collect();
    match behavior {
        Behavior::LoneSurrogate => all.insert(3, b"\\ud83e".to_vec()),
        Behavior::BadByte => all.insert(3, vec![0xFF]),
        _ => {}
    }
    all
}

fn escaped(text: &str) -> Vec<u8> {
    let quoted = serde_json::to_string(text).unwrap();
    quoted.as_bytes()[1..quoted.len() - 1].to_vec()
}

fn events(behavior: Behavior, fragments: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let event = |choice: &[u8]| {
        let before =
            &b"data: {\"object\": \"chat.completion.chunk\", \"model\": \"mock-1\", \"choices\": ["[..];
        [before, choice, b"]}\n\n"].concat()
    };
    let mut all: Vec<Vec<u8>> = Vec::new();
    if behavior == Behavior::ThinkingParts {
        let delta = json!({"delta": {"content": thinking_parts(None)}});
        all.push(event(delta.to_string().as_bytes()));
    }
    all.extend(fragments.iter().map(|fragment| {
        let logprobs = if behavior == Behavior::Nan { &b", \"logprobs\": [NaN, -Infinity]"[..] } else { b"" };
        event(&[b"{\"delta\": {\"content\": \"", &fragment[..], b"\"}", logprobs, b"}"].concat())
    }));
    if matches!(behavior, Behavior::Unmarked | Behavior::UnmarkedSilence) {
        return all;
    }
    let end = json!({"delta": {}, "finish_reason": finish_reason(behavior)});
    all.push(event(end.to_string().as_bytes()));
    if behavior != Behavior::SilentAfterEnd {
        all.push(b"data: [DONE]\n\n".to_vec());
    }
    all
}

fn whole(behavior: Behavior, fragments: &[Vec<u8>]) -> Vec<u8> {
    let text = fragments.concat();
    if behavior == Behavior::ThinkingParts {
        let text: String = serde_json::from_slice(&[b"\"", &text[..], b"\""].concat()).unwrap();
        let message = json!({"content": thinking_parts(Some(&text))});
        return json!({"model": "mock-1", "choices": [{"message": message, "finish_reason": "stop"}]})
            .to_string()
            .into_bytes();
    }
    let end = format!("\"}}, \"finish_reason\": {}}}]", json!(finish_reason(behavior)));
    let logprobs = if behavior == Behavior::Nan { ", \"score\": NaN}" } else { "}" };
    let begin = &b"{\"model\": \"mock-1\", \"choices\": [{\"message\": {\"content\": \""[..];
    [begin, &text, end.as_bytes(), logprobs.as_bytes()].concat()
}

/// A content list with a thinking part, and with this text.
fn thinking_parts(text: Option<&str>) -> Value {
    let mut parts = vec![json!({"type": "thinking", "thinking": [{"type": "text", "text": THOUGHT}]})];
    parts.extend(text.map(|text| json!({"type": "text", "text": text})));
    parts.into()
}

fn finish_reason(behavior: Behavior) -> &'static str {
    if behavior == Behavior::OddFinish { "ran_out_of_ink" } else { "stop" }
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}
