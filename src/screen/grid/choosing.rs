//! Keys on the chips: another chip, a value of it, or a text that is typed.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::chips::Chip;
use super::keys::replan;
use super::sheet::{AskGrid, Focus, Page};
use crate::model::Model;
use crate::update::Effect;

/// Handles a key on the chips; `false` if it means nothing there.
pub(super) fn press(grid: &mut AskGrid, key: KeyEvent) -> bool {
    if grid.chips.is_typing() {
        return typed(grid, key);
    }
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Tab => {
            if !grid.chips.move_focus(true) {
                grid.focus = Focus::Answers;
            }
        }
        KeyCode::BackTab => {
            if !grid.chips.move_focus(false) {
                grid.focus = Focus::Answers;
            }
        }
        KeyCode::Left => grid.chips.move_cursor(-1),
        KeyCode::Right => grid.chips.move_cursor(1),
        KeyCode::Down => grid.focus = Focus::Answers,
        KeyCode::Up => {}
        KeyCode::Backspace => {
            grid.chips.begin_typing(false);
            grid.chips.typed_mut().backspace();
        }
        KeyCode::Char('u') if control => grid.chips.begin_typing(true),
        KeyCode::Char(_) if control => return false,
        KeyCode::Char(c) if grid.chips.focused() == Chip::Other => {
            grid.chips.begin_typing(false);
            grid.chips.insert(c.encode_utf8(&mut [0; 4]));
        }
        KeyCode::Char(' ') => grid.chips.choose(grid.chips.cursor()),
        KeyCode::Char('e') => grid.chips.begin_typing(false),
        KeyCode::Char(digit @ '0'..='9') => return grid.chips.choose_digit(digit),
        _ => return false,
    }
    true
}

/// A key while the text of a chip is typed.
fn typed(grid: &mut AskGrid, key: KeyEvent) -> bool {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Esc => grid.chips.end_typing(false),
        // A number that was begun by a digit is complete, so that Enter does what it does on its chip.
        KeyCode::Enter if grid.chips.focused() == Chip::Samples => {
            grid.chips.end_typing(true);
            return false;
        }
        KeyCode::Enter => grid.chips.end_typing(true),
        KeyCode::Tab | KeyCode::BackTab | KeyCode::Down | KeyCode::Up => {
            grid.chips.end_typing(true);
            return press(grid, key);
        }
        KeyCode::Backspace => grid.chips.typed_mut().backspace(),
        KeyCode::Right => complete(grid),
        KeyCode::Char('u') if control => grid.chips.typed_mut().clear(),
        KeyCode::Char(c) if !control => grid.chips.insert(c.encode_utf8(&mut [0; 4])),
        _ => {}
    }
    true
}

/// Completes the last name that is typed.
fn complete(grid: &mut AskGrid) {
    let known = match grid.chips.focused() {
        Chip::Prompts => grid.chips.prompts.clone(),
        Chip::Models => grid.chips.models.clone(),
        Chip::Views => grid.chips.views.clone(),
        Chip::Target => grid.chips.actions.clone(),
        _ => return,
    };
    let text = grid.chips.text(grid.chips.focused()).to_owned();
    let begun = text.rsplit(',').next().unwrap_or_default();
    let is_named = |name: &&String| text.split(',').any(|other| other == name.as_str());
    let rest = known.iter().filter(|name| !is_named(name)).find_map(|name| name.strip_prefix(begun));
    if let Some(rest) = rest {
        grid.chips.insert(rest);
    }
}

/// Adds a text from the clipboard to the chip with the focus.
pub(crate) fn paste(model: &mut Model, grid: &mut AskGrid, text: &str, effects: &mut Vec<Effect>) {
    if grid.page == Page::Grid && grid.focus == Focus::Chips && !grid.is_running() {
        grid.chips.begin_typing(false);
        grid.chips.insert(text);
        replan(model, grid, effects);
    }
}
