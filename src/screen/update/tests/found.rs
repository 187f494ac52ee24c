//! The list of steps of everything stored.

use crate::requests::{Answer, FindProgress, FoundRow, Request};
use std::path::PathBuf;

use super::*;
use crate::model::FoundList;
use crate::tests::screen_text;

fn model() -> Model {
    let snapshot = testing::sample_episode().snapshot();
    testing::model_of(Snapshot { journal: Some("/s/0001/journal.jsonl".into()), ..snapshot }, 120, 40)
}

fn row(journal: &str, step: u32) -> FoundRow {
    let run = format!("{journal}#{step}");
    FoundRow { journal: journal.into(), step, run, facts: "Up · ia".into() }
}

fn list(model: &Model) -> &FoundList {
    match &model.modal {
        Some(Modal::Found(list)) => list,
        other => panic!("{other:?}"),
    }
}

fn add(model: &mut Model, progress: FindProgress) {
    assert!(update(model, Msg::Answer(Answer::Found(progress))).is_empty());
}

#[test]
fn steps_stream_into_the_list() {
    let mut model = model();
    assert_eq!(
        command(&mut model, "find ia and step>3"),
        [Effect::Request(Request::Find { condition: "ia and step>3".into(), scope: None })]
    );
    assert!(screen_text(&model).contains("searching … 0 steps in 0 episodes"));
    add(&mut model, FindProgress::Steps(vec![row("/a", 4), row("/a", 7)]));
    add(&mut model, FindProgress::Steps(Vec::new()));
    add(&mut model, FindProgress::Unknown("no price of x is known".into()));
    let text = screen_text(&model);
    assert!(text.contains("searching … 2 steps in 2 episodes · no price of x is known"), "{text}");
    assert!(text.contains("▸ /a#4") && text.contains("/a#7"), "{text}");
    assert_eq!(
        command_after_close(&mut model, "find ia"),
        [
            Effect::Request(Request::StopFinding),
            Effect::Request(Request::Find { condition: "ia".into(), scope: None })
        ]
    );
    assert!(list(&model).rows().is_empty());
    add(&mut model, FindProgress::Ended(Ok(())));
    assert!(screen_text(&model).contains("no step in 0 episodes meets it"));
}

fn command_after_close(model: &mut Model, line: &str) -> Vec<Effect> {
    let mut effects = press(model, "esc");
    effects.extend(command(model, line));
    effects
}

#[test]
fn a_step_of_an_open_episode_is_shown_and_another_recording_is_opened_at_it() {
    let mut model = model();
    command(&mut model, "find ia");
    add(
        &mut model,
        FindProgress::Steps(vec![row("/s/0001/journal.jsonl", 3), row("/t/0001/journal.jsonl", 5)]),
    );
    assert_eq!(press(&mut model, "enter"), [Effect::Request(Request::StopFinding)]);
    assert_eq!(model.episode().unwrap().step().unwrap().number, 3);
    command(&mut model, "find");
    assert_eq!(list(&model).rows().len(), 2, "the list is shown again");
    let journal = PathBuf::from("/t/0001/journal.jsonl");
    assert_eq!(press(&mut model, "j enter"), [Effect::Request(Request::OpenJournal(journal.clone()))]);
    let snapshot = Snapshot { journal: Some(journal), ..testing::sample_episode().snapshot() };
    read_recordings(&mut model, Vec::new(), [snapshot.into()]);
    assert!(model.modal.is_none());
    assert_eq!((model.current, model.episode().unwrap().step().unwrap().number), (1, 5));
    assert!(screen_text(&model).contains("Esc back"), "{}", screen_text(&model));
    press(&mut model, "z esc");
    assert!(model.modal.is_none() && !model.panes.zoomed, "Esc leaves the zoom first");
    press(&mut model, "esc");
    assert_eq!(
        (list(&model).rows().len(), model.current),
        (2, 0),
        "back in the list, over what was shown before"
    );
    press(&mut model, "esc esc");
    assert!(model.modal.is_none() && !screen_text(&model).contains("Esc back"));
}

#[test]
fn a_wrong_condition_stays_in_the_palette_with_a_caret() {
    let mut model = model();
    assert!(command(&mut model, "find ia and stpe=3").is_empty());
    assert!(matches!(model.modal, Some(Modal::Palette(_))), "{:?}", model.modal);
    assert!(model.notice.as_deref().unwrap().contains("did you mean step"), "{:?}", model.notice);
    assert!(screen_text(&model).contains("^^^^"), "{}", screen_text(&model));
}

#[test]
fn the_step_is_readable_in_a_narrow_list() {
    let mut model = model();
    model.size = ratatui::layout::Size::new(60, 16);
    command(&mut model, "find ia");
    let session = "20261123-134411-717-sokoban-mini-1-example-model/0001";
    add(&mut model, FindProgress::Steps(vec![row(session, 13)]));
    let text = screen_text(&model);
    assert!(text.contains("▸ …") && text.contains("example-model/0001#13"), "{text}");
}
