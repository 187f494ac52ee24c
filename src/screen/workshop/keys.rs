//! What keys do in the workshop.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::draw::{editor_columns, shown_scroll};
use super::open::order;
use super::sheet::{Asking, Focus, Question, WorkshopSheet};
use crate::model::{Modal, Model};
use crate::requests::WorkshopOrder;
use crate::update::{Effect, TOO_LONG, type_into};
use mageyard_lab::{PromptOrigin, renamed_prompt};
use mageyard_terminal::TextEditor;

/// Rows of a page.
const PAGE: i16 = 10;
/// The most samples of each state.
const MOST_SAMPLES: u32 = 50;

/// Handles a key. The caller took the dialog out of the model; it is put back unless the key closes it.
pub(crate) fn press(
    model: &mut Model,
    mut sheet: Box<WorkshopSheet>,
    key: KeyEvent,
    effects: &mut Vec<Effect>,
) {
    sheet.said = None;
    let warned = std::mem::take(&mut sheet.warned);
    if sheet.name.is_some() {
        type_name(&mut sheet, key);
    } else if let Some(question) = sheet.question.take() {
        if key.code == KeyCode::Char('y') {
            confirm(&mut sheet, question, effects);
        }
    } else if key.code == KeyCode::Esc {
        if leave(&mut sheet, warned, effects) {
            return order(WorkshopOrder::Close, effects);
        }
    } else if sheet.prompt.is_some() {
        act(model, &mut sheet, key, effects);
    }
    model.modal = Some(Modal::Workshop(sheet));
}

/// Goes back by one: the plan, the calls, the comparison, and at last the dialog; true if that closes.
pub(super) fn leave(sheet: &mut WorkshopSheet, warned: bool, effects: &mut Vec<Effect>) -> bool {
    match sheet.asking {
        Asking::Planning(_) | Asking::Planned(..) => {
            sheet.asking = Asking::None;
            order(WorkshopOrder::Stop, effects);
            return false;
        }
        Asking::Running(number, _) => {
            sheet.asking = Asking::Stopping(number);
            order(WorkshopOrder::Stop, effects);
            return false;
        }
        Asking::Stopping(_) | Asking::None => {}
    }
    if std::mem::take(&mut sheet.compares) {
        sheet.scroll = 0;
        return false;
    }
    if sheet.prompt.is_some() && sheet.has_changed() && !warned {
        sheet.warned = true;
        sheet.said = Some("Esc again discards the draft; Ctrl-D saves it".to_owned());
        return false;
    }
    true
}

fn act(model: &mut Model, sheet: &mut WorkshopSheet, key: KeyEvent, effects: &mut Vec<Effect>) {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Char('g') | KeyCode::Enter if control => ask(model, sheet, effects),
        KeyCode::Char('d') if control => save(sheet, effects),
        KeyCode::Char('e') if control => {
            effects.push(Effect::ExternalEditor(sheet.draft().to_owned(), ".md"));
        }
        KeyCode::Tab => sheet.focus = next(sheet.focus),
        KeyCode::BackTab => sheet.focus = next(next(sheet.focus)),
        _ if sheet.focus == Focus::Text => type_key(model, sheet, key, control, effects),
        KeyCode::Up | KeyCode::Char('k') => move_rows(model, sheet, -1),
        KeyCode::Down | KeyCode::Char('j') => move_rows(model, sheet, 1),
        KeyCode::PageUp => scroll(model, sheet, -PAGE),
        KeyCode::PageDown => scroll(model, sheet, PAGE),
        KeyCode::Home => scroll(model, sheet, i16::MIN),
        KeyCode::Left | KeyCode::Char('h') => show_state(sheet, -1, effects),
        KeyCode::Right | KeyCode::Char('l') => show_state(sheet, 1, effects),
        KeyCode::Enter | KeyCode::Char('v') => compare(sheet),
        KeyCode::Char(letter) => letter_key(model, sheet, letter, effects),
        _ => {}
    }
}

fn letter_key(model: &Model, sheet: &mut WorkshopSheet, letter: char, effects: &mut Vec<Effect>) {
    match letter {
        'e' => sheet.focus = Focus::Text,
        'u' => take_version(sheet, effects),
        'n' => sheet.name = Some(sheet.prompt.as_ref().map_or(String::new(), |(name, _)| name.clone())),
        'D' => ask_deletion(sheet),
        'p' => pin(model, sheet, effects),
        'x' => ask_unpinning(sheet),
        '+' | '=' => set_samples(sheet, sheet.samples.saturating_add(1), effects),
        '-' => set_samples(sheet, sheet.samples.saturating_sub(1), effects),
        _ => {}
    }
}

fn next(focus: Focus) -> Focus {
    match focus {
        Focus::Text => Focus::Request,
        Focus::Request => Focus::Versions,
        Focus::Versions => Focus::Text,
    }
}

fn move_rows(model: &Model, sheet: &mut WorkshopSheet, by: i16) {
    match sheet.focus {
        Focus::Versions => sheet.move_version(by.into()),
        Focus::Text | Focus::Request => scroll(model, sheet, by),
    }
}

/// Scrolls from what is shown; it stops at both ends.
fn scroll(model: &Model, sheet: &mut WorkshopSheet, by: i16) {
    let shown = shown_scroll(model, sheet);
    sheet.follows = false;
    sheet.scroll = shown.saturating_add_signed(by);
}

fn type_key(
    model: &Model,
    sheet: &mut WorkshopSheet,
    key: KeyEvent,
    control: bool,
    effects: &mut Vec<Effect>,
) {
    let before = sheet.draft().to_owned();
    match type_into(&mut sheet.editor, key, control, editor_columns(model)) {
        // Most keys only move.
        Some(true) if sheet.draft() == before => {}
        Some(true) => changed(sheet, effects),
        Some(false) => sheet.said = Some(TOO_LONG.to_owned()),
        None => {}
    }
}

/// The draft has changed: a plan is one of another text, and its request is not known.
pub(super) fn changed(sheet: &mut WorkshopSheet, effects: &mut Vec<Effect>) {
    if matches!(sheet.asking, Asking::Planning(_) | Asking::Planned(..)) {
        sheet.asking = Asking::None;
        order(WorkshopOrder::Stop, effects);
    }
    sheet.follows = true;
    sheet.check();
    fill(sheet, effects);
}

/// Has the draft filled in; one that is not valid keeps the request before.
pub(super) fn fill(sheet: &mut WorkshopSheet, effects: &mut Vec<Effect>) {
    if sheet.error.is_none() && !sheet.states.is_empty() {
        sheet.is_filling = true;
        order(WorkshopOrder::Fill(sheet.draft().to_owned(), sheet.state()), effects);
    }
}

pub(super) fn show_state(sheet: &mut WorkshopSheet, by: isize, effects: &mut Vec<Effect>) {
    if sheet.move_state(by) {
        fill(sheet, effects);
    }
}

/// Compares the selected version with the draft, or shows the request again.
pub(super) fn compare(sheet: &mut WorkshopSheet) {
    if sheet.texts.is_empty() {
        sheet.said = Some("no version was asked yet; Ctrl-G asks the draft".to_owned());
        return;
    }
    sheet.compares = !sheet.compares;
    sheet.scroll = 0;
}

/// Goes back to the selected version: its text becomes the draft.
pub(super) fn take_version(sheet: &mut WorkshopSheet, effects: &mut Vec<Effect>) {
    let Some(version) = sheet.version().cloned() else {
        sheet.said = Some("no version was asked yet; Ctrl-G asks the draft".to_owned());
        return;
    };
    sheet.said = Some(format!("the draft has the text of version {}; Ctrl-D saves it", version.number));
    sheet.editor = TextEditor::new(version.text);
    sheet.compares = false;
    changed(sheet, effects);
}

/// Plans to ask the draft; the second press asks.
pub(super) fn ask(model: &mut Model, sheet: &mut WorkshopSheet, effects: &mut Vec<Effect>) {
    match &sheet.asking {
        Asking::Planned(number, _) => {
            order(WorkshopOrder::Make(*number), effects);
            sheet.asking = Asking::Running(*number, None);
            return;
        }
        Asking::Planning(_) | Asking::Running(..) | Asking::Stopping(_) => return,
        Asking::None => {}
    }
    if let Some(error) = &sheet.error {
        sheet.said = Some(format!("the draft is not valid and cannot be asked: {error}"));
        return;
    }
    if let Some(problem) = &sheet.stateless {
        sheet.said = Some(problem.to_string());
        return;
    }
    model.asks += 1;
    let number = model.asks;
    sheet.asking = Asking::Planning(number);
    let (text, samples) = (sheet.draft().to_owned(), sheet.samples);
    order(WorkshopOrder::Plan { number, text, samples }, effects);
}

pub(super) fn save(sheet: &mut WorkshopSheet, effects: &mut Vec<Effect>) {
    match &sheet.error {
        _ if !sheet.has_changed() => sheet.said = Some("nothing was changed".to_owned()),
        Some(error) => sheet.said = Some(format!("the draft is not valid and was not saved: {error}")),
        None => {
            sheet.is_storing = true;
            order(WorkshopOrder::Save(sheet.draft().to_owned()), effects);
        }
    }
}

fn type_name(sheet: &mut WorkshopSheet, key: KeyEvent) {
    let Some(name) = &mut sheet.name else { return };
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Esc => sheet.name = None,
        KeyCode::Enter => {
            let name = name.trim().to_owned();
            sheet.name = None;
            rename(sheet, &name);
        }
        KeyCode::Backspace => drop(name.pop()),
        KeyCode::Char('u') if control => name.clear(),
        KeyCode::Char(letter) if !control => name.push(letter),
        _ => {}
    }
}

/// Gives the draft another name: saved, it is a prompt of its own.
pub(super) fn rename(sheet: &mut WorkshopSheet, name: &str) {
    sheet.editor = TextEditor::new(renamed_prompt(sheet.draft(), name));
    sheet.check();
    sheet.said = Some(format!("the draft is named {name}; Ctrl-D saves it as a prompt of its own"));
}

pub(super) fn ask_deletion(sheet: &mut WorkshopSheet) {
    match &sheet.prompt {
        Some((name, PromptOrigin::Shipped)) => {
            sheet.said = Some(format!("{name} is shipped with the program and cannot be deleted"));
        }
        _ => sheet.question = Some(Question::Delete),
    }
}

pub(super) fn ask_unpinning(sheet: &mut WorkshopSheet) {
    if sheet.suite.1 {
        sheet.question = Some(Question::Unpin(sheet.state()));
    } else {
        sheet.said =
            Some("these states are not in a suite of your own, so there is nothing to unpin".to_owned());
    }
}

pub(super) fn confirm(sheet: &mut WorkshopSheet, question: Question, effects: &mut Vec<Effect>) {
    sheet.is_storing = true;
    order(
        match question {
            Question::Delete => WorkshopOrder::Delete,
            Question::Unpin(index) => WorkshopOrder::Unpin(index),
        },
        effects,
    );
}

/// Pins the present step: that of the shown episode.
pub(super) fn pin(model: &Model, sheet: &mut WorkshopSheet, effects: &mut Vec<Effect>) {
    let present = model.episode().and_then(|viewed| {
        let is_of = viewed.snapshot.head.environment == sheet.place.environment;
        Some((viewed.snapshot.journal.clone()?, viewed.step()?.number)).filter(|_| is_of)
    });
    if let Some((journal, step)) = present {
        sheet.is_storing = true;
        order(WorkshopOrder::Pin(journal, step), effects);
    } else {
        let environment = &sheet.place.environment;
        sheet.said = Some(format!("show a step of a recorded episode of {environment} to pin it"));
    }
}

pub(super) fn set_samples(sheet: &mut WorkshopSheet, samples: u32, effects: &mut Vec<Effect>) {
    sheet.samples = samples.clamp(1, MOST_SAMPLES);
    sheet.is_complete = false;
    sheet.said = Some(match samples {
        0 => "one sample of each state is the minimum".to_owned(),
        1..=MOST_SAMPLES => format!("{samples} samples of each state are asked and shown"),
        _ => format!("{MOST_SAMPLES} samples of each state is the maximum"),
    });
    order(WorkshopOrder::ReadVersions(sheet.samples), effects);
}

/// Adds pasted text.
pub(crate) fn paste(sheet: &mut WorkshopSheet, text: &str, effects: &mut Vec<Effect>) {
    match &mut sheet.name {
        Some(name) => name.push_str(text.trim()),
        None if sheet.focus != Focus::Text || sheet.prompt.is_none() => {}
        None if sheet.editor.insert(text) => changed(sheet, effects),
        None => sheet.said = Some(TOO_LONG.to_owned()),
    }
}

/// The user's editor returned the text.
pub(crate) fn editor_returned(sheet: &mut WorkshopSheet, text: String, effects: &mut Vec<Effect>) {
    sheet.editor = TextEditor::new(text);
    changed(sheet, effects);
}
