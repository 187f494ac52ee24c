//! The table of an ask, which grows while calls come back or branches end: its variants, the calls of one, a reply, a request.

use crate::requests::{AskAnswer, AskOrder, Request, SuiteOrder};
use std::path::Path;
use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::list_keys::moved_by;
use super::{Effect, ask_sheet, asked_branches, branches, session_control, suite_states};
use crate::modals;
use crate::model::{AskLevel, AskProgress, AskedSheet, EpisodeView, Modal, Model, SheetAnswer};
use mageyard_domain::{ModelTotals, Rating};
use mageyard_engine::{Edit, EditTarget, PickedReply, SessionCommand};
use mageyard_study::PartMark;

/// Takes an answer about asks. One about a dialog that is closed changes nothing.
pub(super) fn answered(model: &mut Model, answer: AskAnswer, effects: &mut Vec<Effect>) {
    match (answer, &mut model.modal) {
        (AskAnswer::Planned(number, planned), Some(Modal::Ask(sheet))) => {
            sheet.set_answer(number, planned.map(SheetAnswer::Plan));
        }
        (AskAnswer::Judged(number, verdict), Some(Modal::Ask(sheet))) => {
            sheet.set_answer(number, verdict.map(SheetAnswer::Verdict));
        }
        (AskAnswer::Listed(journal, step, stored), Some(Modal::Ask(sheet)))
            if sheet.place() == Some((&journal, step)) =>
        {
            sheet.stored = Some(stored);
        }
        (AskAnswer::Arrived(number, view), _) => {
            if let Some(sheet) = sheet_of(model, number) {
                sheet.set_view(view);
            }
        }
        (AskAnswer::Ended(number, ended), _) => {
            let Some(sheet) = sheet_of(model, number) else { return };
            sheet.progress = ended.map_or_else(AskProgress::Failed, |()| AskProgress::Over);
            if sheet.has_replies() && sheet.suite.is_none() {
                effects.push(Effect::Request(Request::Ask(AskOrder::ReadAsks(sheet.journal.clone()))));
            }
        }
        (AskAnswer::Request(folder, variant, request), Some(Modal::Asked(sheet)))
            if sheet.view.folder == folder =>
        {
            sheet.request = Some((variant, request));
        }
        (AskAnswer::Rated(_, Err(refused)), _) => model.notify(refused.to_string()),
        (AskAnswer::Rated(rated, Ok(())), Some(Modal::Asked(sheet))) => sheet.set_rating(&rated),
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
        _ if sheet.suite.is_some() => select(model, &mut sheet, key),
        KeyCode::Enter if sheet.start().is_some() && sheet.level == AskLevel::Table => {
            return asked_branches::go_to_start(model, &sheet, effects);
        }
        KeyCode::Enter if asked_branches::is_selected(&sheet) => {
            return asked_branches::open(model, sheet, effects);
        }
        KeyCode::Enter | KeyCode::Right => open(&mut sheet),
        KeyCode::Left if sheet.level != AskLevel::Table => drop(back(model, &mut sheet, effects)),
        KeyCode::Char('r' | 'R') if sheet.has_replies() => show_request(&mut sheet, effects),
        KeyCode::Char(letter) if is_about_a_call(&sheet) && !has_control(key) => match letter {
            'f' => return fork(model, sheet, effects),
            'u' => return use_reply(model, sheet, effects),
            '1'..='9' if sheet.level == AskLevel::Calls => {
                let number = letter.to_digit(10).and_then(|digit| isize::try_from(digit).ok()).unwrap_or(1);
                return use_reply_at(model, sheet, number - 1, effects);
            }
            '+' | '=' => rate(&sheet, Some(Rating::Good), effects),
            '-' => rate(&sheet, Some(Rating::Bad), effects),
            '0' => rate(&sheet, None, effects),
            _ => select(model, &mut sheet, key),
        },
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
                Some(_) => Effect::Request(Request::Suite(SuiteOrder::Stop)),
                None => Effect::Request(Request::Ask(AskOrder::Stop)),
            });
        }
        AskLevel::Table => return true,
        AskLevel::Calls => sheet.show(AskLevel::Table),
        AskLevel::Reply | AskLevel::Request => sheet.show(AskLevel::Calls),
        AskLevel::State => {
            sheet.show(AskLevel::Table);
            show_selected(model, sheet);
        }
    }
    false
}

/// Closes the table. The dialog that it was opened from is shown again: its plan is used, and what is stored is read again.
fn leave(model: &mut Model, sheet: AskedSheet, effects: &mut Vec<Effect>) {
    let Some(mut dialog) = sheet.opened_from else { return };
    if sheet.suite.is_none() {
        dialog.forget_plan();
        ask_sheet::list(&dialog, effects);
    }
    model.modal = Some(Modal::Ask(dialog));
}

fn open(sheet: &mut AskedSheet) {
    match sheet.level {
        AskLevel::Table if sheet.variant().is_some() => sheet.show(AskLevel::Calls),
        AskLevel::Calls if sheet.call().is_some() && sheet.has_replies() => sheet.show(AskLevel::Reply),
        _ => {}
    }
}

fn show_request(sheet: &mut AskedSheet, effects: &mut Vec<Effect>) {
    let Some(variant) = sheet.variant().map(|variant| variant.number) else { return };
    sheet.request = None;
    sheet.show(AskLevel::Request);
    effects.push(Effect::Request(Request::Ask(AskOrder::ReadRequest(sheet.view.folder.clone(), variant))));
}

fn is_about_a_call(sheet: &AskedSheet) -> bool {
    sheet.has_replies() && matches!(sheet.level, AskLevel::Calls | AskLevel::Reply)
}

fn has_control(key: KeyEvent) -> bool {
    key.modifiers.contains(KeyModifiers::CONTROL)
}

fn rate(sheet: &AskedSheet, rating: Option<Rating>, effects: &mut Vec<Effect>) {
    effects.extend(sheet.rated(rating).map(|rated| Effect::Request(Request::Ask(AskOrder::Rate(rated)))));
}

/// Begins a branch with the selected reply and the settings of its variant; the dialog for it says first what it would be.
fn fork(model: &mut Model, sheet: Box<AskedSheet>, effects: &mut Vec<Effect>) {
    let Some(answer) = sheet.answer() else {
        model.notify("this call has no reply");
        return model.modal = Some(Modal::Asked(sheet));
    };
    if sheet.is_running() {
        effects.push(Effect::Request(Request::Ask(AskOrder::Stop)));
    }
    branches::open_sheet_at(model, (sheet.journal, sheet.step), &format!("answer={answer}"), effects);
}

/// Uses the reply of the call in this place.
fn use_reply_at(model: &mut Model, mut sheet: Box<AskedSheet>, place: isize, effects: &mut Vec<Effect>) {
    if sheet.variant().is_none_or(|variant| variant.samples.len() <= place.unsigned_abs()) {
        model.notify(format!("there is no reply {}", place + 1));
        return model.modal = Some(Modal::Asked(sheet));
    }
    sheet.select_by(isize::MIN);
    sheet.select_by(place);
    use_reply(model, sheet, effects);
}

/// Uses the selected reply: where the step of a live session is pending it becomes the reply of the step, elsewhere a
/// branch begins with it.
fn use_reply(model: &mut Model, sheet: Box<AskedSheet>, effects: &mut Vec<Effect>) {
    let picked = sheet.call().and_then(|call| call.reply.clone()).zip(pending_target(model, &sheet));
    let Some((reply, target)) = picked else { return fork(model, sheet, effects) };
    if sheet.is_running() {
        effects.push(Effect::Request(Request::Ask(AskOrder::Stop)));
    }
    let sample = sheet.call().map_or(0, |call| call.number);
    let variant = sheet.variant().map_or(0, |variant| variant.number);
    let from = format!("ask {}, variant {variant}, sample {sample}", sheet.view.id);
    let edit = Edit::Picked(PickedReply { reply, from }.into());
    session_control::send(model, SessionCommand::Edit(target, edit), effects);
}

/// What a reply that is picked replaces, if the asked step is the newest of a live session and waits.
fn pending_target(model: &Model, sheet: &AskedSheet) -> Option<EditTarget> {
    let viewed = model.episode()?;
    let newest = viewed.snapshot.steps.last()?;
    let is_there = newest.number == sheet.step && viewed.snapshot.journal.as_ref() == Some(&sheet.journal);
    let waits = viewed.live && !viewed.is_over() && !viewed.is_busy();
    (is_there && waits).then(|| EditTarget::of(newest))
}

/// Moves the selection, and the lines so that it is visible; a text only scrolls.
fn select(model: &Model, sheet: &mut AskedSheet, key: KeyEvent) {
    let (most, page, _) = modals::asked_extent(model, sheet);
    let is_page = matches!(key.code, KeyCode::PageUp | KeyCode::PageDown | KeyCode::Char(' '));
    let is_text = matches!(sheet.level, AskLevel::Reply | AskLevel::Request);
    let Some(by) = moved_by(key, page.into()) else { return };
    if is_text || (is_page && sheet.level == AskLevel::Table) {
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

/// A line of the linear mode: a number opens a row, `request` shows the request, nothing goes back.
pub(super) fn answer(model: &mut Model, mut sheet: Box<AskedSheet>, line: &str, effects: &mut Vec<Effect>) {
    if sheet.suite.is_some() {
        return suite_states::answer(model, sheet, line.trim(), effects);
    }
    let number = line.trim().parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    match (line.trim(), number) {
        ("" | "stop", _) => {
            if back(model, &mut sheet, effects) {
                return;
            }
        }
        ("request", _) if sheet.has_replies() => show_request(&mut sheet, effects),
        (words, number) if !sheet.has_replies() => {
            return asked_branches::answer(model, sheet, (words, number), effects);
        }
        (words, None) if is_about_a_call(&sheet) => return about_call(model, sheet, words, effects),
        (_, Some(index)) => {
            sheet.select_by(isize::MIN);
            sheet.select_by(index.cast_signed());
            open(&mut sheet);
        }
        _ => model.notify("a number opens a row, request shows the request, an empty line goes back"),
    }
    model.modal = Some(Modal::Asked(sheet));
}

/// A line about a call: what to do, and the place of the call if it is not the one that is shown.
fn about_call(model: &mut Model, mut sheet: Box<AskedSheet>, words: &str, effects: &mut Vec<Effect>) {
    let (verb, place) = words.split_once(' ').unwrap_or((words, ""));
    if let Some(place) = place.trim().parse::<usize>().ok().and_then(|number| number.checked_sub(1)) {
        let level = std::mem::replace(&mut sheet.level, AskLevel::Calls);
        sheet.select_by(isize::MIN);
        sheet.select_by(place.cast_signed());
        sheet.level = level;
    }
    match verb {
        "use" => return use_reply(model, sheet, effects),
        "fork" => return fork(model, sheet, effects),
        "good" => rate(&sheet, Some(Rating::Good), effects),
        "bad" => rate(&sheet, Some(Rating::Bad), effects),
        "unrate" => rate(&sheet, None, effects),
        _ => model
            .notify("use 2 uses reply 2, fork 2 begins a branch with it, good 2, bad 2 or unrate 2 rate it"),
    }
    model.modal = Some(Modal::Asked(sheet));
}
