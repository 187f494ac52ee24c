//! A draft of a reader: it is written in place, and what it reads changes as it is written.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::draw::draft_width;
use super::keys::order;
use super::sheet::{Draft, ReaderSheet};
use crate::model::Model;
use crate::requests::{ReaderAnswer, ReaderOrder, Request};
use crate::update::{Effect, TOO_LONG, type_into};
use mageyard_terminal::TextEditor;

/// Handles a key while a draft is written.
pub(super) fn press(model: &Model, sheet: &mut ReaderSheet, key: KeyEvent, effects: &mut Vec<Effect>) {
    let Some(draft) = &mut sheet.draft else { return };
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    if draft.name.is_some() {
        return type_name(sheet, key, control, effects);
    }
    let warned = std::mem::take(&mut draft.warned);
    match key.code {
        KeyCode::Esc if draft.has_changed() && !warned => {
            draft.warned = true;
            sheet.said = Some("Esc again discards the draft".to_owned());
        }
        KeyCode::Esc => close(sheet, effects),
        KeyCode::Char('d') if control => ask_name(sheet),
        KeyCode::Char('e') if control => {
            effects.push(Effect::ExternalEditor(draft.editor.text().to_owned(), ".toml"));
        }
        _ => type_key(sheet, key, control, draft_width(model), effects),
    }
}

fn type_key(sheet: &mut ReaderSheet, key: KeyEvent, control: bool, width: u16, effects: &mut Vec<Effect>) {
    let Some(draft) = &mut sheet.draft else { return };
    let before = draft.editor.text().to_owned();
    match type_into(&mut draft.editor, key, control, width) {
        // Most keys only move.
        Some(true) if draft.editor.text() == before => {}
        Some(true) => changed(sheet, effects),
        Some(false) => sheet.said = Some(TOO_LONG.to_owned()),
        None => {}
    }
}

/// The name under which the draft is saved: its own, or a new one for a reader that is shipped.
fn ask_name(sheet: &mut ReaderSheet) {
    let taken = |name: &str| sheet.rows.iter().any(|row| row.entry.name == name);
    let Some(draft) = &sheet.draft else { return };
    let name = match &draft.result {
        None => Err("the draft is still being read".to_owned()),
        Some(Err(problem)) => Err(problem.to_string()),
        Some(Ok(_)) if draft.is_own => Ok(draft.base.clone()),
        Some(Ok(_)) => {
            let numbered = |number: u32| format!("{}-{number}", draft.base);
            Ok((2..1000).map(numbered).find(|name| !taken(name)).unwrap_or_default())
        }
    };
    match (name, &mut sheet.draft) {
        (Ok(name), Some(draft)) => draft.name = Some(name),
        (Err(why), _) => sheet.said = Some(why),
        _ => {}
    }
}

fn type_name(sheet: &mut ReaderSheet, key: KeyEvent, control: bool, effects: &mut Vec<Effect>) {
    let Some(draft) = &mut sheet.draft else { return };
    let Some(name) = &mut draft.name else { return };
    match key.code {
        KeyCode::Esc => draft.name = None,
        KeyCode::Enter => {
            let (name, text) = (name.trim().to_owned(), draft.editor.text().to_owned());
            let replaces = draft.is_own && name == draft.base;
            order(ReaderOrder::Save { name, text, replaces }, effects);
        }
        KeyCode::Backspace => drop(name.pop()),
        KeyCode::Char('u') if control => name.clear(),
        KeyCode::Char(letter) if !control => name.push(letter),
        _ => {}
    }
}

/// The text has changed: what it reads is not known.
fn changed(sheet: &mut ReaderSheet, effects: &mut Vec<Effect>) {
    let Some(draft) = &mut sheet.draft else { return };
    (draft.result, draft.progress) = (None, None);
    order(ReaderOrder::Try(draft.editor.text().to_owned()), effects);
}

fn close(sheet: &mut ReaderSheet, effects: &mut Vec<Effect>) {
    sheet.draft = None;
    sheet.select(sheet.selected());
    order(ReaderOrder::Try(String::new()), effects);
}

/// Adds pasted text.
pub(crate) fn paste(sheet: &mut ReaderSheet, text: &str, effects: &mut Vec<Effect>) {
    let Some(draft) = &mut sheet.draft else { return };
    match &mut draft.name {
        Some(name) => name.push_str(text.trim()),
        None if draft.editor.insert(text) => changed(sheet, effects),
        None => sheet.said = Some(TOO_LONG.to_owned()),
    }
}

/// The user's editor returned the text.
pub(crate) fn editor_returned(sheet: &mut ReaderSheet, text: String, effects: &mut Vec<Effect>) {
    let Some(draft) = &mut sheet.draft else { return };
    draft.editor = TextEditor::new(text);
    changed(sheet, effects);
}

/// Takes an answer about a draft.
pub(super) fn answered(sheet: &mut ReaderSheet, answer: ReaderAnswer, effects: &mut Vec<Effect>) {
    match answer {
        ReaderAnswer::Text(name, Ok(text)) => {
            let is_selected = sheet.draft.is_none() && sheet.row().is_some_and(|row| row.entry.name == name);
            if let Some(row) = sheet.row().filter(|_| is_selected) {
                sheet.draft = Some(Draft::new(row, text).into());
            }
        }
        ReaderAnswer::Text(_, Err(problem)) => sheet.said = Some(problem.to_string()),
        ReaderAnswer::Trying { done, of } => {
            if let Some(draft) = &mut sheet.draft {
                draft.progress = Some((done, of));
            }
        }
        ReaderAnswer::Tried(text, result) => {
            let Some(draft) = sheet.draft.as_mut().filter(|draft| draft.editor.text() == text) else {
                return;
            };
            if let Ok(read) = &result {
                draft.last = read.clone();
            }
            (draft.result, draft.progress) = (Some(result), None);
            // What the draft reads in the shown reply may be another thing now.
            effects.extend(
                sheet.place().map(|place| Effect::Request(Request::Reader(ReaderOrder::Show(place)))),
            );
        }
        ReaderAnswer::Saved(name, Ok(path)) => {
            sheet.draft = None;
            sheet.said =
                Some(format!("saved as {name} in {}; --reader {name} plays with it", path.display()));
            sheet.wanted = Some(name);
            order(ReaderOrder::Open(sheet.scope.clone()), effects);
        }
        ReaderAnswer::Saved(_, Err(problem)) => sheet.said = Some(problem.to_string()),
        _ => {}
    }
}
