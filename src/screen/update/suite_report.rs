//! The report of a suite, which grows while calls come back: its states, and one of them with its frame and replies.

use crossterm::event::{KeyCode, KeyEvent};

use super::list_keys::moved_by;
use super::{Effect, episodes, navigation};
use crate::appearance::{LoadedRecording, WantedRecording};
use crate::modals;
use crate::model::{AskProgress, Modal, Model, ReturnPlace, SuiteReport};
use crate::suites::SuiteOrder;
use mageyard_config::Problem;

/// Handles a key. The caller took the dialog out of the model; it is put back unless the key closes it.
pub(super) fn press(
    model: &mut Model,
    mut report: Box<SuiteReport>,
    key: KeyEvent,
    effects: &mut Vec<Effect>,
) {
    match key.code {
        KeyCode::Esc | KeyCode::Char('q') => {
            if back(model, &mut report, effects) {
                return model.modal = report.sheet.map(Modal::Ask);
            }
        }
        KeyCode::Char('y') => {
            effects.push(Effect::CopyText("report", text(model, &report).join("\n")));
        }
        KeyCode::Enter if report.shows_state => return open_recording(model, report, effects),
        KeyCode::Enter => show_state(&mut report, 0, effects),
        _ if report.shows_state => press_state(model, &mut report, key, effects),
        _ => select(model, &mut report, key),
    }
    model.modal = Some(Modal::SuiteReport(report));
}

/// What is shown, as lines.
fn text(model: &Model, report: &SuiteReport) -> Vec<String> {
    if report.shows_state {
        let texts = modals::suite_state_texts(report).into_iter();
        texts.map(|(label, text)| format!("{label}: {text}")).collect()
    } else {
        modals::suite_report_text(model, report)
    }
}

/// Goes back to the table. In the table it stops the calls, and closes the dialog if there are none: true.
fn back(model: &Model, report: &mut SuiteReport, effects: &mut Vec<Effect>) -> bool {
    if report.shows_state {
        (report.shows_state, report.scroll) = (false, 0);
        show_selected(model, report);
    } else if report.progress == AskProgress::Running {
        report.progress = AskProgress::Stopping;
        effects.push(Effect::Suite(SuiteOrder::Stop));
    } else {
        return true;
    }
    false
}

/// Shows the state that is so many places further on; its recording is read for its frame.
fn show_state(report: &mut SuiteReport, by: isize, effects: &mut Vec<Effect>) {
    report.select_by(by);
    let Some(journal) = report.state().map(|state| state.journal.clone()) else { return };
    (report.shows_state, report.scroll) = (true, 0);
    if report.loaded_step().is_none() {
        effects.push(Effect::LoadRecording(WantedRecording::Journal(journal)));
    }
}

/// A key while a state is shown: another state, other variants, or further down in the replies.
fn press_state(model: &Model, report: &mut SuiteReport, key: KeyEvent, effects: &mut Vec<Effect>) {
    let shown = modals::shown_variants(model, report);
    match key.code {
        KeyCode::Left | KeyCode::Char('h') => show_state(report, -1, effects),
        KeyCode::Right | KeyCode::Char('l') => show_state(report, 1, effects),
        KeyCode::Tab => report.move_columns(1, shown),
        KeyCode::BackTab => report.move_columns(-1, shown),
        _ => {
            let (most, page) = modals::suite_state_extent(model, report);
            report.scroll = scrolled(report.scroll, moved_by(key, page.into()).unwrap_or(0), most);
        }
    }
}

fn scrolled(from: u16, by: isize, most: u16) -> u16 {
    let to = isize::try_from(from.min(most)).unwrap_or(0).saturating_add(by).max(0);
    u16::try_from(to).unwrap_or(u16::MAX).min(most)
}

/// Moves the selection in the table, and the lines so that it is visible; pages only scroll.
fn select(model: &Model, report: &mut SuiteReport, key: KeyEvent) {
    let (most, page, _) = modals::suite_report_extent(model, report);
    let Some(by) = moved_by(key, page.into()) else { return };
    if matches!(key.code, KeyCode::PageUp | KeyCode::PageDown | KeyCode::Char(' ')) {
        report.scroll = scrolled(report.scroll, by, most);
        return;
    }
    report.select_by(by);
    show_selected(model, report);
    // Above the first state is the table.
    if by < 0 && report.row() == 0 {
        report.scroll = 0;
    }
}

/// Moves the lines of the table so that the selected state is visible.
fn show_selected(model: &Model, report: &mut SuiteReport) {
    let (most, page, selected) = modals::suite_report_extent(model, report);
    let least = selected.end.saturating_sub(page);
    report.scroll = report.scroll.clamp(least.min(selected.start), selected.start.max(least)).min(most);
}

/// A recording was read: if it is that of the shown state, its frame is shown.
pub(super) fn loaded(model: &mut Model, wanted: &WantedRecording, answer: &Result<LoadedRecording, Problem>) {
    let (WantedRecording::Journal(journal), Some(Modal::SuiteReport(report))) = (wanted, &mut model.modal)
    else {
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
fn open_recording(model: &mut Model, mut report: Box<SuiteReport>, effects: &mut Vec<Effect>) {
    let Some((journal, step)) = report.state().map(|state| (state.journal.clone(), state.step)) else {
        return;
    };
    let open = model.episodes.iter().position(|viewed| viewed.snapshot.journal.as_ref() == Some(&journal));
    if let Some(index) = open {
        let before = model.shown_index();
        model.suite_report = Some(report);
        episodes::show(model, index);
        model.note_opened_from(ReturnPlace::SuiteReport, before);
        return navigation::go_to(model, step);
    }
    report.is_opening = true;
    model.awaited_step = Some((journal.clone(), step));
    effects.push(Effect::OpenJournal(journal));
    model.modal = Some(Modal::SuiteReport(report));
}

/// A recording was opened: the report gives way to it.
pub(super) fn opened(model: &mut Model, before: Option<usize>) {
    let is_opening = |modal: &mut Modal| matches!(modal, Modal::SuiteReport(report) if report.is_opening);
    if let Some(Modal::SuiteReport(mut report)) = model.modal.take_if(is_opening) {
        report.is_opening = false;
        model.suite_report = Some(report);
        model.note_opened_from(ReturnPlace::SuiteReport, before);
    }
}

/// A line of the linear mode: a number opens a state, `open` its recording, nothing goes back.
pub(super) fn answer(model: &mut Model, mut report: Box<SuiteReport>, line: &str, effects: &mut Vec<Effect>) {
    let number = line.parse::<usize>().ok();
    let place = number.and_then(|number| report.view.states.iter().position(|state| state.number == number));
    match (line, place) {
        ("" | "stop", _) => {
            if back(model, &mut report, effects) {
                return;
            }
        }
        ("open", _) if report.shows_state => return open_recording(model, report, effects),
        ("next", _) if report.shows_state => show_state(&mut report, 1, effects),
        (_, Some(place)) => {
            report.select_by(isize::MIN);
            show_state(&mut report, place.cast_signed(), effects);
        }
        _ => {
            model.notify("the number of a state shows it, open opens its recording, an empty line goes back");
        }
    }
    model.modal = Some(Modal::SuiteReport(report));
}
