//! Keys of the help: they select an entry, filter, and run what is selected.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::draw::{columns, page};
use super::sheet::{HelpSheet, HelpTarget};
use crate::command::{CommandId, meaning};
use crate::model::{Modal, Model};
use crate::update::{Effect, perform_command, play_action};

/// By how many entries a command moves the selection.
const MOVES: [(CommandId, isize); 8] = [
    (CommandId::Up, -1),
    (CommandId::ScrollUp, -1),
    (CommandId::Down, 1),
    (CommandId::ScrollDown, 1),
    (CommandId::Top, isize::MIN),
    (CommandId::First, isize::MIN),
    (CommandId::Bottom, isize::MAX),
    (CommandId::Newest, isize::MAX),
];

/// Handles a key. The caller took the help out of the model; a key that does nothing in it closes it.
pub(crate) fn press(
    model: &mut Model,
    mut sheet: HelpSheet,
    key: KeyEvent,
    id: Option<CommandId>,
    effects: &mut Vec<Effect>,
) {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    let count = sheet.entries(model).len();
    match key.code {
        KeyCode::Enter => return run(model, &sheet, effects),
        KeyCode::Esc if !sheet.filter.is_empty() || sheet.is_typing => sheet = HelpSheet::default(),
        KeyCode::Esc => return,
        KeyCode::Char(letter) if sheet.is_typing && !control => sheet.type_letter(letter),
        KeyCode::Backspace => drop(sheet.filter.pop()),
        KeyCode::Tab => sheet.is_typing = false,
        KeyCode::Left | KeyCode::Right => {
            let side = if key.code == KeyCode::Left { -1 } else { 1 };
            sheet.selected = columns(model, &sheet).beside(sheet.selected, side);
        }
        code => match (id, meaning(&MOVES, id), paging(model, &sheet, code, id)) {
            (_, Some(by), _) | (_, None, Some(by)) => sheet.select_by(by, count),
            (Some(CommandId::Search), ..) => sheet.is_typing = true,
            (Some(CommandId::Help), ..) => sheet.explains = !sheet.explains,
            _ => return,
        },
    }
    model.modal = Some(Modal::Help(sheet));
}

fn paging(model: &Model, sheet: &HelpSheet, code: KeyCode, id: Option<CommandId>) -> Option<isize> {
    let page = page(model, sheet).cast_signed();
    match (code, id) {
        (KeyCode::PageDown, _) | (_, Some(CommandId::PageDown | CommandId::Run)) => Some(page),
        (KeyCode::PageUp, _) | (_, Some(CommandId::PageUp)) => Some(-page),
        _ => None,
    }
}

/// Runs the selected entry after the help is closed.
fn run(model: &mut Model, sheet: &HelpSheet, effects: &mut Vec<Effect>) {
    let mut entries = sheet.entries(model);
    let selected = sheet.selected.min(entries.len().saturating_sub(1));
    if selected >= entries.len() {
        return;
    }
    match entries.swap_remove(selected).target {
        HelpTarget::Command(id) => perform_command(model, id, effects),
        HelpTarget::Action(name) => play_action(model, &name, effects),
    }
}
