//! What keys do in the form, and what answers change.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::draw::plan_lines;
use super::form::{Field, SweepForm};
use crate::model::{LineText, Modal, Model};
use crate::requests::{BuilderAnswer, BuilderOrder, Request};
use crate::update::Effect;

/// Rows of a page.
const PAGE: isize = 8;

/// Opens the form, and lists what can be selected.
pub(crate) fn open(model: &mut Model, effects: &mut Vec<Effect>) {
    order(BuilderOrder::Offer, effects);
    model.open_over(Modal::SweepForm(Box::default()));
}

fn order(order: BuilderOrder, effects: &mut Vec<Effect>) {
    effects.push(Effect::Request(Request::Builder(order)));
}

/// Handles a key. The caller took the dialog out of the model; it is put back unless the key closes it.
pub(crate) fn press(model: &mut Model, mut form: Box<SweepForm>, key: KeyEvent, effects: &mut Vec<Effect>) {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    form.said = None;
    let before = form.selection();
    let lines = lines_of(model, &form);
    let is_text = !form.focus.is_list() && form.focus != Field::Plan;
    match key.code {
        KeyCode::Esc if !form.filter.as_str().is_empty() => form.filter.clear(),
        KeyCode::Esc => return order(BuilderOrder::Close, effects),
        KeyCode::Enter => return enter(model, form, effects),
        KeyCode::Tab => form.focus_by(1),
        KeyCode::BackTab => form.focus_by(-1),
        KeyCode::Down if is_text => form.focus_by(1),
        KeyCode::Up if is_text => form.focus_by(-1),
        KeyCode::Down => form.move_by(1, lines),
        KeyCode::Up if form.cursor == 0 => form.focus_by(-1),
        KeyCode::Up => form.move_by(-1, lines),
        KeyCode::PageDown => form.move_by(PAGE, lines),
        KeyCode::PageUp => form.move_by(-PAGE, lines),
        KeyCode::Home => form.move_by(isize::MIN, lines),
        KeyCode::End => form.move_by(isize::MAX, lines),
        KeyCode::Right if form.focus.is_list() => form.choose_all(true),
        KeyCode::Left if form.focus.is_list() => form.choose_all(false),
        KeyCode::Char(' ') if form.focus.is_list() => form.toggle(),
        KeyCode::Char('u') if control => edit(&mut form, LineText::clear),
        KeyCode::Char(letter) if !control && form.is_typing() => {
            edit(&mut form, |text| text.insert(letter.encode_utf8(&mut [0; 4])));
        }
        KeyCode::Backspace if form.is_typing() => edit(&mut form, LineText::backspace),
        _ => {}
    }
    replan(&mut form, &before, effects);
    model.modal = Some(Modal::SweepForm(form));
}

/// Changes what is typed; a list begins again at its top.
fn edit(form: &mut SweepForm, change: impl FnOnce(&mut LineText)) {
    change(form.typed_mut());
    form.cursor = 0;
}

/// The lines in which the cursor moves.
fn lines_of(model: &Model, form: &SweepForm) -> usize {
    if form.focus == Field::Plan { plan_lines(model, form, u16::MAX).len() } else { form.options().len() }
}

/// Adds pasted text to what is typed.
pub(crate) fn paste(form: &mut SweepForm, text: &str, effects: &mut Vec<Effect>) {
    let before = form.selection();
    if form.is_typing() {
        edit(form, |typed| typed.insert(text));
    }
    replan(form, &before, effects);
}

/// Has the selection planned, if it is another one.
pub(super) fn replan(
    form: &mut SweepForm,
    before: &crate::requests::SweepSelection,
    effects: &mut Vec<Effect>,
) {
    let selection = form.selection();
    if selection != *before {
        plan(form, effects);
    }
}

fn plan(form: &mut SweepForm, effects: &mut Vec<Effect>) {
    form.number += 1;
    (form.replaces, form.written) = (false, None);
    order(BuilderOrder::Plan(form.number, form.selection().into()), effects);
}

/// Writes the file; once it is written, starts the sweep here.
pub(super) fn enter(model: &mut Model, mut form: Box<SweepForm>, effects: &mut Vec<Effect>) {
    if form.written.is_some() {
        let name = form.selection().name;
        order(BuilderOrder::Close, effects);
        effects.push(Effect::Request(Request::StartSweep(name.clone())));
        return model.notify(format!("starting the sweep {name} …"));
    }
    write(&mut form, effects);
    model.modal = Some(Modal::SweepForm(form));
}

/// Has the file written. A selection that cannot be planned is not written.
pub(super) fn write(form: &mut SweepForm, effects: &mut Vec<Effect>) {
    match &form.planned {
        Some((number, Err(problem))) if *number == form.number => form.said = Some(problem.to_string()),
        Some((number, Ok(_))) if *number == form.number && !form.is_saving => {
            form.is_saving = true;
            let (selection, replaces) = (form.selection().into(), form.replaces);
            order(BuilderOrder::Save { selection, replaces }, effects);
        }
        _ => form.said = Some("the selection is being planned; Enter again writes it".to_owned()),
    }
}

/// Takes an answer, if the form is open.
pub(crate) fn answered(model: &mut Model, answer: BuilderAnswer, effects: &mut Vec<Effect>) {
    let open = model.dialogs_mut().find_map(|dialog| match dialog {
        Modal::SweepForm(form) => Some(form),
        _ => None,
    });
    let Some(form) = open else { return };
    match answer {
        BuilderAnswer::Offered(offers) => {
            form.offer(offers);
            plan(form, effects);
        }
        BuilderAnswer::Planned(number, planned) => {
            if number == form.number {
                form.planned = Some((number, planned));
            }
        }
        BuilderAnswer::Saved(name, saved) => {
            form.is_saving = false;
            match saved {
                // The selection has another name by now.
                _ if name != form.selection().name => {}
                Ok(Some(path)) => form.written = Some(path),
                Ok(None) => {
                    form.replaces = true;
                    form.said = Some(format!(
                        "there is a sweep {name} already: Enter replaces its file, another name keeps it"
                    ));
                }
                Err(problem) => form.said = Some(problem.to_string()),
            }
        }
    }
}
