//! Home: its tree, its keys, its lines, and the way to what it opens and back.

use super::view::Home;
use crate::model::{Model, Stack, View};
use crate::requests::{
    Answer, HomeContents, HomeItem, HomePreview, HomeSection, Request, SessionSummary, SuiteEntry,
};
use crate::testing;
use crate::tests::screen_text;
use crate::update::{Effect, Msg, OpenedRecordings, update};
use std::sync::Arc;

fn contents() -> HomeContents {
    let session = |name: &str, is_sweep| SessionSummary {
        name: name.to_owned(),
        episodes: 2,
        summary: "sokoban/mini/1 · oracle".to_owned(),
        is_sweep,
        ..SessionSummary::default()
    };
    HomeContents {
        unfinished: vec!["20260102-half".to_owned()],
        levels: ["sokoban/mini/1", "sokoban/mini/2", "sokoban/full/1", "hanoi/first/1"]
            .map(str::to_owned)
            .to_vec(),
        sessions: vec![
            session("20260102-half", false),
            session("20260101-won", false),
            session("ablation", true),
        ],
        suites: vec![SuiteEntry { name: "walls".to_owned(), ..SuiteEntry::default() }],
        prompts: vec![
            ("sokoban".to_owned(), "0s-CoT".to_owned()),
            ("sokoban".to_owned(), "HD-CoT".to_owned()),
        ],
        models: vec!["gpt".to_owned()],
        problems: Vec::new(),
    }
}

fn model(width: u16, height: u16) -> Model {
    let mut model = testing::model(width, height);
    model.episodes.clear();
    model.stack = Stack::begin(View::Home);
    model.home = Some(Box::new(Home::default()));
    update(&mut model, Msg::Answer(Answer::Home(Box::new(contents()))));
    model
}

fn keys(model: &mut Model, keys: &str) -> Vec<Effect> {
    keys.split(' ').flat_map(|key| update(model, Msg::Key(testing::key(key)))).collect()
}

fn requests(effects: Vec<Effect>) -> Vec<Request> {
    let request = |effect| match effect {
        Effect::Request(Request::Preview(_)) => None,
        Effect::Request(request) => Some(request),
        other => panic!("{other:?} is no request"),
    };
    effects.into_iter().filter_map(request).collect()
}

#[test]
fn the_tree_begins_with_what_can_be_continued() {
    let model = model(120, 40);
    let text = screen_text(&model);
    for words in [
        "2 sessions · 1 sweep · 1 unfinished",
        "▾ Continue",
        "›    sokoban/mini/1 · oracle  20260102-half",
        "▸ sokoban  3",
        "▸ Suites  1",
        "an unfinished session: Enter goes on where it stopped",
    ] {
        assert!(text.contains(words), "{words}\n{text}");
    }
    assert_eq!(model.home.as_ref().unwrap().selected, HomeItem::Unfinished("20260102-half".into()));
}

#[test]
fn enter_opens_each_kind_of_item() {
    for (filter, request) in [
        ("c o n t i n u e", Request::Resume("20260102-half".into())),
        ("f u l l", Request::OpenLevel("sokoban/full/1".into())),
        ("w o n", Request::OpenRecorded("20260101-won".into())),
        ("a b l a t i o n", Request::OpenSweep("ablation".into())),
        ("g p t", Request::PlayModel("gpt".into())),
        ("h d - c o t", Request::NewPromptText { environment: "sokoban".into(), from: "HD-CoT".into() }),
    ] {
        let mut model = model(120, 40);
        keys(&mut model, &format!("/ {filter} enter"));
        assert_eq!(requests(keys(&mut model, "enter")), [request], "{}", screen_text(&model));
    }
}

#[test]
fn folders_open_and_close_and_levels_are_below_them() {
    let mut model = model(120, 40);
    keys(&mut model, "down down");
    assert!(screen_text(&model).contains("Enter opens it"));
    keys(&mut model, "right down right down");
    assert_eq!(model.home.as_ref().unwrap().selected, HomeItem::Level("sokoban/mini/1".into()));
    keys(&mut model, "up enter");
    assert!(screen_text(&model).contains("▸ mini  2"), "{}", screen_text(&model));
    assert_eq!(model.home.as_ref().unwrap().selected, HomeItem::Levels("sokoban/mini/".into()));
}

#[test]
fn escape_and_quit_lead_back_from_an_episode_with_the_cursor_where_it_was() {
    for back in ["esc", "q"] {
        let mut model = model(120, 40);
        keys(&mut model, "/ w o n enter enter");
        let snapshot = Arc::new(testing::planned_episode().snapshot());
        let opened = OpenedRecordings { unread: Vec::new(), read: vec![(0, snapshot)] };
        update(&mut model, Msg::Recorded(Ok(opened)));
        assert!(model.shown_home().is_none());
        let effects = keys(&mut model, back);
        assert_eq!(requests(effects), [Request::ListHome], "{back}");
        assert_eq!(model.home.as_ref().unwrap().selected, HomeItem::Session("20260101-won".into()));
        assert!(model.shown_home().is_some());
    }
    let mut model = model(120, 40);
    assert_eq!(keys(&mut model, "q"), [Effect::Quit]);
}

#[test]
fn the_command_shows_home_from_an_episode() {
    let mut model = testing::model(120, 40);
    assert_eq!(requests(keys(&mut model, "~")), [Request::ListHome]);
    assert!(model.shown_home().is_some());
    let snapshot = testing::planned_episode().snapshot().into();
    update(&mut model, Msg::Opened(Ok(snapshot)));
    assert!(model.shown_home().is_none(), "a level that is opened is shown");
}

#[test]
fn a_preview_of_another_item_is_dropped() {
    let mut model = model(120, 40);
    let lines = |text: &str| HomePreview { episode: None, lines: vec![text.to_owned()] };
    let selected = HomeItem::Unfinished("20260102-half".into());
    update(&mut model, Msg::Answer(Answer::Previewed(selected, Ok(lines("it is here")))));
    assert!(screen_text(&model).contains("it is here"));
    let other = HomeItem::Section(HomeSection::Learn);
    update(&mut model, Msg::Answer(Answer::Previewed(other, Ok(lines("not this")))));
    assert!(screen_text(&model).contains("it is here") && !screen_text(&model).contains("not this"));
    let snapshot = Arc::new(testing::planned_episode().snapshot());
    let episode = HomePreview { episode: Some(snapshot), lines: Vec::new() };
    update(
        &mut model,
        Msg::Answer(Answer::Previewed(HomeItem::Unfinished("20260102-half".into()), Ok(episode))),
    );
    assert!(screen_text(&model).contains("oracle"), "{}", screen_text(&model));
}

#[test]
fn small_screens_have_the_tree_only() {
    for (width, height) in [(80, 24), (60, 16)] {
        let text = screen_text(&model(width, height));
        assert!(text.contains("▾ Continue") && text.contains("Enter goes on where it stopped"), "{text}");
        assert!(text.contains("Enter open"), "{text}");
    }
}

#[test]
fn lines_have_numbers_that_open() {
    let mut model = model(120, 40);
    let said = super::news(model.home.as_deref_mut().unwrap()).join("\n");
    assert!(said.contains("1: Continue, open: 1\n  2: sokoban/mini/1 · oracle: 20260102-half"), "{said}");
    assert!(super::news(model.home.as_deref_mut().unwrap()).is_empty(), "nothing is said twice");
    assert_eq!(
        requests(update(&mut model, Msg::Line("2".into()))),
        [Request::Resume("20260102-half".into())]
    );
    update(&mut model, Msg::Line("/full".into()));
    assert!(super::news(model.home.as_deref_mut().unwrap()).join("\n").contains("1: sokoban/full/1"));
    assert_eq!(update(&mut model, Msg::Line("quit".into())), [Effect::Quit]);
}

#[test]
fn hostile_names_are_data() {
    let mut model = model(120, 40);
    let evil = "\u{1b}[2J\u{202e}name\n";
    let mut contents = contents();
    contents.sessions[0].name = evil.to_owned();
    contents.unfinished = vec![evil.to_owned()];
    update(&mut model, Msg::Answer(Answer::Home(Box::new(contents))));
    assert!(!screen_text(&model).contains(['\u{1b}', '\u{202e}']));
    assert!(!super::news(model.home.as_deref_mut().unwrap()).concat().contains(['\u{1b}', '\u{202e}']));
}
