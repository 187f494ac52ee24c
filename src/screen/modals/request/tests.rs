//! The text of the request dialog: what was sent, what would be sent, and why nothing was.

use serde_json::json;

use super::*;
use crate::testing;
use mageyard_domain::{BlobRef, Digest, Outline, PartId, SentImage, SentRequest, SentTurn, Window};
use mageyard_engine::{Ending, Mode, PromptVersion, RunState, Snapshot, Step, Steps, Waiting};

fn text(model: &Model) -> String {
    lines(model, &selected_request(model), 90).iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

fn title_of(model: &Model) -> String {
    title(&selected_request(model))
}

#[test]
fn every_turn_segment_and_image_is_named() {
    let model = testing::model_with_prompts();
    assert_eq!(title_of(&model), "Request of step 7, never sent");
    let text = text(&model);
    for part in [
        "the agent oracle sends no requests: this is what a model would receive",
        "2 images, 364 characters, ~601 tokens (a quarter of the characters, and for an image",
        "prompt plain, AM 3, OM 2: 8 turns, 3 outputs",
        "1 system\n  [system]\n  │ You play.",
        "2 user\n  [task]\n  │ Solve it.",
        "  [placeholder]\n  │ (no frame)",
        "3 assistant\n  [output]",
        "  ▣ image: frame of step 6, 112×112 px",
        "  ▣ image: frame of step 7, 112×112 px",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

#[test]
fn the_request_follows_window_and_prompt_at_once() {
    let mut model = testing::model_with_prompts();
    let with = |model: &mut Model, change: &dyn Fn(&mut Snapshot)| {
        let mut snapshot = Snapshot::clone(&model.episodes[0].snapshot);
        change(&mut snapshot);
        model.episodes[0].snapshot = snapshot.into();
        text(model)
    };
    let window = mageyard_domain::Window::new(3, 3).unwrap();
    assert!(with(&mut model, &|snapshot| snapshot.window = window).contains("3 images"));
    assert!(with(&mut model, &|snapshot| snapshot.prompt = "blind".into()).contains("0 images"));
    assert!(text(&model).contains("[board]"));
}

#[test]
fn a_missing_request_shows_the_reason() {
    assert!(text(&testing::model(120, 40)).contains("has no prompts"));
    let mut over = testing::sample_episode().snapshot();
    over.steps = Steps::default();
    assert!(text(&testing::model_of(over, 120, 40)).contains("still opening"));
}

/// The sample episode with two recorded requests at step 5.
fn recorded() -> Model {
    let model = testing::model_with_prompts();
    let mut snapshot = {
        let base = Snapshot::clone(&model.episodes[0].snapshot);
        Snapshot { run: RunState { mode: Mode::Recorded, ..base.run.clone() }, ..base }
    };
    let image = SentImage {
        part: PartId { step: 5, index: 0 },
        blob: BlobRef::of("image/jpeg", b"picture"),
        size: (256, 256),
        bytes: [].into(),
    };
    let turn = |value: serde_json::Value, outline: Outline| {
        std::sync::Arc::new(SentTurn::new(value.to_string(), outline))
    };
    let sent = |words: &str| SentRequest {
        envelope: json!({"model": "m\u{1b}", "temperature": 0.1}).into(),
        turns: vec![
            turn(json!(["system", "S"]), [Some(Segment::System)].into()),
            turn(
                json!(["user", words, format!("blob:{}", image.blob.digest)]),
                [Some(Segment::Task), None].into(),
            ),
        ],
        frames: vec![image.clone()],
        images: 1,
    };
    let asking = PromptVersion { prompt: "HD-CoT".into(), segments: std::collections::BTreeMap::default() };
    let index = snapshot.steps.iter().position(|step| step.attempts.len() > 1).unwrap();
    let step: &mut Step = std::sync::Arc::make_mut(snapshot.steps.get_mut(index).unwrap());
    for (attempt, words) in step.attempts.iter_mut().zip(["the first\u{202e}", "the second"]) {
        (attempt.sent, attempt.prompt_version) = (Some(sent(words).into()), Some(asking.clone().into()));
    }
    let number = step.number;
    let mut model = testing::model_of(snapshot, 120, 40);
    model.episodes[0].cursor = model.episodes[0].snapshot.steps.iter().position(|step| step.number == number);
    model
}

#[test]
fn each_attempt_shows_the_request_that_was_sent() {
    let mut model = recorded();
    let number = selected_request(&model).unwrap().step.number;
    model.agent.shown_reply = Some(1);
    let of = selected_request(&model).unwrap().count;
    assert_eq!(title_of(&model), format!("Request of step {number}, as sent (2 of {of})"));
    let second = text(&model);
    for part in [
        "prompt HD-CoT, 2 turns, 0 outputs",
        "2 user\n  [task]\n  │ the second\n  ▣ image: frame of step 5, 256×256 px (×2.29 of 112×112), image/jpeg,",
        "other fields\n  model \"m\\u001b\", temperature 0.1",
        &Digest::of(b"picture").to_string(),
    ] {
        assert!(second.contains(part), "{part}\n{second}");
    }
    model.agent.shown_reply = Some(0);
    assert!(text(&model).contains("the first⟨U+202E⟩"), "{}", text(&model));
}

#[test]
fn a_preview_names_its_own_window_and_prompt() {
    let mut model = testing::model_with_prompts();
    let viewed = &mut model.episodes[0];
    viewed.snapshot = {
        let base = Snapshot::clone(&viewed.snapshot);
        Snapshot { run: RunState { waiting: Waiting::Ended(Ending::Won), ..base.run.clone() }, ..base }
    }
    .into();
    viewed.preview.window = Window::new(2, 1).ok();
    viewed.preview.prompt = Some("blind".to_owned());
    let text = text(&model);
    assert!(text.contains("prompt blind, AM 2, OM 1: 6 turns, 2 outputs"), "{text}");
}

#[test]
fn a_sent_request_says_what_it_repeats_of_the_one_before() {
    let mut model = recorded();
    let number = selected_request(&model).unwrap().step.number;
    let mut snapshot = Snapshot::clone(&model.episodes[0].snapshot);
    let index = snapshot.steps.iter().position(|step| step.number == number).unwrap();
    let step: &mut Step = std::sync::Arc::make_mut(snapshot.steps.get_mut(index).unwrap());
    step.attempts[1].usage =
        Some(mageyard_domain::Usage { input: 1000, ..mageyard_domain::Usage::default() });
    model.episodes[0].snapshot = snapshot.into();
    model.agent.shown_reply = Some(1);
    let text = text(&model);
    assert!(text.contains(" of 1000 tokens as in the request before (estimate)"), "{text}");
    model.agent.shown_reply = Some(0);
    assert!(!self::text(&model).contains("as in the request before"), "its tokens are unknown");
}
#[test]
fn a_side_request_of_the_step_is_shown_with_its_answer() {
    use mageyard_domain::{AnswerForm, Question, Reply, RequestOutcome, SideRole};
    use mageyard_engine::{Attempt, PendingRequest, PromptVersion, SideExchange};
    let mut model = recorded();
    let number = selected_request(&model).unwrap().step.number;
    let of = selected_request(&model).unwrap().count;
    let mut snapshot = Snapshot::clone(&model.episodes[0].snapshot);
    let index = snapshot.steps.iter().position(|step| step.number == number).unwrap();
    let step: &mut Step = std::sync::Arc::make_mut(snapshot.steps.get_mut(index).unwrap());
    let request = step.attempts[1].sent.clone().unwrap();
    let version = PromptVersion { prompt: "judge".to_owned(), segments: [].into() };
    let sent = PendingRequest { request, version: version.into(), failed_tries: Vec::new(), under_way: true };
    let question = Question::for_number(SideRole::Judge, []);
    assert_eq!(question.form, AnswerForm::Number);
    let reply = Reply::from("```0.5\u{1b}```".to_owned());
    step.side.push(SideExchange {
        question: question.into(),
        number: 2,
        attempt: Attempt::ended(reply, Some(sent), RequestOutcome::Replied),
        answer: Some(Err("it has no number\u{1b}".to_owned())),
        reused: false,
    });
    model.episodes[0].snapshot = snapshot.into();
    assert_eq!(title_of(&model), format!("Request of step {number}, as sent ({} of {})", of + 1, of + 1));
    crate::shown_request::select(&mut model, 0);
    assert_eq!(title_of(&model), format!("Request of step {number}, role judge (1 of {})", of + 1));
    let text = text(&model);
    for part in [
        "answer\n  cannot be read: it has no number␛",
        "reply\n  ```0.5␛```",
        "try 2",
        "prompt judge, 2 turns",
        "the second",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    crate::shown_request::select(&mut model, of);
    assert_eq!(model.agent.shown_side, None);
}
