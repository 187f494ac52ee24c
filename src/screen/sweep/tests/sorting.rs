//! The order of the table of cells.

use super::*;
use crate::sweep::page::Page;
use crate::sweep::sort::SortColumn;

/// The indexes of the listed cells after so many presses of the key.
fn order(state: &mut DashboardState, content: &Content, presses: usize) -> Vec<usize> {
    for _ in 0..presses {
        press(state, content, KeyCode::Char('s'));
    }
    state.listed(content)
}

#[test]
fn a_key_sorts_by_one_column_after_the_other() {
    let mut view = view();
    let scores = [Some(10.0), None, Some(30.0), Some(20.0), Some(30.0), None];
    for (cell, score) in view.cells.iter_mut().zip(scores) {
        cell.score = score;
    }
    let content = Content { view: Arc::new(view), ..with_maps() };
    let mut state = DashboardState { page: Page::Table, ..DashboardState::default() };
    assert_eq!(order(&mut state, &content, 1), [2, 3, 4, 5, 0, 1], "state: what needs attention is first");
    assert_eq!(state.remark, "the table is sorted by state");
    assert_eq!(
        order(&mut state, &content, 1),
        [2, 4, 3, 0, 1, 5],
        "score: none is last, equal ones as planned"
    );
    assert_eq!(order(&mut state, &content, 1), [5, 3, 1, 0, 2, 4], "difference");
    assert_eq!(order(&mut state, &content, 1), [5, 4, 3, 2, 1, 0], "cost");
    assert_eq!(order(&mut state, &content, 1), [5, 4, 3, 2, 1, 0], "tokens");
    assert_eq!(order(&mut state, &content, 1), [2, 0, 1, 3, 4, 5], "errors");
    assert_eq!(order(&mut state, &content, 1), [0, 1, 2, 3, 4, 5], "the plan");
}

#[test]
fn the_sorted_column_has_a_mark_and_the_selection_stays_on_its_cell() {
    let content = with_maps();
    let mut state = DashboardState { page: Page::Table, selected: 2, ..DashboardState::default() };
    state.sort = SortColumn::Cost;
    let rows = drawn(&content, &mut state, (120, 24));
    assert!(rows[7].starts_with(" state      am  om    cost▼  episodes"), "{}", rows[7]);
    assert_eq!(rows.iter().position(|row| row.starts_with("▸▶ running")), Some(11), "{rows:?}");
    press(&mut state, &content, KeyCode::Down);
    assert_eq!(state.selected, 1, "the next row of the table");
    let mut view = view();
    view.cells[1].cost = Amount::parse("9").ok().map(|amount| (amount, "USD".to_owned()));
    let newer = Content { view: Arc::new(view), ..content };
    let rows = drawn(&newer, &mut state, (120, 24));
    assert!(rows[8].starts_with("▸✓ done"), "the order and the selected cell stay as data arrives: {rows:?}");
    press(&mut state, &newer, KeyCode::Home);
    assert_eq!(state.selected, 1);
}

#[test]
fn amounts_of_several_currencies_are_not_mixed() {
    let mut view = view();
    for (cell, (amount, currency)) in view.cells.iter_mut().zip([("1", "USD"), ("5", "EUR"), ("2", "USD")]) {
        cell.cost = Amount::parse(amount).ok().map(|amount| (amount, currency.to_owned()));
    }
    view.cells.truncate(3);
    let content = Content { view: Arc::new(view), ..content() };
    let state = DashboardState { sort: SortColumn::Cost, ..DashboardState::default() };
    assert_eq!(state.listed(&content), [1, 2, 0]);
}
