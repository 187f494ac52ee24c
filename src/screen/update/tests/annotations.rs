//! Tags and comments: ordered, shown at their step, counted and removed.

use crate::requests::{Annotated, AnnotationOrder, Answer, Request};
use std::path::PathBuf;

use super::*;
use crate::tests::screen_text;
use mageyard_engine::{Annotation, AnnotationText, DamagedAnnotation, EpisodeAnnotations, StepAnnotations};

const JOURNAL: &str = "/s/0001/journal.jsonl";

fn model() -> Model {
    let snapshot = testing::sample_episode().snapshot();
    testing::model_of(Snapshot { journal: Some(JOURNAL.into()), ..snapshot }, 120, 40)
}

/// What the file says: step 2 has two tags and a comment, step 5 a comment.
fn annotations() -> EpisodeAnnotations {
    let texts = |texts: &[&str]| {
        texts.iter().map(|text| AnnotationText { at: 1, text: (*text).to_owned() }).collect::<Vec<_>>()
    };
    let second = StepAnnotations { tags: texts(&["wall", "odd"]), comments: texts(&["it looks away"]) };
    let fifth = StepAnnotations { tags: Vec::new(), comments: texts(&["again"]) };
    EpisodeAnnotations {
        steps: [(2, second), (5, fifth)].into(),
        known_tags: vec!["odd".into(), "wall".into()],
        damaged: Vec::new(),
    }
}

fn order(step: u32, annotation: Annotation, is_removed: bool) -> Effect {
    Effect::Request(Request::Annotate(AnnotationOrder {
        journal: JOURNAL.into(),
        step,
        annotation,
        is_removed,
    }))
}

#[test]
fn keys_and_commands_tag_the_shown_step_and_comment_on_it() {
    let mut model = model();
    press(&mut model, "0 l m");
    let typed = |model: &mut Model, text: &str| {
        update(model, Msg::Paste(text.to_owned()));
        press(model, "enter")
    };
    assert_eq!(typed(&mut model, "wall"), [order(2, Annotation::tag("wall").unwrap(), false)]);
    press(&mut model, ";");
    let comment = Annotation::comment("it looks away").unwrap();
    assert_eq!(typed(&mut model, "it looks away"), [order(2, comment.clone(), false)]);
    assert!(command(&mut model, "tag two words").is_empty());
    assert!(model.notice.as_deref().unwrap().starts_with("\"two words\" is not a tag"), "{:?}", model.notice);
    update(&mut model, Msg::Answer(Answer::Annotations(JOURNAL.into(), Ok(annotations()))));
    assert_eq!(command(&mut model, "untag wall"), [order(2, Annotation::tag("wall").unwrap(), true)]);
    assert_eq!(command(&mut model, "uncomment it looks away"), [order(2, comment, true)]);
    assert!(model.modal.is_none());
}

#[test]
fn a_new_tag_is_taken_as_it_is_typed_although_one_in_use_is_like_it() {
    let mut model = model();
    update(&mut model, Msg::Answer(Answer::Annotations(JOURNAL.into(), Ok(annotations()))));
    press(&mut model, "0 l m");
    let text = screen_text(&model);
    assert!(text.contains("wall") && text.contains("this step has it"), "{text}");
    update(&mut model, Msg::Paste("wa".into()));
    assert_eq!(press(&mut model, "enter"), [order(2, Annotation::tag("wa").unwrap(), false)]);
    press(&mut model, "m");
    assert_eq!(press(&mut model, "down enter"), [order(2, Annotation::tag("wall").unwrap(), false)]);
}

#[test]
fn they_are_shown_at_their_step_in_the_filmstrip_and_in_the_list() {
    let mut model = model();
    update(&mut model, Msg::Answer(Answer::Annotations(JOURNAL.into(), Ok(annotations()))));
    press(&mut model, "0 l");
    let text = screen_text(&model);
    assert!(text.contains("# wall odd") && text.contains("; it looks away"), "{text}");
    assert!(text.contains("▲ 2#") && text.contains("# tag"), "{text}");
    press(&mut model, "l");
    let text = screen_text(&model);
    assert!(!text.contains("# wall odd") && text.contains("▲ 3"), "{text}");
    press(&mut model, "E");
    assert!(screen_text(&model).contains("2 tags, 2 comments"), "{}", screen_text(&model));
}

#[test]
fn an_answer_says_what_has_changed_and_damage_is_reported_once() {
    let mut model = model();
    let order = AnnotationOrder {
        journal: JOURNAL.into(),
        step: 2,
        annotation: Annotation::tag("wall").unwrap(),
        is_removed: false,
    };
    let answer = Annotated { has_changed: true, annotations: annotations() };
    update(&mut model, Msg::Answer(Answer::Annotated(order.clone(), Ok(answer.clone()))));
    assert_eq!(model.notice.as_deref(), Some("step 2 is tagged wall"));
    assert_eq!(model.episodes[0].annotations.counts(), (2, 2));
    update(&mut model, Msg::Answer(Answer::Annotated(order.clone(), Err(Problem::new("the disk is full")))));
    assert!(model.notice.as_deref().unwrap().contains("nothing was written: the disk is full"));
    model.notice = None;
    let damaged = DamagedAnnotation { path: PathBuf::from("/s/a"), line: 3, why: "not an annotation".into() };
    let annotations = EpisodeAnnotations { damaged: vec![damaged], ..annotations() };
    for expected in [Some("/s/a:3: this line is skipped: not an annotation"), None] {
        update(&mut model, Msg::Answer(Answer::Annotations(JOURNAL.into(), Ok(annotations.clone()))));
        assert_eq!(model.notice.take().as_deref(), expected);
    }
}

#[test]
fn an_episode_that_is_not_recorded_has_none() {
    let mut model = testing::model_of(testing::sample_episode().snapshot(), 120, 40);
    assert!(command(&mut model, "tag wall").is_empty());
    assert!(model.notice.as_deref().unwrap().contains("not recorded"));
}
