//! The questions of an episode to the person: when their dialog opens, and what its keys and lines answer.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{Effect, editing, session_control};
use crate::command::CommandId;
use crate::modals;
use crate::model::{AskedAt, EpisodeView, LineText, Modal, Model, PersonSheet, View};
use mageyard_dialog::{PersonAnswer, PersonLine, PersonQuestion};
use mageyard_engine::{Edit, EditTarget, SessionCommand};

/// Opens the dialog of a question that is new, and closes that of one that is not open any more. Over another dialog only a
/// notice is shown.
pub(super) fn follow(model: &mut Model) {
    let asked = model.episode().and_then(AskedAt::of);
    if matches!(&model.modal, Some(Modal::Person(sheet)) if asked.as_ref() != Some(&sheet.asked)) {
        model.modal = None;
    }
    let Some(viewed) = model.episode_mut() else { return };
    if viewed.told_question == asked {
        return;
    }
    viewed.told_question.clone_from(&asked);
    let Some(asked) = asked else { return };
    if model.modal.is_none() && model.view() == View::Episode {
        model.modal = Some(Modal::Person(Box::new(PersonSheet::new(asked))));
    } else {
        let key = model.key_or_name(CommandId::Step);
        model.notify(format!("a question waits for you: {key} shows it"));
    }
}

/// Opens the dialog of the question that is open; false if none is.
pub(super) fn open(model: &mut Model) -> bool {
    let Some(asked) = model.episode().and_then(AskedAt::of) else { return false };
    model.modal = Some(Modal::Person(Box::new(PersonSheet::new(asked))));
    true
}

pub(super) fn paste(sheet: &mut PersonSheet, text: &str) {
    if let Some(typed) = &mut sheet.typed {
        typed.insert(text);
        sheet.sends_empty = false;
    }
}

/// Handles a key. The caller took the dialog out of the model; it is put back unless the key closes it.
pub(super) fn press(
    model: &mut Model,
    mut sheet: Box<PersonSheet>,
    key: KeyEvent,
    effects: &mut Vec<Effect>,
) {
    let (most, page) = modals::person_extent(model, &sheet);
    match key.code {
        KeyCode::Up => sheet.scroll = sheet.scroll.min(most).saturating_sub(1),
        KeyCode::Down => sheet.scroll = sheet.scroll.saturating_add(1).min(most),
        KeyCode::PageUp => sheet.scroll = sheet.scroll.min(most).saturating_sub(page),
        KeyCode::PageDown => sheet.scroll = sheet.scroll.saturating_add(page).min(most),
        _ if sheet.typed.is_some() => return type_key(model, sheet, key, effects),
        _ => return choose(model, sheet, key, effects),
    }
    model.modal = Some(Modal::Person(sheet));
}

fn choose(model: &mut Model, mut sheet: Box<PersonSheet>, key: KeyEvent, effects: &mut Vec<Effect>) {
    let confirms = matches!(sheet.asked.open.question, PersonQuestion::Confirm(_));
    let allows = matches!(sheet.asked.open.question, PersonQuestion::Allow(_));
    match key.code {
        KeyCode::Esc => return leave_open(model, effects),
        KeyCode::Char('y') => return send(model, &sheet, PersonAnswer::Yes, effects),
        KeyCode::Char('n') if allows => return send(model, &sheet, PersonAnswer::End, effects),
        KeyCode::Char('s') if !allows => return send(model, &sheet, PersonAnswer::End, effects),
        KeyCode::Char('e') if confirms => return editing::open(model, Some("action"), effects),
        KeyCode::Char('n') if confirms => sheet.typed = Some(LineText::default()),
        _ => {}
    }
    model.modal = Some(Modal::Person(sheet));
}

/// A key of the reason or the answer. An empty answer is sent by the second Enter, because the first one may have been meant
/// for the step before.
fn type_key(model: &mut Model, mut sheet: Box<PersonSheet>, key: KeyEvent, effects: &mut Vec<Effect>) {
    let Some(typed) = &mut sheet.typed else { return };
    let takes_text = sheet.asked.open.question.takes_text();
    let is_control = key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
    let is_doubtful = takes_text && typed.as_str().trim().is_empty() && !sheet.sends_empty;
    match key.code {
        KeyCode::Esc if takes_text => return leave_open(model, effects),
        KeyCode::Esc => sheet.typed = None,
        KeyCode::Enter if is_doubtful => sheet.sends_empty = true,
        KeyCode::Enter => {
            if let Some(answer) = sheet.answer() {
                return send(model, &sheet, answer, effects);
            }
        }
        KeyCode::Backspace => typed.backspace(),
        KeyCode::Char('u') if key.modifiers.contains(KeyModifiers::CONTROL) => typed.clear(),
        KeyCode::Char(letter) if !is_control => {
            typed.insert(letter.encode_utf8(&mut [0; 4]));
            sheet.sends_empty = false;
        }
        _ => {}
    }
    model.modal = Some(Modal::Person(sheet));
}

/// A line of the linear mode.
pub(super) fn answer(model: &mut Model, sheet: Box<PersonSheet>, line: &str, effects: &mut Vec<Effect>) {
    if line.trim() == ":cancel" {
        return leave_open(model, effects);
    }
    match sheet.asked.open.question.read_line(line) {
        Ok(PersonLine::Answer(answer)) => send(model, &sheet, answer, effects),
        Ok(PersonLine::Edit(written)) => edit(model, sheet, &written, effects),
        Err(why) => {
            model.notify(why.to_string());
            model.modal = Some(Modal::Person(sheet));
        }
    }
}

/// Puts another action in place of the one that is asked for. The rest of a plan stays.
fn edit(model: &mut Model, sheet: Box<PersonSheet>, written: &str, effects: &mut Vec<Effect>) {
    let Some(viewed) = model.episode() else { return };
    let Some(step) = viewed.snapshot.steps.last() else { return };
    match step.space.parse(written) {
        Ok(action) => {
            let rest = viewed.snapshot.plan.iter().cloned();
            let actions = std::iter::once(action).chain(rest).collect();
            let edit = SessionCommand::Edit(EditTarget::of(step), Edit::Actions(actions));
            session_control::send(model, edit, effects);
        }
        Err(why) => {
            model.notify(why.to_string());
            model.modal = Some(Modal::Person(sheet));
        }
    }
}

fn send(model: &mut Model, sheet: &PersonSheet, answer: PersonAnswer, effects: &mut Vec<Effect>) {
    let question = sheet.asked.open.question.clone();
    session_control::send(model, SessionCommand::Answer(question, answer), effects);
}

/// Closes the dialog: the question stays open, and the episode is paused.
fn leave_open(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.episode().is_some_and(EpisodeView::is_running) {
        session_control::send(model, SessionCommand::Pause, effects);
    }
    let key = model.key_or_name(CommandId::Step);
    model.notify(format!("the question stays open: {key} shows it again"));
}
