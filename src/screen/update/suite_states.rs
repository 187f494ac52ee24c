//! The states of a suite in the dialog with its report: one of them with its frame and replies, and its recording.

use crate::requests::{LoadedRecording, Request, WantedRecording};
use crossterm::event::{KeyCode, KeyEvent};

use super::asked::{back, scrolled};
use super::list_keys::moved_by;
use super::{Effect, navigation};

use crate::modals;
use crate::model::{AskLevel, AskedSheet, Modal, Model};
use mageyard_config::Problem;

/// Shows the state that is so many places further on; its recording is read for its frame.
pub(super) fn show_state(report: &mut AskedSheet, by: isize, effects: &mut Vec<Effect>) {
    report.select_by(by);
    let Some(journal) = report.state().map(|state| state.journal.clone()) else { return };
    report.show(AskLevel::State);
    if report.loaded_step().is_none() {
        effects.push(Effect::Request(Request::LoadRecording(WantedRecording::Journal(journal))));
    }
}

/// A key while a state is shown: another state, other variants, or further down in the replies.
pub(super) fn press_state(model: &Model, report: &mut AskedSheet, key: KeyEvent, effects: &mut Vec<Effect>) {
    let shown = modals::shown_variants(model, report);
    match key.code {
        KeyCode::Left | KeyCode::Char('h') => show_state(report, -1, effects),
        KeyCode::Right | KeyCode::Char('l') => show_state(report, 1, effects),
        KeyCode::Tab => move_columns(report, 1, shown),
        KeyCode::BackTab => move_columns(report, -1, shown),
        _ => {
            let (most, page) = modals::suite_state_extent(model, report);
            report.scroll = scrolled(report.scroll, moved_by(key, page.into()).unwrap_or(0), most);
        }
    }
}

/// A key in the table of a diagnosis that selects another view.
pub(super) fn move_views(report: &mut AskedSheet, key: KeyEvent) {
    if report.is_diagnosis() {
        match key.code {
            KeyCode::Left | KeyCode::Char('h') => move_columns(report, -1, 1),
            KeyCode::Right | KeyCode::Char('l') => move_columns(report, 1, 1),
            _ => {}
        }
    }
}

fn move_columns(report: &mut AskedSheet, by: isize, shown: usize) {
    let all = report.view.rows.len();
    // The selected view of a diagnosis is a cell of its table too.
    let shown = if report.is_diagnosis() { 1 } else { shown };
    if let Some(suite) = &mut report.suite {
        suite.move_columns(by, (shown, all));
    }
}

/// A recording was read: if it is that of the shown state, its frame is shown.
pub(super) fn loaded(model: &mut Model, wanted: &WantedRecording, answer: &Result<LoadedRecording, Problem>) {
    let (WantedRecording::Journal(journal), Some(Modal::Asked(report))) = (wanted, &mut model.modal) else {
        return;
    };
    report.load(journal, |number| match answer {
        Err(problem) => Err(problem.to_string()),
        Ok(read) => {
            let step = read.snapshot.steps.numbered(number).cloned();
            step.ok_or_else(|| format!("the recording has no step {number}"))
        }
    });
}

/// Opens the recording of the shown state at its step. Esc leads back to the report, and `:suites` shows it again.
pub(super) fn open_recording(model: &mut Model, mut report: Box<AskedSheet>, effects: &mut Vec<Effect>) {
    let Some((journal, step)) = report.state().map(|state| (state.journal.clone(), state.step)) else {
        return;
    };
    let open = model.episodes.iter().position(|viewed| viewed.snapshot.journal.as_ref() == Some(&journal));
    if let Some(index) = open {
        let place = model.place(Some(Modal::Asked(report)));
        model.show_episode(index, place);
        return navigation::go_to(model, step);
    }
    if let Some(suite) = &mut report.suite {
        suite.is_opening = true;
    }
    model.awaited.step = Some((journal.clone(), step));
    effects.push(Effect::Request(Request::OpenJournal(journal)));
    model.modal = Some(Modal::Asked(report));
}

/// A line of the linear mode: a number opens a state, `open` its recording, nothing goes back.
pub(super) fn answer(model: &mut Model, mut report: Box<AskedSheet>, line: &str, effects: &mut Vec<Effect>) {
    let number = line.parse::<usize>().ok();
    let place = number.and_then(|number| report.view.states.iter().position(|state| state.number == number));
    match (line, place) {
        ("" | "stop", _) => {
            if back(model, &mut report, effects) {
                return;
            }
        }
        ("open", _) if report.level == AskLevel::State => return open_recording(model, report, effects),
        ("next", _) if report.level == AskLevel::State => show_state(&mut report, 1, effects),
        (_, Some(place)) => {
            report.select_by(isize::MIN);
            show_state(&mut report, place.cast_signed(), effects);
        }
        _ => {
            model.notify("the number of a state shows it, open opens its recording, an empty line goes back");
        }
    }
    model.modal = Some(Modal::Asked(report));
}
