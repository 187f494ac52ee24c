//! The form of a sweep: selecting, planning, writing and starting.

use std::path::PathBuf;

use super::form::{Field, SweepForm};
use crate::model::{Modal, Model, View};
use crate::requests::{
    Answer, BuilderAnswer, BuilderOrder, PlannedSelection, Request, SweepOffers, SweepSelection,
};
use crate::testing;
use crate::tests::screen_text;
use crate::update::{Effect, Msg, update};
use mageyard_config::Problem;

fn list(values: &[&str]) -> Vec<String> {
    values.iter().map(|value| (*value).to_owned()).collect()
}

fn keys(model: &mut Model, keys: &str) -> Vec<Effect> {
    keys.split(' ').flat_map(|key| update(model, Msg::Key(testing::key(key)))).collect()
}

/// The orders among these effects.
fn orders(effects: &[Effect]) -> Vec<BuilderOrder> {
    let order = |effect: &Effect| match effect {
        Effect::Request(Request::Builder(order)) => Some(order.clone()),
        _ => None,
    };
    effects.iter().filter_map(order).collect()
}

/// The selection that is to be planned last.
fn planned(effects: &[Effect]) -> (u64, SweepSelection) {
    let plan = orders(effects).into_iter().rev().find_map(|order| match order {
        BuilderOrder::Plan(number, selection) => Some((number, *selection)),
        _ => None,
    });
    plan.expect("a selection is planned")
}

fn answer(model: &mut Model, answer: BuilderAnswer) -> Vec<Effect> {
    update(model, Msg::Answer(Answer::Builder(answer)))
}

fn offers() -> SweepOffers {
    SweepOffers {
        levels: list(&["sokoban/mini", "hanoi/first", "sokoban/mini/1"]),
        models: list(&["gpt-4o", "demo", "demo-weak"]),
        baselines: list(&["idle", "random"]),
        prompts: [("sokoban", "0s-CoT"), ("sokoban", "HD-CoT"), ("hanoi", "0s-CoT"), ("hanoi", "tower")]
            .map(|(environment, name)| (environment.to_owned(), name.to_owned()))
            .to_vec(),
    }
}

fn plan_of(text: &str) -> PlannedSelection {
    PlannedSelection {
        text: text.to_owned(),
        summary: list(&["6 cells with 360 episodes, 2 struck out", "Cost: about 5.35 DEMO expected"]),
        cells: list(&["am=1 om=1", "am=5 om=1"]),
        struck: list(&["am=1 om=2: OM=2 is more than AM=1"]),
        is_complete: true,
    }
}

/// The form with offers, of which the first selection was planned.
fn form(width: u16, height: u16) -> Model {
    let mut model = testing::model(width, height);
    update(&mut model, Msg::Key(testing::key(":")));
    update(&mut model, Msg::Paste("sweep new".into()));
    let effects = keys(&mut model, "enter");
    assert_eq!(orders(&effects), [BuilderOrder::Offer]);
    let effects = answer(&mut model, BuilderAnswer::Offered(Ok(offers())));
    let (number, selection) = planned(&effects);
    assert_eq!((selection.levels, selection.models), (list(&["sokoban/mini"]), list(&["demo"])));
    answer(&mut model, BuilderAnswer::Planned(number, Ok(plan_of("levels = \"sokoban/mini\""))));
    model
}

fn shown(model: &Model) -> &SweepForm {
    match &model.modal {
        Some(Modal::SweepForm(form)) => form,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_plan_with_its_price_and_the_file_is_beside_the_fields() {
    let text = screen_text(&form(120, 40));
    for words in [
        "levels     sokoban/mini",
        "[x] sokoban/mini",
        "[ ] hanoi/first",
        "6 cells with 360 episodes, 2 struck out",
        "Cost: about 5.35 DEMO expected",
        "levels = \"sokoban/mini\"",
        "am=1 om=2: OM=2 is more than AM=1",
        "am=5 om=1",
    ] {
        assert!(text.contains(words), "{words}\n{text}");
    }
}

#[test]
fn a_small_screen_has_the_summary_below_and_the_plan_as_a_field() {
    let mut model = form(80, 24);
    let text = screen_text(&model);
    assert!(text.contains("[x] sokoban/mini") && text.contains("Cost: about 5.35 DEMO"), "{text}");
    while shown(&model).focus != Field::Plan {
        keys(&mut model, "tab");
    }
    assert!(screen_text(&model).contains("File"), "{}", screen_text(&model));
    keys(&mut model, "down down down down down");
    assert!(screen_text(&model).contains("OM=2 is more than AM=1"), "{}", screen_text(&model));
}

#[test]
fn space_selects_several_and_letters_filter() {
    let mut model = form(120, 40);
    let effects = keys(&mut model, "tab down down space");
    assert_eq!(planned(&effects).1.models, list(&["demo", "demo-weak"]));
    let effects = keys(&mut model, "up space");
    assert_eq!(planned(&effects).1.models, list(&["demo-weak"]));
    keys(&mut model, "w e a k");
    let text = screen_text(&model);
    assert!(text.contains("[x] demo-weak") && !text.contains("] gpt-4o"), "{text}");
    assert_eq!(planned(&keys(&mut model, "left")).1.models, list(&[]));
    assert_eq!(planned(&keys(&mut model, "esc right")).1.models, list(&["gpt-4o", "demo", "demo-weak"]));
}

#[test]
fn a_reference_that_is_not_listed_is_typed() {
    let mut model = form(120, 40);
    for letter in "sokoban/mini/2..4".chars() {
        update(&mut model, Msg::Paste(letter.to_string()));
    }
    let effects = keys(&mut model, "space");
    assert_eq!(planned(&effects).1.levels, list(&["sokoban/mini", "sokoban/mini/2..4"]));
}

#[test]
fn prompts_are_those_of_the_environments_that_are_selected() {
    let mut model = form(120, 40);
    keys(&mut model, "tab tab tab");
    assert_eq!(shown(&model).options(), list(&["0s-CoT", "HD-CoT"]));
    keys(&mut model, "backtab backtab backtab down space tab tab tab");
    assert_eq!(shown(&model).options(), list(&["0s-CoT", "HD-CoT", "tower"]));
}

#[test]
fn numbers_are_typed_and_only_the_newest_selection_counts() {
    let mut model = form(120, 40);
    keys(&mut model, "tab tab tab tab");
    assert_eq!(shown(&model).focus, Field::Am);
    let effects = keys(&mut model, "ctrl-u 1 . . 3");
    let (number, selection) = planned(&effects);
    assert_eq!(selection.am, "1..3");
    answer(&mut model, BuilderAnswer::Planned(number - 1, Ok(plan_of("old"))));
    assert!(screen_text(&model).contains("Plan, being made") && !screen_text(&model).contains("  old"));
    answer(&mut model, BuilderAnswer::Planned(number, Err(Problem::new("AM is not a number"))));
    assert!(screen_text(&model).contains("AM is not a number"), "{}", screen_text(&model));
    assert!(orders(&keys(&mut model, "enter")).is_empty(), "what cannot be planned is not written");
}

#[test]
fn enter_writes_the_file_asks_before_it_replaces_one_and_then_starts_the_sweep() {
    let mut model = form(120, 40);
    let save = |effects: Vec<Effect>, replaced: bool| match orders(&effects).as_slice() {
        [BuilderOrder::Save { selection, replaces }] => {
            assert_eq!((selection.name.as_str(), *replaces), ("my-sweep", replaced));
        }
        other => panic!("{other:?}"),
    };
    save(keys(&mut model, "enter"), false);
    answer(&mut model, BuilderAnswer::Saved("my-sweep".into(), Ok(None)));
    assert!(screen_text(&model).contains("Enter replaces its file"), "{}", screen_text(&model));
    save(keys(&mut model, "enter"), true);
    let path = PathBuf::from("/config/sweeps/my-sweep.toml");
    answer(&mut model, BuilderAnswer::Saved("my-sweep".into(), Ok(Some(path))));
    assert!(screen_text(&model).contains("`mageyard sweep run my-sweep` runs it anywhere"));
    let effects = keys(&mut model, "enter");
    assert!(effects.contains(&Effect::Request(Request::StartSweep("my-sweep".into()))), "{effects:?}");
    assert!(model.modal.is_none() && model.view() == View::Episode);
}

#[test]
fn another_name_after_a_refusal_replaces_nothing() {
    let mut model = form(120, 40);
    keys(&mut model, "enter");
    answer(&mut model, BuilderAnswer::Saved("my-sweep".into(), Ok(None)));
    keys(&mut model, "backtab x");
    assert!(!shown(&model).replaces);
    answer(&mut model, BuilderAnswer::Saved("my-sweep".into(), Ok(Some("late".into()))));
    assert!(shown(&model).written.is_none(), "that was the file of another selection");
}

#[test]
fn the_form_is_answered_in_lines() {
    let mut model = form(120, 40);
    let effects = update(&mut model, Msg::Line("models demo, demo-weak".into()));
    assert_eq!(planned(&effects).1.models, list(&["demo", "demo-weak"]));
    let effects = update(&mut model, Msg::Line("am 1..3".into()));
    let (number, selection) = planned(&effects);
    assert_eq!(selection.am, "1..3");
    answer(&mut model, BuilderAnswer::Planned(number, Ok(plan_of("x = 1"))));
    let said = super::lines(shown(&model)).join("\n");
    for words in ["  models: demo, demo-weak", "Plan: Cost: about 5.35", "Struck out: am=1 om=2"] {
        assert!(said.contains(words), "{words}\n{said}");
    }
    update(&mut model, Msg::Line("list prompts".into()));
    assert!(super::lines(shown(&model)).join("\n").contains("Note: 0s-CoT, HD-CoT"));
    update(&mut model, Msg::Line("start".into()));
    assert!(super::lines(shown(&model)).join("\n").contains("write it first"));
    assert_eq!(orders(&update(&mut model, Msg::Line("write".into()))).len(), 1);
    assert_eq!(orders(&update(&mut model, Msg::Line(String::new()))), [BuilderOrder::Close]);
    assert!(model.modal.is_none());
}
