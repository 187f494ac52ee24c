//! Home: its tree, its keys, its lines, and the way to what it opens and back.

use super::view::Home;
use crate::model::{Modal, Model, Stack, View};
use crate::requests::{
    Answer, HomeContents, HomeItem, HomePreview, HomeSection, ModelOrder, Player, Request, SessionBatch,
    SessionSummary, SuiteEntry, WorkshopOrder, WorkshopPlace,
};
use crate::sweep::{CellPhase, CellView, SweepPreview, SweepView};
use crate::testing;
use crate::tests::screen_text;
use crate::update::{Effect, Msg, OpenedRecordings, update};
use mageyard_lab::SessionFields;
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
        ("g p t", Request::PlayWith { level: None, player: Player::Model("gpt".into()) }),
        ("h d - c o t", Request::Workshop(WorkshopOrder::Open(prompt_place()))),
    ] {
        let mut model = model(120, 40);
        keys(&mut model, &format!("/ {filter} enter"));
        assert_eq!(requests(keys(&mut model, "enter")), [request], "{}", screen_text(&model));
    }
}

fn prompt_place() -> WorkshopPlace {
    WorkshopPlace { environment: "sokoban".into(), prompt: "HD-CoT".into(), ..WorkshopPlace::default() }
}

#[test]
fn e_opens_the_workshop_on_a_prompt_only() {
    let mut on_prompt = model(120, 40);
    keys(&mut on_prompt, "/ h d - c o t enter");
    let order = Request::Workshop(WorkshopOrder::Open(prompt_place()));
    assert_eq!(requests(keys(&mut on_prompt, "e")), [order]);
    assert!(matches!(on_prompt.modal, Some(Modal::Workshop(_))));
    let mut elsewhere = model(120, 40);
    keys(&mut elsewhere, "/ w o n enter e");
    assert!(elsewhere.modal.is_none());
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
        assert!(model.view() != View::Home);
        let effects = keys(&mut model, back);
        assert_eq!(requests(effects), [Request::ListHome], "{back}");
        assert_eq!(model.home.as_ref().unwrap().selected, HomeItem::Session("20260101-won".into()));
        assert!(model.view() == View::Home);
    }
    let mut model = model(120, 40);
    assert_eq!(keys(&mut model, "q"), [Effect::Quit]);
}

#[test]
fn the_command_shows_home_from_an_episode() {
    let mut model = testing::model(120, 40);
    assert_eq!(requests(keys(&mut model, "~")), [Request::ListHome]);
    assert!(model.view() == View::Home);
    let snapshot = testing::planned_episode().snapshot().into();
    update(&mut model, Msg::Opened(Ok(snapshot)));
    assert!(model.view() != View::Home, "a level that is opened is shown");
}

#[test]
fn a_preview_of_another_item_is_dropped() {
    let mut model = model(120, 40);
    let lines = |text: &str| HomePreview { lines: vec![text.to_owned()], ..HomePreview::default() };
    let selected = HomeItem::Unfinished("20260102-half".into());
    update(&mut model, Msg::Answer(Answer::Previewed(selected, Ok(lines("it is here")))));
    assert!(screen_text(&model).contains("it is here"));
    let other = HomeItem::Section(HomeSection::Learn);
    update(&mut model, Msg::Answer(Answer::Previewed(other, Ok(lines("not this")))));
    assert!(screen_text(&model).contains("it is here") && !screen_text(&model).contains("not this"));
    let snapshot = Arc::new(testing::planned_episode().snapshot());
    let episode = HomePreview { episode: Some(snapshot), ..HomePreview::default() };
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

/// What is listed, with these many sessions, of which every tenth is of a model.
fn many(count: usize) -> HomeContents {
    let session = |number: usize| {
        let model = if number.is_multiple_of(10) { "gpt-4o" } else { "none" };
        let texts = |text: &str| [text.to_owned()].into();
        let fields = SessionFields {
            environments: texts(if number.is_multiple_of(2) { "sokoban" } else { "hanoi" }),
            models: texts(model),
            endings: texts(if number.is_multiple_of(3) { "won" } else { "step limit" }),
            ..SessionFields::default()
        };
        let summary = format!("sokoban/mini/{number} · oracle");
        let name = format!("2026-{number:05}");
        SessionSummary { name, episodes: 1, summary, is_sweep: false, fields }
    };
    HomeContents { sessions: (0..count).map(session).collect(), ..contents() }
}

/// Home with these many sessions, without anything unfinished.
fn with_many(count: usize) -> Model {
    let mut model = model(120, 40);
    let contents = HomeContents { unfinished: Vec::new(), ..many(count) };
    update(&mut model, Msg::Answer(Answer::Home(Box::new(contents))));
    model
}

fn home(model: &Model) -> &Home {
    model.home.as_deref().unwrap()
}

#[test]
fn moving_and_drawing_make_no_rows() {
    let mut model = with_many(10_000);
    let made = home(&model).tree.made;
    for key in ["down", "end", "up", "home", "pagedown", "down"] {
        keys(&mut model, key);
        screen_text(&model);
    }
    assert_eq!(home(&model).tree.made, made, "the rows of 10,000 sessions are not made again for a key");
    keys(&mut model, "/ w");
    assert_eq!(home(&model).tree.made, made + 1, "a letter of the filter makes them once");
}

#[test]
fn a_filter_compares_texts_as_conditions_do() {
    for (filter, count) in [
        ("model=gpt-4o", 10),
        ("model~GPT ending=won", 4),
        ("environment=hanoi model~gpt", 0),
        ("environment!=hanoi ending=\"step limit\" mini/8", 5),
        ("2026-0001 ending~step", 7),
        ("recordings model=", 100),
    ] {
        let mut model = with_many(100);
        update(&mut model, Msg::Line(format!("/{filter}")));
        let rows = home(&model).tree.rows();
        assert_eq!(rows.len(), count, "{filter}: {rows:?}");
    }
}

#[test]
fn sessions_that_are_read_later_replace_their_names() {
    let mut model = model(120, 40);
    let unread = |name: &str| SessionSummary { name: name.to_owned(), ..SessionSummary::default() };
    let listed = HomeContents {
        sessions: vec![unread("20260102-half"), unread("20260101-won"), unread("20260100-empty")],
        unfinished: Vec::new(),
        ..contents()
    };
    update(&mut model, Msg::Answer(Answer::Home(Box::new(listed))));
    let text = screen_text(&model);
    assert!(text.contains("20260101-won") && text.contains("20260100-empty"), "{text}");
    let batch = SessionBatch {
        read: contents().sessions,
        gone: vec!["20260100-empty".to_owned()],
        unfinished: Some(vec!["20260102-half".to_owned()]),
    };
    update(&mut model, Msg::Answer(Answer::SessionsRead(Box::new(batch))));
    let text = screen_text(&model);
    assert!(text.contains("sokoban/mini/1 · oracle  2 episodes · 20260101…"), "{text}");
    assert!(text.contains("2 sessions · 1 unfinished") && !text.contains("20260100-empty"), "{text}");
}

#[test]
fn a_session_is_deleted_after_a_question() {
    let mut model = model(120, 40);
    keys(&mut model, "/ w o n enter");
    assert!(keys(&mut model, "d").is_empty());
    let text = screen_text(&model);
    assert!(text.contains("Delete the session?") && text.contains("log restore"), "{text}");
    assert!(requests(keys(&mut model, "n")).is_empty());
    assert!(screen_text(&model).contains("the session was kept"));
    keys(&mut model, "d");
    assert_eq!(requests(keys(&mut model, "y")), [Request::Delete("20260101-won".into())]);
    keys(&mut model, "esc");
    let problem = mageyard_config::Problem::new("it is open in a running mageyard");
    update(&mut model, Msg::Answer(Answer::Deleted("20260101-won".into(), Err(problem))));
    assert!(screen_text(&model).contains("It was not deleted"), "{}", screen_text(&model));
    keys(&mut model, "esc");
    update(&mut model, Msg::Answer(Answer::Deleted("20260101-won".into(), Ok(()))));
    let text = screen_text(&model);
    assert!(text.contains("deleted; `mageyard log restore 20260101-won` brings it back"), "{text}");
    assert!(text.contains("1 session · 1 sweep") && !text.contains("20260101-won  "), "{text}");
    assert_eq!(home(&model).selected, HomeItem::Sweep("ablation".into()), "the next row is selected");
    assert!(keys(&mut model, "d").is_empty());
    assert!(screen_text(&model).contains("Delete the sweep?"));
}

#[test]
fn each_kind_of_item_is_played_again_or_says_why_not() {
    for (filter, request) in [
        ("full", Request::OpenLevel("sokoban/full/1".into())),
        ("recordings won", Request::PlayAgain("20260101-won".into())),
        ("continue", Request::PlayAgain("20260102-half".into())),
        ("gpt", Request::PlayWith { level: None, player: Player::Model("gpt".into()) }),
    ] {
        let mut model = model(120, 40);
        update(&mut model, Msg::Line(format!("/{filter}")));
        assert_eq!(requests(keys(&mut model, "n")), [request], "{filter}");
    }
    for (filter, why) in [
        ("walls", "a suite has no beginning"),
        ("hd-cot", "a prompt has no beginning"),
        ("", "select a level, a session or a model"),
    ] {
        let mut model = model(120, 40);
        update(&mut model, Msg::Line(format!("/{filter}")));
        if filter.is_empty() {
            keys(&mut model, "home");
        }
        assert!(requests(keys(&mut model, "n")).is_empty());
        assert!(screen_text(&model).contains(why), "{}", screen_text(&model));
        assert!(requests(keys(&mut model, "d")).is_empty() && model.modal.is_none());
        assert!(screen_text(&model).contains("only sessions and sweeps are deleted here"));
    }
}

#[test]
fn n_on_a_sweep_opens_the_form_of_a_new_one() {
    let mut model = model(120, 40);
    update(&mut model, Msg::Line("/ablation".into()));
    let effects = update(&mut model, Msg::Key(crate::testing::key("n")));
    let offer = Request::Builder(crate::requests::BuilderOrder::Offer);
    assert!(effects.contains(&Effect::Request(offer)), "{effects:?}");
    assert!(screen_text(&model).contains("New sweep"), "{}", screen_text(&model));
}

#[test]
fn a_sweep_is_previewed_with_its_cells() {
    let mut model = model(120, 40);
    update(&mut model, Msg::Line("/ablation".into()));
    let cell = |name: &str, state, finished| CellView {
        name: name.to_owned(),
        values: vec![name.to_owned()],
        state,
        finished,
        planned: 2,
        ..CellView::default()
    };
    let cells = vec![cell("one", CellPhase::Done, 2), cell("two", CellPhase::Failed, 1)];
    let view =
        SweepView { name: "ablation".into(), columns: vec!["agent".into()], cells, ..SweepView::default() };
    let sweep = Some(SweepPreview { view: Arc::new(view), ..SweepPreview::default() });
    let preview = HomePreview { sweep, ..HomePreview::default() };
    let item = HomeItem::Sweep("ablation".into());
    update(&mut model, Msg::Answer(Answer::Previewed(item, Ok(preview))));
    let text = screen_text(&model);
    for words in ["2 cells  ✓ 1 done  ! 1 failed", "3 of 4 episodes", "agent", "! failed"] {
        assert!(text.contains(words), "{words}\n{text}");
    }
    super::news(model.home.as_deref_mut().unwrap());
    update(&mut model, Msg::Line("show 1".into()));
    let said = super::news(model.home.as_deref_mut().unwrap()).join("\n");
    assert_eq!(said, "", "it is asked for again");
}

#[test]
fn home_in_two_sizes_and_its_question() {
    let wide = model(120, 40);
    insta::assert_snapshot!("home-120x40", screen_text(&wide));
    let mut small = model(80, 24);
    keys(&mut small, "/ w o n enter d");
    insta::assert_snapshot!("home-delete-80x24", screen_text(&small));
}

#[test]
fn the_line_of_keys_fits_and_ends_with_quit() {
    for (width, has) in [(120, "y address"), (80, "d delete"), (60, "/ filter")] {
        let text = screen_text(&model(width, 24));
        let keys = text.lines().rfind(|line| line.contains("Enter open")).unwrap();
        assert!(keys.trim_end().ends_with("q quit") && keys.contains(has), "{width}: {keys}");
    }
}

#[test]
fn lines_delete_play_again_and_show() {
    let mut model = model(120, 40);
    super::news(model.home.as_deref_mut().unwrap());
    assert_eq!(
        requests(update(&mut model, Msg::Line("n 2".into()))),
        [Request::PlayAgain("20260102-half".into())]
    );
    update(&mut model, Msg::Line("d 2".into()));
    assert!(matches!(&model.modal, Some(Modal::Delete(deletion)) if deletion.name == "20260102-half"));
    assert_eq!(
        requests(update(&mut model, Msg::Line("yes".into()))),
        [Request::Delete("20260102-half".into())]
    );
    update(&mut model, Msg::Line("show 2".into()));
    let item = HomeItem::Unfinished("20260102-half".into());
    let preview = HomePreview { lines: vec!["left at step 3".to_owned()], ..HomePreview::default() };
    update(&mut model, Msg::Answer(Answer::Previewed(item, Ok(preview))));
    let said = super::news(model.home.as_deref_mut().unwrap()).join("\n");
    assert_eq!(said, "sokoban/mini/1 · oracle: left at step 3");
    update(&mut model, Msg::Line("delete 99".into()));
    assert!(model.notice.as_deref().unwrap().contains("there is no row 99"));
    let mut model = with_many(1000);
    let said = super::news(model.home.as_deref_mut().unwrap());
    assert!(said.len() < 100 && said.iter().any(|line| line.contains("and 960 more")), "{said:?}");
}

fn first_start(width: u16, height: u16) -> (Model, Vec<Effect>) {
    let mut model = testing::model(width, height);
    model.episodes.clear();
    model.stack = Stack::begin(View::Home);
    model.home = Some(Box::new(Home::default()));
    let unused = HomeContents { unfinished: Vec::new(), sessions: Vec::new(), ..contents() };
    let effects = update(&mut model, Msg::Answer(Answer::Home(Box::new(unused))));
    (model, effects)
}

#[test]
fn on_the_first_start_an_agent_plays_beside_the_choices() {
    let demo = || Player::Agent("demo".into());
    let (mut model, effects) = first_start(120, 40);
    assert!(effects.contains(&Effect::Request(Request::Welcome(Some(demo())))), "{effects:?}");
    let snapshot = Arc::new(testing::planned_episode().snapshot());
    update(&mut model, Msg::Answer(Answer::Welcome(snapshot)));
    let text = screen_text(&model);
    for words in ["memory window", "watch and step", "connect a model", "learn", "demo plays", "step 3 of 50"]
    {
        assert!(text.contains(words), "{words}\n{text}");
    }
    let stop = Request::Welcome(None);
    let play = Request::PlayWith { level: None, player: demo() };
    assert_eq!(requests(keys(&mut model, "enter")), [play, stop.clone()]);
    let (mut model, _) = first_start(120, 40);
    model.stack = Stack::begin(View::Episode);
    let snapshot = Arc::new(testing::planned_episode().snapshot());
    let late = update(&mut model, Msg::Answer(Answer::Welcome(snapshot)));
    assert_eq!(requests(late), std::slice::from_ref(&stop), "home was left in another way");
    let (mut model, _) = first_start(120, 40);
    assert_eq!(requests(keys(&mut model, "t")), [Request::OpenLesson("stepping"), stop.clone()]);
    let (mut model, _) = first_start(120, 40);
    assert_eq!(requests(keys(&mut model, "m")), [Request::Model(ModelOrder::List), stop.clone()]);
    let (mut model, _) = first_start(120, 40);
    assert_eq!(requests(keys(&mut model, "tab")), [stop]);
    assert!(screen_text(&model).contains("▾ Continue"));
    assert!(keys(&mut model, "home enter").is_empty(), "the tree takes the keys now");
}

#[test]
fn recordings_show_how_they_ended_with_word_sign_and_colour() {
    let mut model = model(120, 40);
    let mut listed = contents();
    listed.sessions[1].fields.endings = ["won".to_owned(), "step limit".to_owned()].into();
    update(&mut model, Msg::Answer(Answer::Home(Box::new(listed))));
    let text = screen_text(&model);
    assert!(
        text.contains("oracle  ✓ won  ■ step limit") || text.contains("oracle  ■ step limit  ✓ won"),
        "{text}"
    );
    assert!(text.contains("oracle  ‖ unfinished"), "{text}");
    let said = super::lines::news(model.home.as_mut().unwrap()).join("\n");
    assert!(said.contains("oracle: unfinished · 2 episodes"), "{said}");
    keys(&mut model, "/");
    update(&mut model, Msg::Paste("step limit".to_owned()));
    let text = screen_text(&model);
    assert!(
        text.contains("■ step limit") && !text.contains("unfinished  "),
        "words of states are filtered\n{text}"
    );
}

#[test]
fn the_first_start_names_every_choice_at_every_size() {
    for (width, height) in [(120, 40), (80, 24), (60, 16)] {
        let (model, _) = first_start(width, height);
        let text = screen_text(&model);
        for choice in ["Enter watch and step", "connect a model", "t     learn", "Tab   everything else"] {
            assert!(text.contains(choice), "{choice} at {width}x{height}\n{text}");
        }
        assert_eq!(text.contains("An agent looks at"), height > 16, "{text}");
    }
}
