//! The help: its entries, its columns, its keys and its filter.

use super::sheet::{HelpEntry, HelpSheet, HelpTarget};
use crate::command::{ScreenView, commands_in, is_listed};
use crate::model::{Modal, Model};
use crate::requests::Request;
use crate::testing;
use crate::tests::screen_text;
use crate::update::{Effect, Msg, update};
use insta::assert_snapshot;
use mageyard_domain::{Action, Setting};
use mageyard_engine::SessionCommand;

fn press(model: &mut Model, keys: &str) -> Vec<Effect> {
    keys.split(' ').flat_map(|key| update(model, Msg::Key(testing::key(key)))).collect()
}

fn sheet(model: &Model) -> &HelpSheet {
    match &model.modal {
        Some(Modal::Help(sheet)) => sheet,
        other => panic!("{other:?} is not the help"),
    }
}

fn entries(model: &Model) -> Vec<HelpEntry> {
    HelpSheet::default().entries(model)
}

/// The keys that select the entry of this command and run it.
fn run(model: &Model, name: &str) -> String {
    let is_it =
        |entry: &HelpEntry| matches!(entry.target, HelpTarget::Command(id) if id.command().name == name);
    let index = entries(model).iter().position(is_it).unwrap();
    format!("? {}enter", "down ".repeat(index))
}

#[test]
fn every_key_is_on_one_screen() {
    let mut model = testing::model(120, 40);
    press(&mut model, "?");
    let text = screen_text(&model);
    for entry in entries(&model) {
        assert!(text.contains(&entry.brief), "{}\n{text}", entry.brief);
    }
    let bound = commands_in(ScreenView::Episode).filter(|row| !row.keys.is_empty() || is_listed(row));
    let about: String = entries(&model).into_iter().map(|entry| entry.about).collect();
    for row in bound {
        assert!(about.contains(row.help), "{}", row.name);
    }
    assert_snapshot!("help-120", text);
}

#[test]
fn a_narrow_screen_scrolls_to_the_selected_entry() {
    let mut model = testing::model(80, 24);
    press(&mut model, "? G");
    let last = entries(&model).len() - 1;
    assert_eq!(sheet(&model).selected(), last);
    let text = screen_text(&model);
    assert!(text.contains("▸q "), "{text}");
    press(&mut model, "j");
    assert_eq!(sheet(&model).selected(), last);
    press(&mut model, "k k 0");
    assert_eq!(sheet(&model).selected(), 0);
    press(&mut model, "space");
    assert!(sheet(&model).selected() > 5);
    assert_snapshot!("help-80", screen_text(&model));
}

#[test]
fn an_entry_of_the_next_column_is_selected_beside_this_one() {
    let mut model = testing::model(120, 40);
    press(&mut model, "? right");
    let beside = sheet(&model).selected();
    assert!(beside > 10, "{beside}");
    press(&mut model, "left left");
    assert_eq!(sheet(&model).selected(), 0);
}

#[test]
fn enter_runs_the_selected_entry() {
    let mut model = testing::model(120, 40);
    let keys = run(&model, "raw");
    press(&mut model, &keys);
    assert!(model.agent.raw && model.modal.is_none());
    let keys = run(&model, "open");
    press(&mut model, &keys);
    assert!(matches!(&model.modal, Some(Modal::Palette(palette)) if palette.input() == "open "));
}

#[test]
fn a_filter_finds_an_entry_by_any_of_its_words() {
    let mut model = testing::model(120, 40);
    press(&mut model, "? / q q esc / o p e n space e p i s o d e s space r e c o r d e d");
    assert_eq!(sheet(&model).entries(&model).len(), 1, "{}", screen_text(&model));
    assert_eq!(press(&mut model, "enter"), [Effect::Request(Request::ListSessions)]);
    press(&mut model, "esc ? / q q q");
    assert!(screen_text(&model).contains("no key has these words"));
    assert!(press(&mut model, "enter").is_empty() && model.modal.is_none());
}

#[test]
fn the_question_mark_explains_and_escape_closes() {
    let mut model = testing::model(80, 24);
    press(&mut model, "? ?");
    let text = screen_text(&model);
    assert!(text.contains("Frame: The observation of the environment"), "{text}");
    press(&mut model, "esc");
    assert!(model.modal.is_none());
}

#[test]
fn a_person_plays_an_action_from_the_help() {
    let told = testing::ScriptedEpisode::new("human", Setting::Online, (5, 1));
    let mut model = testing::model_of(told.snapshot(), 120, 40);
    let left = HelpTarget::Action("Left".into());
    let index = entries(&model).iter().position(|entry| entry.target == left).unwrap();
    let effects = press(&mut model, &format!("? {}enter", "down ".repeat(index)));
    assert_eq!(effects, [Effect::Command(0, SessionCommand::Play(vec![Action::plain("Left")]))]);
}
