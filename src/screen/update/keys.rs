//! Routes keys to the open dialog, to the count prefix, or to the bound command.

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use super::{Effect, commands, modals, person, search, views};
use crate::command::CommandId;
use crate::keymap::key_name;
use crate::model::{Modal, Model};
use crate::view;

/// Maximum count prefix.
const MAX_COUNT: u32 = 9999;

pub(super) fn press(model: &mut Model, key: KeyEvent, effects: &mut Vec<Effect>) {
    if key.kind == KeyEventKind::Release {
        return;
    }
    model.notice = None;
    match model.modal {
        Some(_) => press_in_episode(model, key, effects),
        None => views::press(model, key, effects),
    }
}

/// Handles a key while an episode is shown, or a dialog is open.
pub(super) fn press_in_episode(model: &mut Model, key: KeyEvent, effects: &mut Vec<Effect>) {
    // In a terminal that is too small the dialog is not shown and takes no keys, so that q quits.
    let hidden = !view::fits(model.size);
    let id = match meaning(model, key, hidden) {
        Meaning::Command(id) => id,
        Meaning::Begins => return model.typed.prefix = Some(key),
        Meaning::Left => return model.typed.count = None,
        Meaning::Unknown(first) => return unbound(model, &format!("{} {}", key_name(first), key_name(key))),
    };
    if id != Some(CommandId::Interrupt) {
        model.typed.cancelled = false;
    }
    if !hidden && !is_global(key, id) && search::takes(model, id) {
        return search::press(model, key, id);
    }
    match model.modal.take() {
        Some(sheet) if !hidden && !is_global(key, id) => modals::press(model, sheet, key, id, effects),
        sheet => {
            model.modal = sheet;
            press_without_modal(model, key, id, effects);
        }
    }
}

/// What a key means after the keys before it.
enum Meaning {
    /// The key or the sequence that it ends is bound to this command, or to none.
    Command(Option<CommandId>),
    /// It begins a sequence.
    Begins,
    /// It leaves the sequence.
    Left,
    /// It is no second key of the sequence with this first one.
    Unknown(KeyEvent),
}

fn meaning(model: &mut Model, key: KeyEvent, hidden: bool) -> Meaning {
    let first = model.typed.prefix.take();
    let keys = &model.appearance.keys;
    let single = keys.command(key);
    let Some(first) = first else {
        let acts = model.modal.is_none()
            && model.episode().is_some_and(|viewed| viewed.action_with_key(key).is_some());
        let types = model.search.as_ref().is_some_and(|search| search.is_typing);
        let takes_commands = hidden || model.modal.as_ref().is_none_or(Modal::takes_commands);
        let begins = takes_commands && !types && !acts && keys.screen().is_prefix(key);
        return if begins { Meaning::Begins } else { Meaning::Command(single) };
    };
    match keys.screen().command_after(first, key) {
        Some(id) => Meaning::Command(Some(id)),
        None if key.code == KeyCode::Esc => Meaning::Left,
        None if is_global(key, single) => Meaning::Command(single),
        None => Meaning::Unknown(first),
    }
}

/// Whether the command works over any dialog: only if it is bound to a Ctrl key.
fn is_global(key: KeyEvent, id: Option<CommandId>) -> bool {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    control && matches!(id, Some(CommandId::Interrupt | CommandId::Redraw | CommandId::Suspend))
}

pub(super) fn press_without_modal(
    model: &mut Model,
    key: KeyEvent,
    id: Option<CommandId>,
    effects: &mut Vec<Effect>,
) {
    if let Some(spec) = model.episode().and_then(|viewed| viewed.action_with_key(key)).cloned() {
        let times = model.typed.count.take().unwrap_or(1);
        return person::play_spec(model, &spec, times, effects);
    }
    match (key.code, id) {
        (KeyCode::Char(c @ '0'..='9'), _) if is_count_digit(model, c, key.modifiers) => add_digit(model, c),
        (_, Some(id)) => commands::perform(model, id, effects),
        (_, None) => unbound(model, &key_name(key)),
    }
}

/// Answers an unbound key.
fn unbound(model: &mut Model, keys: &str) {
    model.typed.count = None;
    let help = model.key_or_name(CommandId::Help);
    model.notify(format!("{keys} is not bound; {help} lists the keys"));
}

/// Whether a digit belongs to a count; a leading 0 is an ordinary key.
fn is_count_digit(model: &Model, digit: char, modifiers: KeyModifiers) -> bool {
    modifiers.is_empty() && (digit != '0' || model.typed.count.is_some())
}

fn add_digit(model: &mut Model, digit: char) {
    let value = digit.to_digit(10).unwrap_or(0);
    model.typed.count = Some((model.typed.count.unwrap_or(0) * 10 + value).min(MAX_COUNT));
}
