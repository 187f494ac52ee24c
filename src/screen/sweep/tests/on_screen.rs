//! The dashboard as a view of the screen: the way to an episode and back.

use super::*;
use crate::model::{Stack, View};
use crate::requests::{Answer, Request, SessionSummary};
use crate::testing;
use crate::update::{Effect, Msg, OpenedRecordings, update};

/// A screen that shows a dashboard over an episode that was opened before.
fn screen() -> crate::model::Model {
    let mut model = testing::model(100, 30);
    let content = Content { episodes: Arc::new(episodes()), ..with_maps() };
    model.stack = Stack::begin(View::Sweep);
    model.sweep = Some(Dashboard::new(content).into());
    model
}

fn keys(model: &mut crate::model::Model, keys: &str) -> Vec<Effect> {
    let press = |key: &str| update(model, Msg::Key(testing::key(key)));
    keys.split(' ').flat_map(press).collect()
}

fn text(model: &crate::model::Model) -> String {
    crate::tests::screen_text(model)
}

#[test]
fn enter_shows_an_episode_and_escape_or_quit_shows_the_dashboard_again() {
    let mut model = screen();
    assert!(text(&model).contains("ablation"), "{}", text(&model));
    let effects = keys(&mut model, "tab down enter");
    assert_eq!(effects, [Effect::WatchCell(Some(1))], "its episodes are read");
    let journal = Path::new("0001").join("journal.jsonl");
    assert_eq!(keys(&mut model, "enter"), [Effect::Request(Request::OpenWritten(journal))]);
    for back in ["esc", "q"] {
        let snapshot = Arc::new(testing::planned_episode().snapshot());
        let opened = OpenedRecordings { unread: Vec::new(), read: vec![(model.episodes.len(), snapshot)] };
        keys(&mut model, "enter");
        update(&mut model, Msg::Recorded(Ok(opened)));
        assert!(model.shown_sweep().is_none() && !text(&model).contains("ablation"));
        assert!(text(&model).contains("Esc back"), "{}", text(&model));
        assert!(keys(&mut model, back).is_empty(), "{back} does not leave the screen");
        assert!(model.shown_sweep().is_some() && text(&model).contains("ablation"));
    }
    let mut effects = keys(&mut model, "q");
    assert!(effects.is_empty() && text(&model).contains("stop the run?"), "{}", text(&model));
    effects.extend(keys(&mut model, "y"));
    assert_eq!(effects, [Effect::Quit]);
}

#[test]
fn an_episode_that_cannot_be_opened_is_said_over_the_dashboard() {
    let mut model = screen();
    keys(&mut model, "tab down enter enter");
    let problem = mageyard_config::Problem::new("its journal is damaged");
    update(&mut model, Msg::Recorded(Err(problem)));
    assert!(text(&model).contains("its journal is damaged"), "{}", text(&model));
    keys(&mut model, "esc");
    assert!(model.shown_sweep().is_some() && model.modal.is_none());
}

#[test]
fn ctrl_c_on_the_dashboard_is_a_signal() {
    assert_eq!(keys(&mut screen(), "ctrl-c"), [Effect::Interrupt]);
    assert_eq!(update(&mut screen(), Msg::Interrupted), [Effect::Interrupt]);
}

#[test]
fn a_dashboard_that_was_opened_from_the_list_leads_back_to_it() {
    let mut model = testing::model(120, 40);
    keys(&mut model, "E");
    let sweep = SessionSummary {
        name: "b".into(),
        episodes: 6,
        summary: "sweep".into(),
        is_sweep: true,
        ..SessionSummary::default()
    };
    update(&mut model, Msg::Answer(Answer::Sessions(Ok(vec![sweep]))));
    for leave in ["esc", "q"] {
        let effects = keys(&mut model, "down enter");
        assert_eq!(effects, [Effect::Request(Request::OpenSweep("b".into()))]);
        update(&mut model, Msg::SweepOpened(Ok(content())));
        assert!(model.shown_sweep().is_some() && model.modal.is_none());
        keys(&mut model, "enter");
        keys(&mut model, "esc");
        assert!(model.shown_sweep().is_some(), "Esc leaves the cell first");
        let view = SweepView { is_run: false, ..view() };
        update(&mut model, Msg::SweepChanged(Content { view: view.into(), ..content() }));
        assert_eq!(keys(&mut model, leave), [Effect::CloseSweep]);
        assert!(model.sweep.is_none() && text(&model).contains("sweep"), "{}", text(&model));
    }
}

#[test]
fn newer_content_is_shown() {
    let mut model = screen();
    let view = SweepView { name: "larger".to_owned(), ..view() };
    update(&mut model, Msg::SweepChanged(Content { view: view.into(), ..content() }));
    assert!(text(&model).contains("larger"), "{}", text(&model));
}

#[test]
fn find_readers_and_orders_are_about_the_sweep_or_the_open_cell() {
    use crate::requests::{ReaderOrder, SweepOrder};
    let mut model = screen();
    let find = |model: &mut crate::model::Model| keys(model, "/ i a enter");
    let found = |scope: &str| {
        let (condition, scope) = ("ia".to_owned(), Some(scope.to_owned()));
        vec![Effect::Request(Request::Find { condition, scope })]
    };
    assert_eq!(find(&mut model), found("ablation"));
    assert!(text(&model).contains("Steps with ia in ablation"), "{}", text(&model));
    keys(&mut model, "esc tab down enter");
    assert_eq!(find(&mut model), found("ablation/cell-1"));
    keys(&mut model, "esc");
    let readers = ReaderOrder::Open("ablation/cell-1".to_owned());
    assert_eq!(keys(&mut model, "r"), [Effect::Request(Request::Reader(readers))]);
    keys(&mut model, "esc");
    let order = Request::OrderSweep { sweep: "ablation".to_owned(), order: SweepOrder::PauseOrResume };
    assert_eq!(keys(&mut model, "p"), [Effect::Request(order)]);
    update(&mut model, Msg::Answer(Answer::SweepOrdered(Ok("paused by ada@node1".to_owned()))));
    assert!(text(&model).contains("paused by ada@node1"), "{}", text(&model));
    assert!(keys(&mut model, "c").is_empty() && text(&model).contains("y cancels"), "{}", text(&model));
}

#[test]
fn a_suite_is_made_of_the_steps_that_were_found_and_asked_about() {
    use crate::requests::{FindProgress, FoundRow, SuiteAnswer, SuiteOrder};
    let mut model = screen();
    keys(&mut model, "/ i a enter");
    let journal = Path::new("0001").join("journal.jsonl");
    let row = FoundRow { journal: journal.clone(), step: 3, run: "r#3".to_owned(), facts: String::new() };
    update(&mut model, Msg::Answer(Answer::Found(FindProgress::Steps(vec![row]))));
    keys(&mut model, "s");
    assert!(text(&model).contains("the search goes on"), "{}", text(&model));
    update(&mut model, Msg::Answer(Answer::Found(FindProgress::Ended(Ok(())))));
    keys(&mut model, "s q w");
    assert!(text(&model).contains("name of the suite of 1 step: qw"), "{}", text(&model));
    let order = SuiteOrder::Collect { suite: "qw".to_owned(), steps: vec![(journal, 3)] };
    assert_eq!(keys(&mut model, "enter"), [Effect::Request(Request::Suite(order))]);
    let answer = SuiteAnswer::Collected("qw".to_owned(), Err(mageyard_config::Problem::new("no room")));
    update(&mut model, Msg::Answer(Answer::Suite(answer)));
    assert!(text(&model).contains("no room"), "{}", text(&model));
    keys(&mut model, "s q enter");
    let answer = SuiteAnswer::Collected("q".to_owned(), Ok("1 state".to_owned()));
    let effects = update(&mut model, Msg::Answer(Answer::Suite(answer)));
    assert_eq!(effects, [Effect::Request(Request::Suite(SuiteOrder::Read("q".to_owned())))]);
    assert!(text(&model).contains("Ask about the suite q"), "{}", text(&model));
}

#[test]
fn the_selected_cell_is_read_where_it_is_shown_beside_the_maps() {
    let mut model = screen();
    model.size = ratatui::layout::Size::new(120, 40);
    assert_eq!(keys(&mut model, "down"), [Effect::WatchCell(Some(1))]);
    assert!(text(&model).contains("sokoban/mini/1 · 1"), "{}", text(&model));
}
