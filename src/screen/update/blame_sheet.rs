//! The dialog that looks for the step that lost the shown episode.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::branches::recorded_journal;
use super::{Effect, navigation};
use crate::asking::AskOrder;
use crate::model::{AskedSheet, BlameAnswer, BlameSheet, Modal, Model};
use mageyard_study::StudySort;

/// Opens the dialog, and looks for the step: by the solver, or as these words say.
pub(super) fn open(model: &mut Model, words: &str, effects: &mut Vec<Effect>) {
    let Some(journal) = recorded_journal(model) else { return };
    look(model, BlameSheet::new(journal, words).into(), effects);
}

fn look(model: &mut Model, mut sheet: Box<BlameSheet>, effects: &mut Vec<Effect>) {
    model.asks += 1;
    effects.push(Effect::Ask(sheet.order(model.asks)));
    model.modal = Some(Modal::Blame(sheet));
}

/// Handles a key. The caller took the dialog out of the model; it is put back unless the key closes it.
pub(super) fn press(model: &mut Model, mut sheet: Box<BlameSheet>, key: KeyEvent, effects: &mut Vec<Effect>) {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Esc => return effects.push(Effect::Ask(AskOrder::Stop)),
        KeyCode::Enter => return enter(model, sheet, effects),
        KeyCode::Backspace => sheet.words_mut().backspace(),
        KeyCode::Char('u') if control => sheet.words_mut().clear(),
        KeyCode::Char(c) if !control => sheet.words_mut().insert(c.encode_utf8(&mut [0; 4])),
        _ => {}
    }
    model.modal = Some(Modal::Blame(sheet));
}

/// Goes to the step, plays the branches of the plan that is shown, or looks for the step in another way.
fn enter(model: &mut Model, sheet: Box<BlameSheet>, effects: &mut Vec<Effect>) {
    match (sheet.known(), sheet.number()) {
        (Some(Ok(BlameAnswer::Verdict(verdict))), _) => {
            if let Some(step) = verdict.step {
                navigation::go_to(model, step);
            }
        }
        (Some(Ok(BlameAnswer::Plan(_))), Some(number)) => {
            effects.push(Effect::Ask(AskOrder::Make(number)));
            let asked = AskedSheet::running(number, StudySort::Blame, sheet.journal().clone(), 0);
            model.modal = Some(Modal::Asked(asked.into()));
        }
        _ if sheet.is_searching() => model.modal = Some(Modal::Blame(sheet)),
        _ => look(model, sheet, effects),
    }
}

/// A line of the linear mode: how to look for the step, or nothing for what Enter does.
pub(super) fn answer(model: &mut Model, mut sheet: Box<BlameSheet>, line: &str, effects: &mut Vec<Effect>) {
    match line.trim() {
        ":cancel" => effects.push(Effect::Ask(AskOrder::Stop)),
        "" => enter(model, sheet, effects),
        words => {
            sheet.words_mut().clear();
            sheet.words_mut().insert(words);
            look(model, sheet, effects);
        }
    }
}
