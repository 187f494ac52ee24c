//! The table of a study, which grows while calls come back or branches end: its variants with the branches of one, or the states
//! of a suite.

use crate::requests::{AskAnswer, AskOrder, Request, SuiteOrder};
use std::path::Path;
use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent};

use super::list_keys::moved_by;
use super::{Effect, asked_branches, suite_states};
use crate::grid;
use crate::modals;
use crate::model::{AskLevel, AskProgress, AskedSheet, EpisodeView, Modal, Model, SheetAnswer};
use mageyard_domain::ModelTotals;
use mageyard_study::PartMark;

/// Takes an answer about asks. One about a dialog that is closed changes nothing.
pub(super) fn answered(model: &mut Model, answer: AskAnswer) {
    match (answer, &mut model.modal) {
        (AskAnswer::Planned(number, planned), Some(Modal::Ask(sheet))) => {
            sheet.set_answer(number, planned.map(SheetAnswer::Plan));
        }
        (AskAnswer::Judged(number, verdict), Some(Modal::Ask(sheet))) => {
            sheet.set_answer(number, verdict.map(SheetAnswer::Verdict));
        }
        (AskAnswer::Arrived(number, view), _) => {
            if let Some(sheet) = sheet_of(model, number) {
                sheet.set_view(view);
            }
        }
        (AskAnswer::Ended(number, ended), _) => {
            let Some(sheet) = sheet_of(model, number) else { return };
            sheet.progress = ended.map_or_else(AskProgress::Failed, |()| AskProgress::Over);
        }
        (AskAnswer::Rated(_, Err(refused)), _) => model.notify(refused.to_string()),
        (AskAnswer::Asks { journal, spent, marks }, _) => read_asks(model, &journal, spent, marks),
        _ => {}
    }
}

/// The dialog with the study of this number; the report of a suite may be hidden.
fn sheet_of(model: &mut Model, number: u64) -> Option<&mut AskedSheet> {
    model.dialogs_mut().find_map(|dialog| match dialog {
        Modal::Asked(sheet) if sheet.number == Some(number) => Some(sheet.as_mut()),
        _ => None,
    })
}

/// What the asks at an open episode took, and what they say of the parts of its requests.
fn read_asks(model: &mut Model, journal: &Path, spent: Vec<ModelTotals>, marks: Vec<PartMark>) {
    let is_of = |viewed: &&mut EpisodeView| viewed.snapshot.journal.as_deref() == Some(journal);
    let marks = Arc::new(marks);
    let spent = Arc::new(spent);
    for viewed in model.episodes.iter_mut().filter(is_of) {
        viewed.left_out_marks = marks.clone();
        viewed.ask_spending = spent.clone();
    }
}

/// Handles a key. The caller took the dialog out of the model; it is put back unless the key closes it.
pub(super) fn press(model: &mut Model, mut sheet: Box<AskedSheet>, key: KeyEvent, effects: &mut Vec<Effect>) {
    match key.code {
        KeyCode::Esc | KeyCode::Char('q') => {
            if back(model, &mut sheet, effects) {
                return leave(model, *sheet, effects);
            }
        }
        KeyCode::Char('y') => effects.push(copy(model, &sheet)),
        KeyCode::Enter if sheet.level == AskLevel::State => {
            return suite_states::open_recording(model, sheet, effects);
        }
        KeyCode::Enter if sheet.suite.is_some() => suite_states::show_state(&mut sheet, 0, effects),
        _ if sheet.level == AskLevel::State => suite_states::press_state(model, &mut sheet, key, effects),
        _ if sheet.suite.is_some() => {
            suite_states::move_views(&mut sheet, key);
            select(model, &mut sheet, key);
        }
        KeyCode::Enter if sheet.start().is_some() && sheet.level == AskLevel::Table => {
            return asked_branches::go_to_start(model, &sheet, effects);
        }
        KeyCode::Enter if asked_branches::is_selected(&sheet) => {
            return asked_branches::open(model, sheet, effects);
        }
        KeyCode::Enter | KeyCode::Right => open(&mut sheet),
        KeyCode::Left if sheet.level != AskLevel::Table => drop(back(model, &mut sheet, effects)),
        _ => select(model, &mut sheet, key),
    }
    model.modal = Some(Modal::Asked(sheet));
}

/// Copies what is shown as lines.
fn copy(model: &Model, sheet: &AskedSheet) -> Effect {
    let what = if sheet.suite.is_some() { "report" } else { "table" };
    let lines: Vec<String> = if sheet.level == AskLevel::State {
        let texts = modals::suite_state_texts(sheet).into_iter();
        texts.map(|(label, text)| format!("{label}: {text}")).collect()
    } else {
        modals::asked_text(model, sheet)
    };
    Effect::CopyText(what, lines.join("\n"))
}

/// Goes back to the level before. In the table it stops the calls, and closes the dialog if there are none: true.
pub(super) fn back(model: &Model, sheet: &mut AskedSheet, effects: &mut Vec<Effect>) -> bool {
    match sheet.level {
        AskLevel::Table if sheet.progress == AskProgress::Running => {
            sheet.progress = AskProgress::Stopping;
            effects.push(match sheet.suite {
                Some(_) if !sheet.is_diagnosis() => Effect::Request(Request::Suite(SuiteOrder::Stop)),
                Some(_) | None => Effect::Request(Request::Ask(AskOrder::Stop)),
            });
        }
        AskLevel::Table => return true,
        AskLevel::Calls => sheet.show(AskLevel::Table),
        AskLevel::State => {
            sheet.show(AskLevel::Table);
            show_selected(model, sheet);
        }
    }
    false
}

/// Closes the table. The dialog that it was opened from is shown again; that of a step plans again, as its plan was used.
fn leave(model: &mut Model, sheet: AskedSheet, effects: &mut Vec<Effect>) {
    match sheet.opened_from.map(|dialog| *dialog) {
        Some(Modal::Grid(grid)) => grid::list_stored(model, grid, effects),
        dialog => model.modal = dialog,
    }
}

fn open(sheet: &mut AskedSheet) {
    if sheet.level == AskLevel::Table && sheet.variant().is_some() {
        sheet.show(AskLevel::Calls);
    }
}

/// Moves the selection, and the lines so that it is visible.
fn select(model: &Model, sheet: &mut AskedSheet, key: KeyEvent) {
    let (most, page, _) = modals::asked_extent(model, sheet);
    let is_page = matches!(key.code, KeyCode::PageUp | KeyCode::PageDown | KeyCode::Char(' '));
    let Some(by) = moved_by(key, page.into()) else { return };
    if is_page && sheet.level == AskLevel::Table {
        sheet.scroll = scrolled(sheet.scroll, by, most);
        return;
    }
    sheet.select_by(by);
    show_selected(model, sheet);
    // Above the first row is how far the calls are.
    if by < 0 && sheet.row() == 0 && sheet.level == AskLevel::Table {
        sheet.scroll = 0;
    }
}

/// Moves the lines so that the selected row is visible.
fn show_selected(model: &Model, sheet: &mut AskedSheet) {
    let (most, page, selected) = modals::asked_extent(model, sheet);
    let least = selected.end.saturating_sub(page);
    sheet.scroll = sheet.scroll.clamp(least.min(selected.start), selected.start.max(least)).min(most);
}

pub(super) fn scrolled(from: u16, by: isize, most: u16) -> u16 {
    let to = isize::try_from(from.min(most)).unwrap_or(0).saturating_add(by).max(0);
    u16::try_from(to).unwrap_or(u16::MAX).min(most)
}

/// A line of the linear mode: a number opens a row, nothing goes back.
pub(super) fn answer(model: &mut Model, mut sheet: Box<AskedSheet>, line: &str, effects: &mut Vec<Effect>) {
    let line = line.trim();
    if sheet.suite.is_some() {
        return suite_states::answer(model, sheet, line, effects);
    }
    if !matches!(line, "" | "stop") {
        let number = line.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        return asked_branches::answer(model, sheet, (line, number), effects);
    }
    if !back(model, &mut sheet, effects) {
        model.modal = Some(Modal::Asked(sheet));
    }
}
