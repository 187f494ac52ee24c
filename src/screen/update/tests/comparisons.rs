//! Comparisons of requests and of episodes: what is compared by default, what is read first, and what keys do.

use crate::requests::{Answer, LoadedRecording, Request, WantedRecording};
use std::path::PathBuf;

use super::*;
use crate::model::EpisodeComparison;
use crate::tests::screen_text;

const JOURNAL: &str = "/s/0001/b1/journal.jsonl";

fn loaded(snapshot: Snapshot, step: Option<u32>) -> LoadedRecording {
    LoadedRecording { name: "s/0001".into(), step, snapshot: snapshot.into() }
}

fn shown(model: &Model) -> &EpisodeComparison {
    match &model.modal {
        Some(Modal::Diff(diff)) => diff,
        other => panic!("{other:?}"),
    }
}

/// An episode with these actions.
fn episode(actions: &[&str]) -> Snapshot {
    let told = ScriptedEpisode::new("oracle", Setting::Online, (3, 2));
    actions.iter().fold(told, |told, action| told.step(action, -0.5, true)).snapshot()
}

#[test]
fn two_episodes_are_shown_from_the_first_difference_and_keys_move_along_both() {
    let snapshot = Snapshot { journal: Some(JOURNAL.into()), ..episode(&["Left", "Up", "Right", "Up"]) };
    let mut model = testing::model_of(snapshot, 120, 40);
    let wanted = WantedRecording::RelatedTo(PathBuf::from(JOURNAL));
    assert_eq!(press(&mut model, "d"), [Effect::Request(Request::LoadRecording(wanted.clone()))]);
    let other = loaded(episode(&["Left", "Up", "Down", "Up", "Up"]), None);
    update(&mut model, Msg::Answer(Answer::Loaded(wanted, Ok(other))));
    assert_eq!(shown(&model).position().0, 2, "the third step is the first that differs");
    let text = screen_text(&model);
    assert!(text.contains("the first difference"), "{text}");
    assert!(text.contains("s/0001, step 3") && text.contains("this episode, step 3"), "{text}");
    assert!(text.contains("▶ Down") && text.contains("▶ Right"), "{text}");
    press(&mut model, "left");
    assert_eq!(shown(&model).position().0, 1);
    assert!(screen_text(&model).contains("= the same state and the same action"));
    press(&mut model, "n");
    assert_eq!(shown(&model).position().0, 2);
    press(&mut model, "$");
    let (at, count) = shown(&model).position();
    assert_eq!(at + 1, count);
    press(&mut model, "0 N");
    assert_eq!(shown(&model).position().0, 0);
    press(&mut model, "esc");
    assert!(model.modal.is_none());
}

#[test]
fn equal_episodes_are_said_to_be_equal_and_a_failure_is_said_too() {
    let actions = ["Left", "Up"];
    let snapshot = Snapshot { journal: Some(JOURNAL.into()), ..episode(&actions) };
    let mut model = testing::model_of(snapshot, 80, 24);
    let wanted = WantedRecording::Reference("last".into());
    assert_eq!(command(&mut model, "diff last"), [Effect::Request(Request::LoadRecording(wanted.clone()))]);
    update(&mut model, Msg::Answer(Answer::Loaded(wanted.clone(), Ok(loaded(episode(&actions), None)))));
    assert_eq!(model.notice.as_deref(), Some("every state and every action is equal"));
    press(&mut model, "esc d");
    let stale = Msg::Answer(Answer::Loaded(wanted, Err(Problem::new("an older answer"))));
    update(&mut model, stale);
    assert!(model.awaited.comparison.is_some(), "an answer to another question is none to this one");
    let wanted = WantedRecording::RelatedTo(JOURNAL.into());
    update(
        &mut model,
        Msg::Answer(Answer::Loaded(wanted, Err(Problem::new("this episode has no branches")))),
    );
    assert_eq!(model.notice.as_deref(), Some("nothing to compare with: this episode has no branches"));
}

#[test]
fn a_request_is_compared_with_that_of_the_parent_in_a_branch_and_else_with_the_step_before() {
    let mut model = testing::branch_model(JOURNAL);
    let wanted = WantedRecording::RelatedTo(PathBuf::from(JOURNAL));
    assert_eq!(press(&mut model, "D"), [Effect::Request(Request::LoadRecording(wanted))]);
    let wanted = WantedRecording::Reference("last#3".into());
    assert_eq!(
        command(&mut model, "diff-requests last#3"),
        [Effect::Request(Request::LoadRecording(wanted))]
    );
    let mut model = testing::model_of(testing::sample_episode().snapshot(), 120, 40);
    assert!(press(&mut model, "0 D").is_empty());
    assert!(model.notice.as_deref().unwrap().contains("this is the first step"), "{:?}", model.notice);
    assert!(press(&mut model, "l D").is_empty());
    let said = model.notice.as_deref().unwrap();
    assert!(said.contains("only an agent that asks a model sends some"), "{said}");
}

#[test]
fn at_the_end_of_an_episode_its_last_request_is_compared() {
    let mut model = testing::model_agent("m");
    let snapshot = Arc::make_mut(&mut model.episodes[0].snapshot);
    let asked = snapshot.steps.iter().position(|step| !step.attempts.is_empty()).unwrap();
    let earlier = snapshot.steps.get(asked).unwrap().attempts.clone();
    Arc::make_mut(snapshot.steps.get_mut(asked + 1).unwrap()).attempts = earlier;
    snapshot.run.waiting = Waiting::Ended(Ending::StepLimit);
    assert!(press(&mut model, "$ D").is_empty());
    match &model.modal {
        Some(Modal::RequestDiff(diff)) => assert!(diff.diff.is_empty(), "{diff:?}"),
        other => panic!("{other:?}: {:?}", model.notice),
    }
}

#[test]
fn the_repeats_of_a_session_are_listed() {
    let snapshot = Snapshot { journal: Some(JOURNAL.into()), ..episode(&["Left"]) };
    let mut model = testing::model_of(snapshot, 120, 40);
    assert_eq!(command(&mut model, "diff repeats"), [Effect::Request(Request::FindPartings(JOURNAL.into()))]);
    assert!(screen_text(&model).contains("Where the repeats of a level part"));
}
