//! The table of an ask, which grows while calls come back: its variants, the calls of one, a reply, a request.

use crossterm::event::KeyCode;
use crossterm::event::KeyEvent;

use super::Effect;
use super::list_keys::moved_by;
use crate::tui::asking::AskAnswer;
use crate::tui::asking::AskOrder;
use crate::tui::modals;
use crate::tui::model::AskLevel;
use crate::tui::model::AskProgress;
use crate::tui::model::AskSheet;
use crate::tui::model::AskedSheet;
use crate::tui::model::Modal;
use crate::tui::model::Model;

/// Takes an answer about asks. One about a dialog that is closed changes nothing.
pub(super) fn answered(model: &mut Model, answer: AskAnswer) {
    match (answer, &mut model.modal) {
        (AskAnswer::Planned(number, planned), Some(Modal::Ask(sheet))) => {
            let waiting = sheet.plan.as_mut().filter(|(known, ..)| *known == number);
            waiting.into_iter().for_each(|plan| plan.2 = Some(planned.clone()));
        }
        (AskAnswer::Listed(journal, step, stored), Some(Modal::Ask(sheet))) => {
            if is_of(sheet, &journal, step) {
                sheet.stored = Some(stored);
            }
        }
        (AskAnswer::Arrived(number, view), Some(Modal::Asked(sheet))) if sheet.number == Some(number) => {
            sheet.view = view;
        }
        (AskAnswer::Ended(number, ended), Some(Modal::Asked(sheet))) if sheet.number == Some(number) => {
            sheet.progress = ended.map_or_else(AskProgress::Failed, |()| AskProgress::Over);
        }
        (AskAnswer::Request(folder, variant, request), Some(Modal::Asked(sheet)))
            if sheet.view.folder == folder =>
        {
            sheet.request = Some((variant, request));
        }
        _ => {}
    }
}

fn is_of(sheet: &AskSheet, journal: &std::path::Path, step: u32) -> bool {
    (sheet.journal().as_path(), sheet.step) == (journal, step)
}

/// Handles a key. The caller took the dialog out of the model; it is put back unless the key closes it.
pub(super) fn press(model: &mut Model, mut sheet: Box<AskedSheet>, key: KeyEvent, effects: &mut Vec<Effect>) {
    match key.code {
        KeyCode::Esc | KeyCode::Char('q') => {
            if back(&mut sheet, effects) {
                return;
            }
        }
        KeyCode::Enter | KeyCode::Right => open(&mut sheet),
        KeyCode::Left if sheet.level != AskLevel::Table => drop(back(&mut sheet, effects)),
        KeyCode::Char('r' | 'R') => show_request(&mut sheet, effects),
        KeyCode::Char('y') => {
            effects.push(Effect::CopyText("table", modals::asked_text(model, &sheet).join("\n")));
        }
        _ => select(model, &mut sheet, key),
    }
    model.modal = Some(Modal::Asked(sheet));
}

/// Goes back to the level before. In the table it stops the calls, and closes the dialog if there are none: true.
fn back(sheet: &mut AskedSheet, effects: &mut Vec<Effect>) -> bool {
    match sheet.level {
        AskLevel::Table if sheet.progress == AskProgress::Running => {
            sheet.progress = AskProgress::Stopping;
            effects.push(Effect::Ask(AskOrder::Stop));
        }
        AskLevel::Table => return true,
        AskLevel::Calls => sheet.show(AskLevel::Table),
        AskLevel::Reply | AskLevel::Request => sheet.show(AskLevel::Calls),
    }
    false
}

fn open(sheet: &mut AskedSheet) {
    match sheet.level {
        AskLevel::Table if sheet.variant().is_some() => sheet.show(AskLevel::Calls),
        AskLevel::Calls if sheet.call().is_some() => sheet.show(AskLevel::Reply),
        _ => {}
    }
}

fn show_request(sheet: &mut AskedSheet, effects: &mut Vec<Effect>) {
    let Some(variant) = sheet.variant().map(|variant| variant.number) else { return };
    sheet.request = None;
    sheet.show(AskLevel::Request);
    effects.push(Effect::Ask(AskOrder::ReadRequest(sheet.view.folder.clone(), variant)));
}

/// Moves the selection, and the lines so that it is visible; a text only scrolls.
fn select(model: &Model, sheet: &mut AskedSheet, key: KeyEvent) {
    let (most, page, _) = modals::asked_extent(model, sheet);
    let is_page = matches!(key.code, KeyCode::PageUp | KeyCode::PageDown | KeyCode::Char(' '));
    let is_text = matches!(sheet.level, AskLevel::Reply | AskLevel::Request);
    let Some(by) = moved_by(key, page.into()) else { return };
    if is_text || (is_page && sheet.level == AskLevel::Table) {
        let to = isize::try_from(sheet.scroll.min(most)).unwrap_or(0).saturating_add(by).max(0);
        sheet.scroll = u16::try_from(to).unwrap_or(u16::MAX).min(most);
        return;
    }
    sheet.select_by(by);
    let (most, page, selected) = modals::asked_extent(model, sheet);
    let least = selected.end.saturating_sub(page);
    sheet.scroll = sheet.scroll.clamp(least.min(selected.start), selected.start.max(least)).min(most);
    // Above the first row is how far the calls are.
    if by < 0 && sheet.row() == 0 && sheet.level == AskLevel::Table {
        sheet.scroll = 0;
    }
}

/// A line of the linear mode: a number opens a row, `request` shows the request, nothing goes back.
pub(super) fn answer(model: &mut Model, mut sheet: Box<AskedSheet>, line: &str, effects: &mut Vec<Effect>) {
    let number = line.trim().parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    match (line.trim(), number) {
        ("", _) | ("stop", _) => {
            if back(&mut sheet, effects) {
                return;
            }
        }
        ("request", _) => show_request(&mut sheet, effects),
        (_, Some(index)) => {
            sheet.select_by(isize::MIN);
            sheet.select_by(index.cast_signed());
            open(&mut sheet);
        }
        _ => model.notify("a number opens a row, request shows the request, an empty line goes back"),
    }
    model.modal = Some(Modal::Asked(sheet));
}
