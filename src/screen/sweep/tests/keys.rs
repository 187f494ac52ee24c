//! What keys do.

use super::*;
use crate::sweep::page::Page;

#[test]
fn keys_select_filter_and_quit() {
    let content = content();
    let mut state = DashboardState::default();
    press(&mut state, &content, KeyCode::Char('j'));
    press(&mut state, &content, KeyCode::Down);
    assert_eq!(state.selected, 2);
    press(&mut state, &content, KeyCode::Char('f'));
    assert_eq!((state.only, state.selected), (Some(CellPhase::Done), 1), "the nearest cell of the list");
    for _ in 0..4 {
        press(&mut state, &content, KeyCode::Char('f'));
    }
    assert_eq!((state.only, state.selected), (Some(CellPhase::Queued), 5));
    press(&mut state, &content, KeyCode::Char('f'));
    assert_eq!(state.only, None);
    let quit = press(&mut state, &content, KeyCode::Char('q'));
    assert_eq!(quit, Outcome::Draw, "it stops a run only when confirmed");
    assert_eq!(press(&mut state, &content, KeyCode::Char('k')), Outcome::Draw);
    assert_eq!(press(&mut state, &content, KeyCode::Char('q')), Outcome::Draw);
    assert_eq!(press(&mut state, &content, KeyCode::Char('y')), Outcome::Quit);
    let ended = Content { view: Arc::new(SweepView { has_ended: true, ..view() }), ..content };
    assert_eq!(press(&mut state, &ended, KeyCode::Char('q')), Outcome::Quit);
}

#[test]
fn from_the_map_to_a_cell_to_an_episode_and_back() {
    let content = with_maps();
    let mut state = DashboardState::default();
    assert_eq!(state.page(&content), Page::Map);
    press(&mut state, &content, KeyCode::Right);
    press(&mut state, &content, KeyCode::Enter);
    assert_eq!(state.page(&content), Page::Map, "a window that cannot be played has no cell");
    assert_eq!(state.remark, "no cell of the sweep is here");
    press(&mut state, &content, KeyCode::Left);
    press(&mut state, &content, KeyCode::Down);
    assert_eq!(press(&mut state, &content, KeyCode::Enter), Outcome::Draw);
    assert_eq!((state.page(&content), state.open_cell()), (Page::Cell, Some(1)));
    press(&mut state, &content, KeyCode::Down);
    assert_eq!(press(&mut state, &content, KeyCode::Enter), Outcome::Show("0002/journal.jsonl".into()));
    press(&mut state, &content, KeyCode::Esc);
    assert_eq!((state.page(&content), state.open_cell(), state.place), (Page::Map, None, (1, 0)));
    press(&mut state, &content, KeyCode::Tab);
    assert_eq!((state.page(&content), state.selected), (Page::Table, 1), "the same cell");
    press(&mut state, &content, KeyCode::Char('j'));
    press(&mut state, &content, KeyCode::Tab);
    assert_eq!(state.page(&content), Page::Activity);
    press(&mut state, &content, KeyCode::Tab);
    assert_eq!((state.page(&content), state.place), (Page::Map, (1, 1)));
}

#[test]
fn places_at_the_ends_and_other_maps() {
    let content = with_maps();
    let mut state = DashboardState::default();
    press(&mut state, &content, KeyCode::Char('G'));
    press(&mut state, &content, KeyCode::Down);
    assert_eq!(state.place, (2, 1));
    press(&mut state, &content, KeyCode::Char('n'));
    assert_eq!((state.map, state.place), (1, (2, 1)));
    press(&mut state, &content, KeyCode::Char('n'));
    assert_eq!(state.map, 0);
    press(&mut state, &content, KeyCode::Char('N'));
    assert_eq!(state.map, 1);
    assert!(drawn(&content, &mut state, (80, 24))[11].contains("prompt B  map 2 of 2"));
}

#[test]
fn episodes_are_filtered() {
    let content = content();
    let mut state = DashboardState::default();
    press(&mut state, &content, KeyCode::Down);
    press(&mut state, &content, KeyCode::Enter);
    press(&mut state, &content, KeyCode::Char('f'));
    let rows = drawn(&content, &mut state, (100, 20)).join("\n");
    assert!(!rows.contains("0001") && rows.contains("0002") && !rows.contains("0003"), "{rows}");
    assert_eq!(press(&mut state, &content, KeyCode::Enter), Outcome::Show("0002/journal.jsonl".into()));
}

#[test]
fn without_maps_the_table_is_shown_and_says_why() {
    let content = content();
    let mut state = DashboardState::default();
    press(&mut state, &content, KeyCode::Tab);
    assert_eq!(state.page(&content), Page::Activity);
    press(&mut state, &content, KeyCode::Tab);
    assert_eq!(state.page(&content), Page::Table);
    assert!(state.remark.starts_with("this sweep has no map"), "{}", state.remark);
}

#[test]
fn bindings_of_the_user_are_used_and_shown() {
    let content = content();
    let mut state = DashboardState::default();
    let keys = Keymap::parse_key(Path::new("keys.toml"), "[sweep]\nx = \"quit\"\nq = \"nothing\"").unwrap();
    let mut press = |code| {
        let key = KeyEvent::new(KeyCode::Char(code), KeyModifiers::NONE);
        let outcome = state.press(key, keys.dashboard(), &content);
        (outcome, state.confirms.is_some(), state.remark.clone())
    };
    assert_eq!(press('x'), (Outcome::Draw, true, String::new()));
    assert_eq!(press('q'), (Outcome::Draw, false, "q is not bound; ? lists the keys".to_owned()));
    let area = Rect::new(0, 0, 100, 20);
    let mut buffer = Buffer::empty(area);
    draw_state(&content, &mut state, &Theme::labelled(), keys.dashboard(), &mut buffer);
    let last: String = (0..100).map(|x| buffer[(x, 19)].symbol().to_owned()).collect();
    assert!(last.contains("x stop and quit"), "{last}");
}

#[test]
fn a_cancel_is_confirmed_and_other_orders_are_given_at_once() {
    use crate::requests::SweepOrder;
    let content = content();
    let mut state = DashboardState::default();
    let mut press = |code| press(&mut state, &content, KeyCode::Char(code));
    assert_eq!(press('p'), Outcome::Order(SweepOrder::PauseOrResume));
    assert_eq!(press('R'), Outcome::Order(SweepOrder::Requeue));
    assert_eq!(press('c'), Outcome::Draw);
    assert_eq!(press('c'), Outcome::Draw, "the same key again does not confirm");
    assert_eq!(press('c'), Outcome::Draw);
    assert_eq!(press('y'), Outcome::Order(SweepOrder::Cancel));
    assert_eq!(press('y'), Outcome::Draw);
    assert_eq!(state.remark, "y is not bound; ? lists the keys");
}
