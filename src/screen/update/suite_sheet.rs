//! The dialog that asks about a suite: what is compared, the plan, and the asks that are stored.

use crate::requests::Request;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{Effect, suites};
use crate::modals;
use crate::model::{Modal, Model, SuiteReport, SuiteSheet};
use crate::suites::SuiteOrder;

/// Opens the dialog for the suite of this name. Words, such as `prompts=A,B samples=20`, are planned at once.
pub(super) fn open(model: &mut Model, suite: &str, words: &str, effects: &mut Vec<Effect>) {
    let mut sheet = SuiteSheet::new(suite, words);
    effects.push(Effect::Request(Request::Suite(SuiteOrder::Read(suite.to_owned()))));
    if !words.is_empty() {
        plan(model, &mut sheet, effects);
    }
    model.modal = Some(Modal::Suite(sheet.into()));
}

/// Handles a key. The caller took the dialog out of the model; it is put back unless the key closes it.
pub(super) fn press(model: &mut Model, mut sheet: Box<SuiteSheet>, key: KeyEvent, effects: &mut Vec<Effect>) {
    let (most, page) = modals::suite_sheet_extent(model, &sheet);
    match key.code {
        KeyCode::Esc => {
            effects.push(Effect::Request(Request::Suite(SuiteOrder::Stop)));
            if sheet.is_from_list {
                suites::open_list_at(model, &sheet.suite, effects);
            }
            return;
        }
        KeyCode::Enter => return enter(model, sheet, effects),
        KeyCode::Down | KeyCode::Tab => sheet.move_focus(true),
        KeyCode::Up | KeyCode::BackTab => sheet.move_focus(false),
        KeyCode::PageDown => sheet.scroll = sheet.scroll.saturating_add(page).min(most),
        KeyCode::PageUp => sheet.scroll = sheet.scroll.min(most).saturating_sub(page),
        KeyCode::Right => sheet.complete(),
        _ => write(&mut sheet, key),
    }
    model.modal = Some(Modal::Suite(sheet));
}

/// A key that changes the words.
fn write(sheet: &mut SuiteSheet, key: KeyEvent) {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    let Some(words) = sheet.focused_mut() else { return };
    match key.code {
        KeyCode::Backspace => words.backspace(),
        KeyCode::Char('u') if control => words.clear(),
        KeyCode::Char(c) if !control => words.insert(c.encode_utf8(&mut [0; 4])),
        _ => {}
    }
}

/// Adds a pasted text to the words.
pub(super) fn paste(sheet: &mut SuiteSheet, text: &str) {
    if let Some(words) = sheet.focused_mut() {
        words.insert(text);
    }
}

/// Opens the selected ask, shows the plan, or makes the calls of the plan that is shown.
fn enter(model: &mut Model, mut sheet: Box<SuiteSheet>, effects: &mut Vec<Effect>) {
    if let Some(index) = sheet.selected() {
        open_stored(model, &sheet, index, effects);
        if let Some(Modal::SuiteReport(report)) = &mut model.modal {
            report.sheet = Some(sheet);
        }
        return;
    }
    let number = sheet.plan.as_ref().map(|plan| plan.number);
    if let (Some(number), Some(Ok(_))) = (number, sheet.known_plan()) {
        effects.push(Effect::Request(Request::Suite(SuiteOrder::Make(number))));
        return model.modal = Some(Modal::SuiteReport(SuiteReport::running(number, &sheet.suite).into()));
    }
    plan(model, &mut sheet, effects);
    model.modal = Some(Modal::Suite(sheet));
}

fn open_stored(model: &mut Model, sheet: &SuiteSheet, index: usize, effects: &mut Vec<Effect>) {
    let Some(view) = sheet.stored().get(index) else { return };
    effects.push(Effect::Request(Request::Suite(SuiteOrder::Stop)));
    model.modal = Some(Modal::SuiteReport(SuiteReport::stored(view.clone(), &sheet.suite).into()));
}

fn plan(model: &mut Model, sheet: &mut SuiteSheet, effects: &mut Vec<Effect>) {
    model.asks += 1;
    effects.push(Effect::Request(Request::Suite(sheet.planned(model.asks))));
}

/// A line of the linear mode: what is compared, the number of a stored ask, or nothing for what Enter does.
pub(super) fn answer(model: &mut Model, mut sheet: Box<SuiteSheet>, line: &str, effects: &mut Vec<Effect>) {
    let index = line.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    match (line, index.filter(|index| *index < sheet.stored().len())) {
        (":cancel", _) => effects.push(Effect::Request(Request::Suite(SuiteOrder::Stop))),
        ("", _) => enter(model, sheet, effects),
        (_, Some(index)) => open_stored(model, &sheet, index, effects),
        (words, None) => {
            sheet.words.clear();
            sheet.words.insert(words);
            plan(model, &mut sheet, effects);
            model.modal = Some(Modal::Suite(sheet));
        }
    }
}
