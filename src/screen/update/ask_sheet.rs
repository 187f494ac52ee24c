//! The dialog that asks again at the shown step: its fields, the plan, and the asks that are stored.

use crate::requests::Request;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::Effect;
use super::branches::recorded_journal;
use crate::asking::AskOrder;
use crate::modals;
use crate::model::{AskLevel, AskSheet, AskedSheet, Modal, Model};

/// The replies that are made without a count.
const CANDIDATES: u32 = 3;

/// Opens the dialog. Words, such as `prompts=A,B samples=20`, are planned at once.
pub(super) fn open(model: &mut Model, words: &str, effects: &mut Vec<Effect>) {
    let Some(journal) = recorded_journal(model) else { return };
    let Some(mut sheet) = model.episode().and_then(|viewed| AskSheet::new(viewed, journal)) else {
        return model.notify("there is no step yet");
    };
    effects.push(Effect::Request(Request::Ask(AskOrder::List(sheet.journal().clone(), sheet.step))));
    sheet.set_words(words);
    if !words.is_empty() {
        plan(model, &mut sheet, effects);
    }
    model.modal = Some(Modal::Ask(sheet.into()));
}

/// Opens the dialog for so many replies of the present prompt, and plans them.
pub(super) fn open_candidates(model: &mut Model, count: Option<u32>, effects: &mut Vec<Effect>) {
    let Some(journal) = recorded_journal(model) else { return };
    let count = count.unwrap_or(CANDIDATES);
    let Some(mut sheet) = model.episode().and_then(|viewed| AskSheet::candidates(viewed, journal, count))
    else {
        return model.notify("there is no step yet");
    };
    effects.push(Effect::Request(Request::Ask(AskOrder::List(sheet.journal().clone(), sheet.step))));
    plan(model, &mut sheet, effects);
    model.modal = Some(Modal::Ask(sheet.into()));
}

/// Handles a key. The caller took the dialog out of the model; it is put back unless the key closes it.
pub(super) fn press(model: &mut Model, mut sheet: Box<AskSheet>, key: KeyEvent, effects: &mut Vec<Effect>) {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    let (most, page) = modals::ask_extent(model, &sheet);
    match key.code {
        KeyCode::Esc => return effects.push(Effect::Request(Request::Ask(AskOrder::Stop))),
        KeyCode::Enter => return enter(model, sheet, effects),
        KeyCode::Down | KeyCode::Tab => sheet.move_focus(true),
        KeyCode::Up | KeyCode::BackTab => sheet.move_focus(false),
        KeyCode::PageDown => sheet.scroll = sheet.scroll.saturating_add(page).min(most),
        KeyCode::PageUp => sheet.scroll = sheet.scroll.min(most).saturating_sub(page),
        KeyCode::Right => sheet.complete(),
        KeyCode::Char(c) if !control => sheet.insert(c.encode_utf8(&mut [0; 4])),
        _ => {
            if let Some(text) = sheet.focused_mut() {
                match key.code {
                    KeyCode::Backspace => text.backspace(),
                    KeyCode::Char('u') if control => text.clear(),
                    _ => {}
                }
            }
        }
    }
    model.modal = Some(Modal::Ask(sheet));
}

/// Opens the selected ask, shows the plan, or makes the calls of the plan that is shown.
fn enter(model: &mut Model, mut sheet: Box<AskSheet>, effects: &mut Vec<Effect>) {
    if let Some(view) = sheet.selected().and_then(|index| sheet.stored().get(index)) {
        let mut asked = AskedSheet::stored(view.clone(), sheet.journal().clone(), sheet.step);
        asked.opened_from = Some(sheet);
        effects.push(Effect::Request(Request::Ask(AskOrder::Stop)));
        return model.modal = Some(Modal::Asked(asked.into()));
    }
    let number = sheet.plan.as_ref().map(|plan| plan.number);
    if let (Some(number), Some(Ok(plan))) = (number, sheet.known_plan()) {
        effects.push(Effect::Request(Request::Ask(AskOrder::Make(number))));
        let mut asked = AskedSheet::running(number, plan.sort, sheet.journal().clone(), sheet.step);
        if sheet.is_candidates {
            asked.show(AskLevel::Calls);
        }
        asked.opened_from = Some(sheet);
        return model.modal = Some(Modal::Asked(asked.into()));
    }
    plan(model, &mut sheet, effects);
    model.modal = Some(Modal::Ask(sheet));
}

fn plan(model: &mut Model, sheet: &mut AskSheet, effects: &mut Vec<Effect>) {
    model.asks += 1;
    effects.push(Effect::Request(Request::Ask(sheet.planned(model.asks))));
}

/// A line of the linear mode: fields to change, the number of a stored ask, or nothing for what Enter does.
pub(super) fn answer(model: &mut Model, mut sheet: Box<AskSheet>, line: &str, effects: &mut Vec<Effect>) {
    let line = line.trim();
    let stored = line.parse::<usize>().ok().and_then(|number| sheet.stored().get(number.checked_sub(1)?));
    match (line, stored.cloned()) {
        (":cancel", _) => effects.push(Effect::Request(Request::Ask(AskOrder::Stop))),
        ("", _) => enter(model, sheet, effects),
        (_, Some(view)) => {
            let asked = AskedSheet::stored(view, sheet.journal().clone(), sheet.step);
            model.modal = Some(Modal::Asked(asked.into()));
        }
        (words, None) => {
            sheet.set_words(words);
            plan(model, &mut sheet, effects);
            model.modal = Some(Modal::Ask(sheet));
        }
    }
}
