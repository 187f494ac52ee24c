//! Observations with every mix of parts, through every window and the real encoder, read back from the bytes.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use mageyard_dialog::{CurrentStep, PastStep, Prompt, Request, RequestLayout, RequestSpec, compose};
use mageyard_domain::{
    ActionSpace, AgentError, BlobHandle, BlobRef, BlobStore, MemoryBlobStore, Message, MessagePart,
    Observation, ObservationPart, PartKind, Picture, Segment, Setting, Window,
};
use serde_json::{Value, json};

use super::agent_fixture::{FORM, RequestObserver, agent, ask};
use crate::server::{Behavior, Server};

const PROMPT: &str = "+++\nname = \"test\"\nsummary = \"a test\"\n+++\n## system\nSYSTEM\n## task\nTASK\n## cot\nTHINK\n## io\nFORMAT\n## turn\nTURN\n## placeholder\n(dropped)\n## retry\nAGAIN\n";

/// What an observation consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mix {
    Nothing,
    Text,
    Image,
    TextImageTextImage,
    TwoImages,
    Page,
    Archive,
    ImageArchiveText,
    /// Another one at each step.
    Changing,
}

pub(super) const MIXES: [Mix; 9] = [
    Mix::Nothing,
    Mix::Text,
    Mix::Image,
    Mix::TextImageTextImage,
    Mix::TwoImages,
    Mix::Page,
    Mix::Archive,
    Mix::ImageArchiveText,
    Mix::Changing,
];

/// A part that arrives at the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Arrived {
    Text(String),
    /// The value of all its pixels.
    Image(u8),
}

fn shade(step: u32, index: u32) -> u8 {
    u8::try_from(step * 20 + index).unwrap()
}

impl Mix {
    fn at(self, step: u32) -> Self {
        if self == Self::Changing { MIXES[step as usize % (MIXES.len() - 1)] } else { self }
    }

    fn observation(self, step: u32, store: &Arc<dyn BlobStore>) -> Observation {
        let text = |index: u32| ObservationPart::Text(format!("text {step}.{index}").into());
        let image = |index: u32| {
            ObservationPart::Image(Arc::new(Picture::new(8, 8, 1, vec![shade(step, index); 192]).unwrap()))
        };
        let data = |media: &str, bytes: String| {
            ObservationPart::Data(BlobHandle::store(store, media, bytes.as_bytes()).unwrap())
        };
        let parts = match self.at(step) {
            Self::Nothing | Self::Changing => vec![],
            Self::Text => vec![text(0)],
            Self::Image => vec![image(0)],
            Self::TextImageTextImage => vec![text(0), image(1), text(2), image(3)],
            Self::TwoImages => vec![image(0), image(1)],
            Self::Page => vec![data("text/html", format!("<p>{step}</p>"))],
            Self::Archive => vec![data("application/zip", format!("PK{step}"))],
            Self::ImageArchiveText => {
                vec![image(0), data("application/zip", format!("PK{step}")), text(2)]
            }
        };
        Observation::from_parts(parts, format!("state {step}"), Value::Null)
    }

    /// What a request with images must have of this step's observation.
    fn expected(self, step: u32) -> Vec<Arrived> {
        let text = |index: u32| Arrived::Text(format!("text {step}.{index}"));
        let image = |index: u32| Arrived::Image(shade(step, index));
        match self.at(step) {
            Self::Nothing | Self::Archive | Self::Changing => vec![Arrived::Text(format!("state {step}"))],
            Self::Text => vec![text(0)],
            Self::Image => vec![image(0)],
            Self::TextImageTextImage => vec![text(0), image(1), text(2), image(3)],
            Self::TwoImages => vec![image(0), image(1)],
            Self::Page => vec![Arrived::Text(format!("<p>{step}</p>"))],
            Self::ImageArchiveText => vec![image(0), text(2)],
        }
    }
}

pub(super) fn composed(mix: Mix, window: Window, past: u32, images: bool) -> Request {
    let store: Arc<dyn BlobStore> = Arc::new(MemoryBlobStore::default());
    let prompt =
        if images { PROMPT.to_owned() } else { PROMPT.replacen("+++\n#", "images = false\n+++\n#", 1) };
    let prompt = Prompt::parse(&prompt).unwrap();
    let space = ActionSpace::new(&[("Up", "")]);
    let steps: Vec<PastStep> = (1..=past)
        .map(|step| PastStep {
            rewarded: false,
            skipped: false,
            problem: None,
            reflection: None,
            observation: mix.observation(step, &store),
            output: Some(format!("out {step}").into()),
        })
        .collect();
    let spec = RequestSpec {
        prompt: &prompt,
        setting: Setting::Online,
        reply_format: &FORM,
        window,
        layout: RequestLayout::default(),
        counts_stable: false,
        left_out: None,
    };
    let current = CurrentStep {
        problem: None,
        reflection: None,
        hint: None,
        number: past + 1,
        observation: &mix.observation(past + 1, &store),
        action_space: &space,
        unreadable_replies: &[],
        partial_reply: None,
        steps_left: 9,
    };
    compose(&spec, &steps, &current)
}

/// The turns that the server must receive, from the definition of the window alone.
pub(super) fn expected(mix: Mix, window: Window, past: u32, images: bool) -> Vec<(String, Vec<Arrived>)> {
    let text = |text: &str| Arrived::Text(text.to_owned());
    let state = |step: u32| match past + 1 - step {
        age if age >= u32::from(window.om()) => vec![text("(dropped)")],
        _ if images => mix.expected(step),
        _ => vec![text(&format!("state {step}"))],
    };
    let first = (past + 1).saturating_sub(u32::from(window.am())).max(1);
    let mut turns = vec![("system".to_owned(), vec![text("SYSTEM")])];
    let opening = [vec![text("TASK")], state(first), vec![text("THINK"), text("FORMAT")]].concat();
    turns.push(("user".to_owned(), opening));
    for step in first..=past {
        turns.push(("assistant".to_owned(), vec![text(&format!("out {step}"))]));
        turns.push(("user".to_owned(), [vec![text("TURN")], state(step + 1)].concat()));
    }
    turns.into_iter().map(|(role, parts)| (role, joined(parts))).collect()
}

/// Adjacent texts joined by blank lines.
pub(super) fn joined(parts: Vec<Arrived>) -> Vec<Arrived> {
    let mut joined: Vec<Arrived> = Vec::new();
    for part in parts {
        match (joined.last_mut(), part) {
            (Some(Arrived::Text(text)), Arrived::Text(more)) => *text = format!("{text}\n\n{more}"),
            (_, part) => joined.push(part),
        }
    }
    joined
}

fn arrived(body: &Value) -> Vec<(String, Vec<Arrived>)> {
    let turn = |turn: &Value| {
        let parts = match &turn["content"] {
            Value::String(text) => vec![Arrived::Text(text.clone())],
            parts => parts.as_array().unwrap().iter().map(arrived_part).collect(),
        };
        (turn["role"].as_str().unwrap().to_owned(), joined(parts))
    };
    body["messages"].as_array().unwrap().iter().map(turn).collect()
}

fn arrived_part(part: &Value) -> Arrived {
    if let Some(text) = part["text"].as_str() {
        return Arrived::Text(text.to_owned());
    }
    let url = part["image_url"]["url"].as_str().unwrap();
    let bytes = STANDARD.decode(url.strip_prefix("data:image/png;base64,").unwrap()).unwrap();
    Arrived::Image(image::load_from_memory(&bytes).unwrap().to_rgb8().as_raw()[0])
}

pub(super) fn windows() -> impl Iterator<Item = Window> {
    (0..=5).flat_map(|am| (1..=5).filter_map(move |om| Window::new(am, om).ok()))
}

#[tokio::test]
async fn every_mix_of_parts_arrives_in_every_window() {
    let server = Server::start(Behavior::Normal);
    let mut agent = agent(&server.url(), &json!({"resolution": 0}));
    let mut seen = 0;
    for (mix, window) in MIXES.iter().flat_map(|mix| windows().map(move |window| (*mix, window))) {
        for (past, images) in [(0, true), (1, true), (3, true), (7, true), (4, false)] {
            let request = composed(mix, window, past, images);
            let observer = RequestObserver(request.clone());
            let name = format!("{mix:?} AM={} OM={} past={past} images={images}", window.am(), window.om());
            ask(agent.as_mut(), &request.messages, &observer)
                .await
                .unwrap_or_else(|error| panic!("{name}: {error}"));
            let expected = expected(mix, window, past, images);
            assert_eq!(arrived(&server.requests().pop().unwrap()), expected, "{name}");
            let parts = expected.iter().flat_map(|(_, parts)| parts);
            let pictures = parts.filter(|part| matches!(part, Arrived::Image(_))).count();
            assert_eq!(request.ledger.count(PartKind::Image), pictures, "{name}");
            seen += 1;
        }
    }
    assert_eq!(seen, 9 * 16 * 5);
}

/// All requests with one part dropped, doubled, or exchanged with the next one.
fn damaged(messages: &[Message]) -> Vec<Vec<Message>> {
    let mut changed = Vec::new();
    for (turn, message) in messages.iter().enumerate() {
        for part in 0..message.parts.len() {
            let mut change = |change: &dyn Fn(&mut Vec<MessagePart>)| {
                let mut messages = messages.to_vec();
                change(&mut messages[turn].parts);
                changed.push(messages);
            };
            change(&|parts| _ = parts.remove(part));
            change(&|parts| parts.insert(part, parts[part].clone()));
            if part + 1 < message.parts.len() {
                change(&|parts| parts.swap(part, part + 1));
            }
        }
    }
    changed
}

#[tokio::test]
async fn a_dropped_doubled_or_exchanged_part_is_never_sent() {
    let server = Server::start(Behavior::Normal);
    let mut agent = agent(&server.url(), &json!({"resolution": 0}));
    let mut tried = 0;
    for mix in MIXES {
        let request = composed(mix, Window::new(3, 2).unwrap(), 3, true);
        for messages in damaged(&request.messages) {
            let observer = RequestObserver(request.clone());
            let error = ask(agent.as_mut(), &messages, &observer).await.unwrap_err();
            assert!(matches!(error, AgentError::MemoryMismatch(_)), "{mix:?}: {error}");
            tried += 1;
        }
    }
    assert!(tried > 300, "{tried}");
    assert!(server.requests().is_empty());
}

/// A part that the ledger includes and the messages do not have is a mismatch even if the bytes match the messages, and
/// the other way round.
#[tokio::test]
async fn messages_that_differ_from_the_ledger_are_never_sent() {
    let server = Server::start(Behavior::Normal);
    let mut agent = agent(&server.url(), &json!({"resolution": 0}));
    let is_state = |part: &MessagePart| {
        matches!(part, MessagePart::Image(..) | MessagePart::Text(Segment::StateText | Segment::Output, _))
    };
    for mix in MIXES {
        let request = composed(mix, Window::new(3, 2).unwrap(), 3, true);
        for (turn, message) in request.messages.iter().enumerate() {
            for (part, _) in message.parts.iter().enumerate().filter(|(_, part)| is_state(part)) {
                for doubled in [false, true] {
                    let mut changed = request.clone();
                    let parts = &mut changed.messages[turn].parts;
                    if doubled {
                        parts.insert(part, parts[part].clone());
                    } else {
                        _ = parts.remove(part);
                    }
                    let observer = RequestObserver(changed.clone());
                    let error = ask(agent.as_mut(), &changed.messages, &observer).await.unwrap_err();
                    assert!(error.to_string().contains("the memory ledger includes"), "{mix:?}: {error}");
                }
            }
        }
    }
    assert!(server.requests().is_empty());
}

#[tokio::test]
async fn a_page_that_cannot_be_loaded_stops_the_request() {
    let server = Server::start(Behavior::Normal);
    let mut agent = agent(&server.url(), &json!({}));
    let lost = BlobHandle::new(BlobRef::of("text/html", b"x"), Arc::new(MemoryBlobStore::default()));
    let prompt = Prompt::parse(PROMPT).unwrap();
    let spec = RequestSpec {
        prompt: &prompt,
        setting: Setting::Online,
        reply_format: &FORM,
        window: Window::new(1, 1).unwrap(),
        layout: RequestLayout::default(),
        counts_stable: false,
        left_out: None,
    };
    let observation = Observation::from_parts(vec![ObservationPart::Data(lost)], "state", Value::Null);
    let space = ActionSpace::new(&[("Up", "")]);
    let current = CurrentStep {
        problem: None,
        reflection: None,
        hint: None,
        number: 1,
        observation: &observation,
        action_space: &space,
        unreadable_replies: &[],
        partial_reply: None,
        steps_left: 9,
    };
    let request = compose(&spec, &[], &current);
    let error = ask(agent.as_mut(), &request.messages, &RequestObserver(request.clone())).await.unwrap_err();
    assert!(error.to_string().contains("part 1 of the observation of step 1 cannot be loaded"), "{error}");
    assert!(server.requests().is_empty());
}
