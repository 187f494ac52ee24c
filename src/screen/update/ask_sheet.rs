//! The dialog that plans a study about a suite or an episode: its words, the plan, and the asks that are stored.

use crate::requests::{AskOrder, PlannedBlame, PlannedSight, Request, SuiteOrder, SuiteWords};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::branches::recorded_journal;
use super::{Effect, navigation, suites};
use crate::modals;
use crate::model::{AskSheet, AskedSheet, Modal, Model, Subject};

/// Opens the dialog for the step that lost the shown episode, and looks for it: by the solver, or as these words say.
pub(super) fn open_blame(model: &mut Model, words: &str, effects: &mut Vec<Effect>) {
    let Some(journal) = recorded_journal(model) else { return };
    show(model, AskSheet::blame(journal, words), true, effects);
}

/// Opens the dialog for what is wrong with the shown step, or with what these words name, and plans it.
pub(super) fn open_diagnosis(model: &mut Model, words: &str, effects: &mut Vec<Effect>) {
    let sheet = AskSheet::diagnosis(shown_step(model), words);
    show(model, sheet, true, effects);
}

/// Opens the dialog for questions about the shown step, or about what these words name, and plans them.
pub(super) fn open_probe(model: &mut Model, words: &str, effects: &mut Vec<Effect>) {
    let sheet = AskSheet::probe(shown_step(model), words);
    show(model, sheet, true, effects);
}

/// The journal of the shown episode and the number of the shown step, if it is recorded.
fn shown_step(model: &Model) -> Option<(std::path::PathBuf, u32)> {
    let viewed = model.episode()?;
    Some((viewed.snapshot.journal.clone()?, viewed.step()?.number))
}

/// Opens the dialog for the suite of this name.
pub(crate) fn open_listed_suite(model: &mut Model, suite: &str, effects: &mut Vec<Effect>) {
    open_suite(model, (suite, false), "", effects);
}

/// Opens the dialog for the suite of this name. Words are planned at once.
pub(super) fn open_suite(
    model: &mut Model,
    (suite, is_from_list): (&str, bool),
    words: &str,
    effects: &mut Vec<Effect>,
) {
    effects.push(Effect::Request(Request::Suite(SuiteOrder::Read(suite.to_owned()))));
    show(model, AskSheet::suite(suite, words, is_from_list), !words.is_empty(), effects);
}

fn show(model: &mut Model, mut sheet: AskSheet, is_planned: bool, effects: &mut Vec<Effect>) {
    if is_planned {
        plan(model, &mut sheet, effects);
    }
    model.modal = Some(Modal::Ask(sheet.into()));
}

/// Handles a key. The caller took the dialog out of the model; it is put back unless the key closes it.
pub(super) fn press(model: &mut Model, mut sheet: Box<AskSheet>, key: KeyEvent, effects: &mut Vec<Effect>) {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    let (most, page) = modals::ask_extent(model, &sheet);
    match key.code {
        KeyCode::Esc => return close(model, &sheet, effects),
        KeyCode::Enter => return enter(model, sheet, effects),
        KeyCode::Down | KeyCode::Tab => sheet.move_focus(true),
        KeyCode::Up | KeyCode::BackTab => sheet.move_focus(false),
        KeyCode::PageDown => sheet.scroll = sheet.scroll.saturating_add(page).min(most),
        KeyCode::PageUp => sheet.scroll = sheet.scroll.min(most).saturating_sub(page),
        KeyCode::Right => sheet.complete(),
        KeyCode::Char(c) if !control => sheet.insert(c.encode_utf8(&mut [0; 4])),
        _ => {
            if let Some(text) = sheet.text_mut() {
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

/// Closes the dialog and drops its plan; the list of suites is shown again if it was opened from there.
fn close(model: &mut Model, sheet: &AskSheet, effects: &mut Vec<Effect>) {
    effects.push(stop(sheet));
    if let Subject::Suite { name, is_from_list: true } = &sheet.subject {
        suites::open_list_at(model, name, effects);
    }
}

fn stop(sheet: &AskSheet) -> Effect {
    match sheet.subject {
        Subject::Suite { .. } => Effect::Request(Request::Suite(SuiteOrder::Stop)),
        Subject::Episode(_) | Subject::Diagnosis(_) | Subject::Probe(_) => {
            Effect::Request(Request::Ask(AskOrder::Stop))
        }
    }
}

/// Opens the selected ask, shows the plan, or makes what the plan that is shown needs. A step that is named is gone to.
fn enter(model: &mut Model, mut sheet: Box<AskSheet>, effects: &mut Vec<Effect>) {
    if let Some(index) = sheet.selected() {
        return open_stored(model, sheet, index, effects);
    }
    if let Some(verdict) = sheet.verdict() {
        if let Some(step) = verdict.step {
            navigation::go_to(model, step);
        }
        return;
    }
    if let Some((number, planned)) = sheet.ready() {
        let sort = planned.sort;
        let dialog = match &sheet.subject {
            Subject::Suite { name, .. } => {
                effects.push(Effect::Request(Request::Suite(SuiteOrder::Make(number))));
                Modal::Asked(AskedSheet::running_suite(number, name).into())
            }
            Subject::Diagnosis(_) | Subject::Probe(_) => {
                effects.push(Effect::Request(Request::Ask(AskOrder::Make(number))));
                Modal::Asked(AskedSheet::running_states(number).into())
            }
            Subject::Episode(_) => {
                effects.push(Effect::Request(Request::Ask(AskOrder::Make(number))));
                Modal::Asked(AskedSheet::running(number, sort, 0).into())
            }
        };
        return model.modal = Some(dialog);
    }
    let is_searched = sheet.suite_name().is_none() && sheet.is_planning();
    if !is_searched {
        plan(model, &mut sheet, effects);
    }
    model.modal = Some(Modal::Ask(sheet));
}

/// Opens a stored ask, from which Esc leads back here.
fn open_stored(model: &mut Model, sheet: Box<AskSheet>, index: usize, effects: &mut Vec<Effect>) {
    let Some(view) = sheet.stored().get(index).cloned() else { return };
    effects.push(stop(&sheet));
    let mut asked = AskedSheet::of_suite(view, sheet.suite_name().unwrap_or_default());
    asked.opened_from = Some(Modal::Ask(sheet).into());
    model.modal = Some(Modal::Asked(asked.into()));
}

fn plan(model: &mut Model, sheet: &mut AskSheet, effects: &mut Vec<Effect>) {
    model.asks += 1;
    let number = model.asks;
    let words = sheet.begin_plan(number);
    effects.push(match sheet.subject.clone() {
        Subject::Episode(journal) => {
            Effect::Request(Request::Ask(AskOrder::Blame(PlannedBlame { number, journal, words })))
        }
        Subject::Diagnosis(shown) => {
            Effect::Request(Request::Ask(AskOrder::Diagnose(PlannedSight { number, shown, words })))
        }
        Subject::Probe(shown) => {
            Effect::Request(Request::Ask(AskOrder::Probe(PlannedSight { number, shown, words })))
        }
        Subject::Suite { name, .. } => {
            Effect::Request(Request::Suite(SuiteOrder::Plan(SuiteWords { number, suite: name, words })))
        }
    });
}

/// A line of the linear mode: what is asked, the number of a stored ask, or nothing for what Enter does.
pub(super) fn answer(model: &mut Model, mut sheet: Box<AskSheet>, line: &str, effects: &mut Vec<Effect>) {
    let line = line.trim();
    let index = line.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    match (line, index.filter(|index| *index < sheet.stored().len())) {
        (":cancel", _) => effects.push(stop(&sheet)),
        ("", _) => enter(model, sheet, effects),
        (_, Some(index)) => open_stored(model, sheet, index, effects),
        (words, None) => {
            sheet.set_words(words);
            plan(model, &mut sheet, effects);
            model.modal = Some(Modal::Ask(sheet));
        }
    }
}
