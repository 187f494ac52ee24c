//! The mouse: it focuses panes, shows steps, opens tabs and scrolls what is under the pointer.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

use super::scrolling::Scroll;
use super::{Effect, frame, modals, navigation, views};
use crate::command::CommandId;
use crate::model::{Modal, Model, View};
use crate::pane::Pane;
use crate::view;
use mageyard_terminal::Drag;

/// Lines per turn of the wheel.
const WHEEL_LINES: u32 = 3;

/// Handles a report of the mouse.
pub(super) fn report(model: &mut Model, event: MouseEvent, effects: &mut Vec<Effect>) {
    if model.modal.is_none() && model.view() != View::Episode {
        return turn_list(model, event.kind, effects);
    }
    let at = Position::new(event.column, event.row);
    let changed = match (event.kind, model.modal.take()) {
        (MouseEventKind::ScrollUp, Some(sheet)) => turn(model, sheet, KeyCode::Up, effects),
        (MouseEventKind::ScrollDown, Some(sheet)) => turn(model, sheet, KeyCode::Down, effects),
        (_, Some(sheet)) => {
            model.modal = Some(sheet);
            false
        }
        (MouseEventKind::Down(MouseButton::Left), None) => click(model, at, effects),
        (MouseEventKind::Drag(MouseButton::Left), None) => drag(model, at),
        (MouseEventKind::Up(MouseButton::Left), None) => {
            model.panes.drag = None;
            false
        }
        (MouseEventKind::ScrollUp, None) => wheel(model, at, true),
        (MouseEventKind::ScrollDown, None) => wheel(model, at, false),
        _ => false,
    };
    model.dirty |= changed;
}

/// Turns the wheel in a view other than that of an episode.
fn turn_list(model: &mut Model, kind: MouseEventKind, effects: &mut Vec<Effect>) {
    let code = match kind {
        MouseEventKind::ScrollUp => KeyCode::Up,
        MouseEventKind::ScrollDown => KeyCode::Down,
        _ => return,
    };
    model.dirty |= views::turn(model, code, effects);
}

/// Scrolls a dialog, or selects in its list, as arrow keys do. A text that is edited stays as it is.
fn turn(model: &mut Model, sheet: Modal, code: KeyCode, effects: &mut Vec<Effect>) -> bool {
    let scrolling = if code == KeyCode::Up { CommandId::ScrollUp } else { CommandId::ScrollDown };
    let (times, id) = match &sheet {
        Modal::Palette(_)
        | Modal::Episodes(_)
        | Modal::Themes(_)
        | Modal::Models(_)
        | Modal::Grid(_)
        | Modal::Workshop(_)
        | Modal::SweepForm(_) => (1, None),
        Modal::Help(_) | Modal::Verdict(_) | Modal::Request(_) => (WHEEL_LINES, Some(scrolling)),
        Modal::Form(_)
        | Modal::Edit(_)
        | Modal::Fork(_)
        | Modal::Ask(_)
        | Modal::Asked(_)
        | Modal::Suites(_)
        | Modal::State(_)
        | Modal::Branches(_)
        | Modal::Seats(_)
        | Modal::Found(_)
        | Modal::Readers(_)
        | Modal::RequestDiff(_)
        | Modal::Diff(_)
        | Modal::Prompts
        | Modal::Fault(_)
        | Modal::Copy(_)
        | Modal::Breaks(_)
        | Modal::Person(_)
        | Modal::Abandon
        | Modal::Restart
        | Modal::Delete(_) => (0, None),
    };
    model.modal = Some(sheet);
    for _ in 0..times {
        if let Some(sheet) = model.modal.take() {
            modals::press(model, sheet, KeyEvent::new(code, KeyModifiers::NONE), id, effects);
        }
    }
    times > 0
}

/// Focuses the pane at this cell, and does what a click does there; false if there is no pane.
fn click(model: &mut Model, at: Position, effects: &mut Vec<Effect>) -> bool {
    if let Some(tab) = view::tab_at(model, at) {
        model.set_focus(tab);
        return true;
    }
    model.panes.drag = view::divider_at(model, at).map(|divider| Drag { divider, from: at });
    let Some(pane) = view::pane_at(model, at) else { return false };
    let step = view::step_at(model, at);
    let picture = view::picture_at(model, at);
    model.set_focus(pane);
    match step {
        Some(index) => {
            navigation::show_step(model, index);
            if let Some(picture) = picture {
                model.choose_picture(picture);
            }
        }
        None => frame::click(model, at, effects),
    }
    true
}

/// Moves the border that was taken; false if none was, or if it cannot move.
fn drag(model: &mut Model, to: Position) -> bool {
    let Some(Drag { divider, from }) = model.panes.drag else { return false };
    let before = model.panes.proportions;
    model.panes.proportions = divider.dragged(before, from, to);
    model.panes.proportions != before
}

/// Turns the wheel over this cell: it scrolls, magnifies a picture, or shows the previous or next step.
fn wheel(model: &mut Model, at: Position, up: bool) -> bool {
    let Some(pane) = view::pane_at(model, at) else { return false };
    if frame::wheel(model, at, up) {
        return true;
    }
    let to = if up { Scroll::LineUp } else { Scroll::LineDown };
    match pane {
        Pane::Steps => navigation::move_steps(model, if up { -1 } else { 1 }),
        Pane::Score => navigation::move_rows(model, to, 1),
        Pane::Frame | Pane::Agent | Pane::Memory => navigation::scroll(model, pane, to, WHEEL_LINES),
    }
    true
}
