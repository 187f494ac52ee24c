//! Golden requests of the prompts for web pages: Global and Online, with each variant, and their ledgers.

use std::fmt::Write;
use std::sync::Arc;

use mageyard_dialog::{CurrentStep, History, PastStep, Prompt, Request, RequestLayout, RequestSpec, compose};
use mageyard_domain::{
    ActionSpace, ActionSpec, DecodedPart, DecodedTurn, Digest, EnvironmentSpec, Message, MessagePart,
    Notation, Observation, ObservationPart, Options, ParamKind, ParamSpec, PartId, Picture, ReplyFormat,
    Setting, Window,
};
use mageyard_envs::webui::WebUi;
use mageyard_envs::webui::prompts::PROMPTS;
use serde_json::json;

use crate::headings::assert_no_empty_heading;

fn image() -> ObservationPart {
    ObservationPart::Image(Arc::new(Picture::new(1, 1, 1, vec![0; 3]).unwrap()))
}

fn text(text: &str) -> ObservationPart {
    ObservationPart::Text(text.into())
}

/// The description: a text, `images` pictures, another text.
fn description(images: usize) -> Vec<ObservationPart> {
    let pictures = (0..images).map(|_| image());
    [text("A page with a button:")].into_iter().chain(pictures).chain([text("It counts.")]).collect()
}

fn observation(images: usize, files: Option<&str>) -> Observation {
    let mut parts = description(images);
    let facts = json!({"task_parts": parts.len()});
    if let Some(files) = files {
        parts.extend([text(files), text("The present page:"), image()]);
    }
    Observation::from_parts(parts, "the page", facts)
}

fn space() -> ActionSpace {
    let file = |name: &str, language: &str| {
        ParamSpec::new(name, "a file", ParamKind::Code { language: language.into() }).optional()
    };
    let files = [file("html", "html"), file("css", "css"), file("js", "javascript")];
    ActionSpace::from_iter([files
        .into_iter()
        .fold(ActionSpec::new("write", "write files"), ActionSpec::with_param)])
}

fn format(setting: Setting) -> ReplyFormat {
    match setting {
        Setting::Global => ReplyFormat::whole_blocks(true),
        Setting::Online => {
            ReplyFormat::headings("# Analyze", "# Regenerate", false).with_notation(Notation::CodeBlocks)
        }
    }
}

fn request(prompt: &str, setting: Setting, past: &[PastStep], now: &Observation) -> Request {
    let words = WebUi.capabilities().state_words(&Options::new());
    let prompt = Prompt::parse(prompt).unwrap().with_state_words(&words);
    let form = format(setting);
    let space = space();
    let layout = RequestLayout { history: History::State, plan_images: 10, ..RequestLayout::default() };
    let window = Window::new(1, 1).unwrap();
    let spec = RequestSpec {
        prompt: &prompt,
        setting,
        reply_format: &form,
        window,
        layout,
        counts_stable: true,
        left_out: None,
    };
    let current = CurrentStep {
        problem: None,
        reflection: None,
        hint: None,
        number: u32::try_from(past.len()).unwrap() + 1,
        observation: now,
        action_space: &space,
        unreadable_replies: &[],
        partial_reply: None,
        steps_left: 4,
    };
    compose(&spec, past, &current)
}

/// The second request of an episode: after a reply, with the files that it wrote.
fn second_request(prompt: &str) -> Request {
    let past = PastStep {
        rewarded: false,
        skipped: false,
        problem: None,
        reflection: None,
        observation: observation(1, None),
        output: Some("my first reply".into()),
    };
    let files = "```html\n<p>\n```\n\n```css\np {}\n```";
    request(prompt, Setting::Online, &[past], &observation(1, Some(files)))
}

fn encoded(part: PartId) -> Digest {
    Digest::of(format!("{part:?}").as_bytes())
}

/// What a protocol that changes nothing reads back.
fn read_back(request: &Request) -> Vec<DecodedTurn> {
    let part = |part: &MessagePart| match part {
        MessagePart::Text(_, text) => DecodedPart::Text(text.to_string()),
        MessagePart::Image(part, _) => DecodedPart::Image(encoded(*part)),
    };
    let turn = |message: &Message| DecodedTurn::new(message.role, message.parts.iter().map(part));
    request.messages.iter().map(turn).collect()
}

fn rendered(request: &Request) -> String {
    assert_eq!(request.verify(&read_back(request), &|part| Some(encoded(part))), Ok(()));
    let mut text = String::new();
    for message in &request.messages {
        writeln!(text, "=== {:?}", message.role).unwrap();
        for part in &message.parts {
            match part {
                MessagePart::Text(segment, words) => writeln!(text, "--- {segment}\n{words}").unwrap(),
                MessagePart::Image(id, _) => {
                    writeln!(text, "--- image {} of step {}", id.index, id.step).unwrap();
                }
            }
        }
    }
    for row in request.ledger.rows() {
        let parts: Vec<String> =
            row.parts.iter().map(|part| format!("{:?} {:?}", part.kind, part.inclusion)).collect();
        writeln!(text, "ledger {}: output {:?}, {}", row.step, row.output, parts.join(", ")).unwrap();
    }
    text
}

#[test]
fn golden_requests_of_every_variant() {
    for (name, prompt) in PROMPTS {
        insta::assert_snapshot!(
            format!("page request {name} global"),
            rendered(&request(prompt, Setting::Global, &[], &observation(1, None)))
        );
        insta::assert_snapshot!(format!("page request {name} online"), rendered(&second_request(prompt)));
    }
}

#[test]
fn no_heading_of_a_page_request_is_without_content() {
    for (name, prompt) in PROMPTS {
        for setting in [Setting::Global, Setting::Online] {
            assert_no_empty_heading(&request(prompt, setting, &[], &observation(1, None)), name);
        }
        assert_no_empty_heading(&second_request(prompt), name);
    }
}

#[test]
fn an_online_request_is_one_user_turn_with_the_files_and_one_screenshot() {
    for (name, prompt) in PROMPTS {
        let request = second_request(prompt);
        assert_eq!(request.messages.len(), 2, "{name}: system and user");
        let words = request.messages[1].text();
        assert!(!words.contains("my first reply") && words.contains("```html\n<p>\n```"), "{name}");
        let images = request.messages[1].images().count();
        assert_eq!(images, if *name == "HD-CoT-NoIMG" { 1 } else { 2 }, "{name}");
        assert_eq!(request.ledger.rows()[1].output, mageyard_dialog::Inclusion::AsFiles, "{name}");
    }
}

#[test]
fn a_global_request_has_ten_images_and_placeholders_for_the_others() {
    let request = request(PROMPTS[0].1, Setting::Global, &[], &observation(13, None));
    assert_eq!((request.messages[1].images().count(), request.ledger.images()), (10, 10));
    assert_eq!(request.messages[1].text().matches("image not available.").count(), 3);
    assert_eq!(request.verify(&read_back(&request), &|part| Some(encoded(part))), Ok(()));
}
