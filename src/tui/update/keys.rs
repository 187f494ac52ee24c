//! Keys: to the sheet that is open, to the count, or to the command they are bound to.

use crossterm::event::KeyCode;
use crossterm::event::KeyEvent;
use crossterm::event::KeyEventKind;
use crossterm::event::KeyModifiers;

use super::Effect;
use super::dispatch;
use super::modals;
use crate::tui::command::CommandId;
use crate::tui::keymap::key_name;
use crate::tui::model::Model;
use crate::tui::view;

/// Counts end here: nobody means more, and nothing overflows.
const MAX_COUNT: u32 = 9999;

pub(super) fn press(model: &mut Model, key: KeyEvent, effects: &mut Vec<Effect>) {
    if key.kind == KeyEventKind::Release {
        return;
    }
    model.notice = None;
    let deed = model.appearance.keys.command(key);
    if deed != Some(CommandId::Quit) {
        model.cancelled = false;
    }
    // A sheet that a small terminal does not show takes no keys: there, q leaves.
    let hidden = !view::fits(model.size);
    match model.modal.take() {
        Some(sheet) if !hidden && !is_global(key, deed) => modals::press(model, sheet, key, effects),
        sheet => {
            model.modal = sheet;
            press_without_modal(model, key, deed, effects);
        }
    }
}

/// Commands that work whatever is open, unless somebody gave them to a letter.
fn is_global(key: KeyEvent, deed: Option<CommandId>) -> bool {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    control && matches!(deed, Some(CommandId::Quit | CommandId::Redraw | CommandId::Suspend))
}

fn press_without_modal(model: &mut Model, key: KeyEvent, deed: Option<CommandId>, effects: &mut Vec<Effect>) {
    match (key.code, deed) {
        (KeyCode::Char(c @ '0'..='9'), _) if is_count_digit(model, c, key.modifiers) => add_digit(model, c),
        (_, Some(deed)) => dispatch::perform(model, deed, effects),
        (_, None) => unbound(model, key),
    }
}

/// A key that nobody bound is answered too.
fn unbound(model: &mut Model, key: KeyEvent) {
    model.count = None;
    let help =
        model.appearance.keys.keys(CommandId::Help).into_iter().next().unwrap_or_else(|| ":help".into());
    model.notify(format!("{} does nothing here; {help} lists the keys", key_name(key)));
}

/// A digit is a count, but a 0 with nothing before it is a key like others.
fn is_count_digit(model: &Model, digit: char, modifiers: KeyModifiers) -> bool {
    modifiers.is_empty() && (digit != '0' || model.count.is_some())
}

fn add_digit(model: &mut Model, digit: char) {
    let value = digit.to_digit(10).unwrap_or(0);
    model.count = Some((model.count.unwrap_or(0) * 10 + value).min(MAX_COUNT));
}
