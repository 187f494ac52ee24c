//! A suite of the steps that a search has found, from which the dialog of ask opens.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{Effect, ask_sheet};
use crate::model::{FoundList, Modal, Model};
use crate::requests::{Request, SuiteOrder};
use mageyard_config::Problem;

/// The largest number of steps of a suite that is made here. Each is played again up to its state.
const MOST_STEPS: usize = 500;
/// The longest name in bytes.
const MOST_NAME: usize = 64;

/// Begins the name of a suite.
pub(super) fn begin(list: &mut FoundList) {
    match refusal(list) {
        Some(why) => list.said = Some(why),
        None => list.suite = Some(String::new()),
    }
}

/// Why no suite can be made of the list.
fn refusal(list: &FoundList) -> Option<String> {
    match list.rows().len() {
        _ if list.is_searching() => {
            Some("the search goes on: Esc stops it, then :find shows the list".to_owned())
        }
        0 => Some("there is no step for a suite".to_owned()),
        count if count > MOST_STEPS => Some(format!(
            "{count} steps are too many for a suite: at most {MOST_STEPS}; use a narrower condition"
        )),
        _ => None,
    }
}

/// A key while the name is typed.
pub(super) fn press(list: &mut FoundList, key: KeyEvent, effects: &mut Vec<Effect>) {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    let Some(name) = &mut list.suite else { return };
    match key.code {
        KeyCode::Esc => list.suite = None,
        KeyCode::Enter => {
            let name = list.suite.take().unwrap_or_default();
            order(list, &name, effects);
        }
        KeyCode::Backspace => drop(name.pop()),
        KeyCode::Char('u') if control => name.clear(),
        KeyCode::Char(letter) if !control && name.len() + letter.len_utf8() <= MOST_NAME => name.push(letter),
        _ => {}
    }
}

/// Adds pasted text to the name, if one is typed.
pub(super) fn paste(list: &mut FoundList, text: &str) {
    if let Some(name) = &mut list.suite {
        let added: String = text.chars().filter(|letter| !letter.is_control()).collect();
        if name.len() + added.len() <= MOST_NAME {
            name.push_str(&added);
        }
    }
}

/// Has the suite written.
pub(super) fn order(list: &mut FoundList, name: &str, effects: &mut Vec<Effect>) {
    if let Some(why) = refusal(list) {
        list.said = Some(why);
        return;
    }
    let suite = name.trim().to_owned();
    if suite.is_empty() {
        list.said = Some("a suite needs a name".to_owned());
        return;
    }
    list.is_collecting = true;
    let steps = list.rows().iter().map(|row| (row.journal.clone(), row.step)).collect();
    effects.push(Effect::Request(Request::Suite(SuiteOrder::Collect { suite, steps })));
}

/// The suite was written: what is asked about it is planned next. Its list is shown again with what went wrong.
pub(super) fn collected(
    model: &mut Model,
    suite: &str,
    answer: Result<String, Problem>,
    effects: &mut Vec<Effect>,
) {
    let open = model.dialogs_mut().find_map(|dialog| match dialog {
        Modal::Found(list) if list.is_collecting => Some(list),
        _ => None,
    });
    let Some(list) = open else { return };
    list.is_collecting = false;
    match answer {
        Err(problem) => list.said = Some(problem.to_string()),
        Ok(summary) => {
            list.said = Some(summary.clone());
            if let Some(Modal::Found(list)) = model.modal.take_if(|modal| matches!(modal, Modal::Found(_))) {
                model.found = Some(list);
            }
            model.notify(summary);
            ask_sheet::open_listed_suite(model, suite, effects);
        }
    }
}
