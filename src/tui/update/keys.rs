//! Routes keys to the open dialog, to the count prefix, or to the bound command.

use crossterm::event::KeyCode;
use crossterm::event::KeyEvent;
use crossterm::event::KeyEventKind;
use crossterm::event::KeyModifiers;

use super::Effect;
use super::dispatch;
use super::modals;
use super::person;
use crate::tui::command::CommandId;
use crate::tui::keymap::key_name;
use crate::tui::model::Model;
use crate::tui::view;

/// Maximum count prefix.
const MAX_COUNT: u32 = 9999;

pub(super) fn press(model: &mut Model, key: KeyEvent, effects: &mut Vec<Effect>) {
    if key.kind == KeyEventKind::Release {
        return;
    }
    model.notice = None;
    let id = model.appearance.keys.command(key);
    if id != Some(CommandId::Interrupt) {
        model.cancelled = false;
    }
    // In a terminal that is too small the dialog is not shown and takes no keys, so that q quits.
    let hidden = !view::fits(model.size);
    match model.modal.take() {
        Some(sheet) if !hidden && !is_global(key, id) => modals::press(model, sheet, key, effects),
        sheet => {
            model.modal = sheet;
            press_without_modal(model, key, id, effects);
        }
    }
}

/// Whether the command works over any dialog: only if it is bound to a Ctrl key.
fn is_global(key: KeyEvent, id: Option<CommandId>) -> bool {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    control && matches!(id, Some(CommandId::Interrupt | CommandId::Redraw | CommandId::Suspend))
}

fn press_without_modal(model: &mut Model, key: KeyEvent, id: Option<CommandId>, effects: &mut Vec<Effect>) {
    if let Some(spec) = model.episode().and_then(|viewed| viewed.action_with_key(key)).cloned() {
        let times = model.count.take().unwrap_or(1);
        return person::play_spec(model, &spec, times, effects);
    }
    match (key.code, id) {
        (KeyCode::Char(c @ '0'..='9'), _) if is_count_digit(model, c, key.modifiers) => add_digit(model, c),
        (_, Some(id)) => dispatch::perform(model, id, effects),
        (_, None) => unbound(model, key),
    }
}

/// Answers an unbound key.
fn unbound(model: &mut Model, key: KeyEvent) {
    model.count = None;
    let help =
        model.appearance.keys.keys(CommandId::Help).into_iter().next().unwrap_or_else(|| ":help".into());
    model.notify(format!("{} is not bound; {help} lists the keys", key_name(key)));
}

/// Whether a digit belongs to a count; a leading 0 is an ordinary key.
fn is_count_digit(model: &Model, digit: char, modifiers: KeyModifiers) -> bool {
    modifiers.is_empty() && (digit != '0' || model.count.is_some())
}

fn add_digit(model: &mut Model, digit: char) {
    let value = digit.to_digit(10).unwrap_or(0);
    model.count = Some((model.count.unwrap_or(0) * 10 + value).min(MAX_COUNT));
}
