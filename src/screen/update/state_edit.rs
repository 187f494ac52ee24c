//! The dialog in which the state of the environment is changed.

use crate::requests::Request;
use crossterm::event::{KeyCode, KeyEvent};

use super::{Effect, branches};
use crate::model::{Modal, Model, StateEdit};
use mageyard_domain::MoveDirection;

/// Opens the dialog on the state of the shown step.
pub(super) fn open(model: &mut Model) {
    let Some(journal) = branches::recorded_journal(model) else { return };
    let Some(viewed) = model.episode() else { return };
    let environment = viewed.snapshot.head.environment.clone();
    let Some(editor) = viewed.snapshot.state_editor else {
        return model.notify(format!("the state of the environment {environment} cannot be edited"));
    };
    let step = viewed.step().map(|step| (step.number, editor.state(&step.observation)));
    let edit = step.and_then(|(number, state)| StateEdit::new(editor, journal, number, state?));
    match edit {
        Some(edit) => model.modal = Some(Modal::State(edit.into())),
        None => model.notify("this step shows no state that can be edited"),
    }
}

/// Handles a key. The caller took the modal out of the model; it is put back unless the key closes it.
pub(super) fn press(model: &mut Model, mut edit: Box<StateEdit>, key: KeyEvent, effects: &mut Vec<Effect>) {
    match key.code {
        KeyCode::Esc | KeyCode::Char('q') => return,
        KeyCode::Enter => return go_on(model, &edit, effects),
        KeyCode::Tab | KeyCode::Char('n') => edit.select_by(1),
        KeyCode::BackTab | KeyCode::Char('N' | 'p') => edit.select_by(-1),
        KeyCode::Char('u') | KeyCode::Backspace => edit.undo(),
        code => {
            if let Some(direction) = direction(code) {
                edit.shift(direction);
            }
        }
    }
    model.modal = Some(Modal::State(edit));
}

fn direction(code: KeyCode) -> Option<MoveDirection> {
    Some(match code {
        KeyCode::Left | KeyCode::Char('h') => MoveDirection::Left,
        KeyCode::Right | KeyCode::Char('l') => MoveDirection::Right,
        KeyCode::Up | KeyCode::Char('k') => MoveDirection::Up,
        KeyCode::Down | KeyCode::Char('j') => MoveDirection::Down,
        _ => return None,
    })
}

/// A line of the linear mode: the number of a piece and directions, `undo`, or nothing to go on.
pub(super) fn answer(model: &mut Model, mut edit: Box<StateEdit>, line: &str, effects: &mut Vec<Effect>) {
    match line.trim() {
        ":cancel" => return,
        "" => return go_on(model, &edit, effects),
        words => {
            if let Err(why) = words.split_whitespace().try_for_each(|word| take(&mut edit, word)) {
                edit.refusal = Some(why);
            }
        }
    }
    model.modal = Some(Modal::State(edit));
}

fn take(edit: &mut StateEdit, word: &str) -> Result<(), String> {
    if let Ok(number) = word.parse() {
        return if edit.select(number) { Ok(()) } else { Err(format!("there is no piece {number}")) };
    }
    let direction = match word.to_lowercase().as_str() {
        "undo" => {
            edit.undo();
            return Ok(());
        }
        "left" => MoveDirection::Left,
        "right" => MoveDirection::Right,
        "up" => MoveDirection::Up,
        "down" => MoveDirection::Down,
        _ => return Err(format!("{word:?} is neither a number nor a direction nor undo")),
    };
    edit.shift(direction);
    edit.refusal.clone().map_or(Ok(()), Err)
}

/// Goes on to the dialog of the branch that begins with the edited state.
fn go_on(model: &mut Model, edit: &StateEdit, effects: &mut Vec<Effect>) {
    let sheet = edit.fork_sheet();
    effects.push(Effect::Request(Request::Fork(sheet.order(false))));
    model.modal = Some(Modal::Fork(sheet.into()));
}
