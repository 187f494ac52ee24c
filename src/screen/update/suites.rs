//! Suites of states: the list, adding the shown step to one, and the answers that come back.

use crate::requests::{AddedStep, Request, SuiteAnswer, SuiteOrder};
use crossterm::event::{KeyCode, KeyEvent};

use super::branches::recorded_journal;
use super::list_keys::moved_by;
use super::{Effect, ask_sheet, found_suite};
use crate::modals::suite_page;
use crate::model::{EpisodeView, Modal, Model, SuiteList};

/// Opens the list of suites, or the dialog for the one that is named, with what is to be compared. A report from which a
/// recording was opened is shown again first.
pub(super) fn open(model: &mut Model, words: &str, effects: &mut Vec<Effect>) {
    let (name, words) = words.split_once(' ').unwrap_or((words, ""));
    let is_report = |dialog: &Modal| matches!(dialog, Modal::Asked(sheet) if sheet.suite.is_some() && !sheet.is_diagnosis());
    match model.take_covered(is_report) {
        _ if !name.is_empty() => ask_sheet::open_suite(model, (name, false), words.trim(), effects),
        Some(report) => model.modal = Some(report),
        None => {
            effects.push(Effect::Request(Request::Suite(SuiteOrder::List)));
            model.modal = Some(Modal::Suites(SuiteList::default().into()));
        }
    }
}

/// Opens the list of suites again, with this one selected.
pub(super) fn open_list_at(model: &mut Model, suite: &str, effects: &mut Vec<Effect>) {
    effects.push(Effect::Request(Request::Suite(SuiteOrder::List)));
    let mut list = SuiteList::of(model.suites.clone());
    let place = list.rows().iter().position(|row| row.name == suite).unwrap_or(0);
    list.select_by(place.cast_signed());
    model.modal = Some(Modal::Suites(list.into()));
}

/// Adds the shown step to a suite: `add NAME`, and why it is in it.
pub(super) fn add(model: &mut Model, words: &str, effects: &mut Vec<Effect>) {
    let Some(words) = words.strip_prefix("add").map(str::trim).filter(|words| !words.is_empty()) else {
        return model.notify("write :suite add NAME, such as :suite add walls it goes in circles");
    };
    let (suite, why) = words.split_once(' ').unwrap_or((words, ""));
    let Some(journal) = recorded_journal(model) else { return };
    let Some(step) = model.episode().and_then(EpisodeView::step).map(|step| step.number) else {
        return model.notify("there is no step yet");
    };
    let why = Some(why.trim().to_owned()).filter(|why| !why.is_empty());
    effects.push(Effect::Request(Request::Suite(SuiteOrder::Add(AddedStep {
        suite: suite.to_owned(),
        journal,
        step,
        why,
    }))));
}

/// Takes an answer about suites. One about a dialog that is closed changes nothing.
pub(super) fn answered(model: &mut Model, answer: SuiteAnswer, effects: &mut Vec<Effect>) {
    match answer {
        SuiteAnswer::Added(added) => {
            model.notify(added.unwrap_or_else(|refused| refused.to_string()));
        }
        SuiteAnswer::Collected(suite, answer) => found_suite::collected(model, &suite, answer, effects),
        SuiteAnswer::Listed(rows) => {
            model.suites.clone_from(&rows);
            if let Some(Modal::Suites(list)) = &mut model.modal {
                list.rows = Some(rows);
            }
        }
        SuiteAnswer::Read(suite, details) => {
            if let Some(Modal::Ask(sheet)) = &mut model.modal
                && sheet.suite_name() == Some(&suite)
            {
                sheet.set_details(details);
            }
        }
    }
}

/// Handles a key of the list. The caller took the dialog out of the model; it is put back unless the key closes it.
pub(super) fn press(model: &mut Model, mut list: Box<SuiteList>, key: KeyEvent, effects: &mut Vec<Effect>) {
    match key.code {
        KeyCode::Esc | KeyCode::Char('q') => return,
        KeyCode::Enter => return open_selected(model, list, effects),
        _ => list.select_by(moved_by(key, suite_page(model)).unwrap_or(0)),
    }
    model.modal = Some(Modal::Suites(list));
}

/// A line of the linear mode: the number or the name of a suite.
pub(super) fn answer(model: &mut Model, mut list: Box<SuiteList>, line: &str, effects: &mut Vec<Effect>) {
    let number = line.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    let named = list.rows().iter().position(|row| row.name == line);
    match number.filter(|index| *index < list.rows().len()).or(named) {
        _ if line.is_empty() => {}
        Some(index) => {
            list.select_by(isize::MIN);
            list.select_by(index.cast_signed());
            open_selected(model, list, effects);
        }
        None => {
            model.notify("a number or a name opens a suite, an empty line closes the list");
            model.modal = Some(Modal::Suites(list));
        }
    }
}

fn open_selected(model: &mut Model, list: Box<SuiteList>, effects: &mut Vec<Effect>) {
    match list.selected_row() {
        Some(row) if row.broken.is_none() => {
            ask_sheet::open_suite(model, (&row.name.clone(), true), "", effects);
        }
        Some(row) => {
            model.notify(format!("the suite {} cannot be read", row.name));
            model.modal = Some(Modal::Suites(list));
        }
        None => model.modal = Some(Modal::Suites(list)),
    }
}
