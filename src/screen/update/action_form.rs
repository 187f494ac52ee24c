//! Keys of the form for the arguments of an action.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{Effect, code_form, person, typing};
use crate::modals::form_text_width;
use crate::model::{ActionForm, FormPurpose, Modal, Model};
use mageyard_domain::ParamKind;

/// Handles a key. The caller took the modal out of the model; it is put back unless the key closes it.
pub(super) fn press(model: &mut Model, mut form: Box<ActionForm>, key: KeyEvent, effects: &mut Vec<Effect>) {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    let kind = form.focused_mut().map(|(param, _)| param.kind.clone());
    let (is_text, is_code) = match &kind {
        Some(kind) => (matches!(kind, ParamKind::Text { .. }) || kind.is_code(), kind.is_code()),
        None => (false, false),
    };
    match key.code {
        KeyCode::Esc => return,
        KeyCode::Char('d') if control => return submit(model, form, effects),
        KeyCode::Enter if !is_code => return submit(model, form, effects),
        KeyCode::Tab => form.move_focus(true),
        KeyCode::BackTab => form.move_focus(false),
        KeyCode::Down if form.select_number(true) => {}
        KeyCode::Up if form.select_number(false) => {}
        KeyCode::Down if !is_text => form.move_focus(true),
        KeyCode::Up if !is_text => form.move_focus(false),
        KeyCode::Char('e') if control && is_text => effects.extend(code_form::external_editor(&mut form)),
        KeyCode::Right if form.select_value(true) => {}
        KeyCode::Left if form.select_value(false) => {}
        _ => type_key(model, &mut form, key, control),
    }
    model.modal = Some(Modal::Form(form));
}

fn type_key(model: &mut Model, form: &mut ActionForm, key: KeyEvent, control: bool) {
    let width = form_text_width(model, form);
    form.typed();
    let Some((_, text_editor)) = form.focused_mut() else { return };
    if typing::type_into(text_editor, key, control, width) == Some(false) {
        model.notify(typing::TOO_LONG);
    }
}

/// Inserts a paste into the field with the focus.
pub(super) fn paste(model: &mut Model, text: &str) {
    let Some(Modal::Form(form)) = &mut model.modal else { return };
    if form.focused_mut().is_some_and(|(_, text_editor)| !text_editor.insert(text)) {
        model.notify("not pasted: the text would exceed 1 MiB");
    }
}

/// Plays the action, or puts it in place of the pending one; if an argument is not allowed the form stays open.
fn submit(model: &mut Model, mut form: Box<ActionForm>, effects: &mut Vec<Effect>) {
    match (form.action(), form.purpose) {
        (Ok(action), FormPurpose::Play) => person::play_action(model, &action, 1, effects),
        (Ok(action), FormPurpose::Edit(target)) => code_form::submit(model, target, action, effects),
        (Err(_), _) => {
            form.show_errors();
            model.modal = Some(Modal::Form(form));
        }
    }
}
