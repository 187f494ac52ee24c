//! What comes back to the workshop.

use super::keys::fill;
use super::open::order;
use super::sheet::{Asking, WorkshopSheet};
use crate::model::{Modal, Model};
use crate::requests::{AskAnswer, OpenedWorkshop, WorkshopAnswer, WorkshopOrder};
use crate::update::{Effect, use_saved_prompt};
use mageyard_config::Problem;
use mageyard_dialog::Prompt;
use mageyard_lab::{PromptOrigin, WrittenPrompt};
use mageyard_terminal::TextEditor;

fn sheet_of(model: &mut Model) -> Option<&mut WorkshopSheet> {
    model.dialogs_mut().find_map(|dialog| match dialog {
        Modal::Workshop(sheet) => Some(sheet.as_mut()),
        _ => None,
    })
}

/// Takes an answer, if the workshop is open.
pub(crate) fn answered(model: &mut Model, answer: WorkshopAnswer, effects: &mut Vec<Effect>) {
    let Some(sheet) = sheet_of(model) else { return };
    let stores =
        matches!(answer, WorkshopAnswer::Saved(..) | WorkshopAnswer::Deleted(_) | WorkshopAnswer::Pinned(_));
    sheet.is_storing &= !stores;
    match answer {
        WorkshopAnswer::Opened(Ok(opened)) => take_opened(sheet, *opened, effects),
        WorkshopAnswer::Opened(Err(problem)) if sheet.prompt.is_none() => sheet.failed = Some(problem),
        WorkshopAnswer::Opened(Err(problem)) | WorkshopAnswer::Failed(problem) => {
            sheet.said = Some(problem.to_string());
        }
        // A newer draft is being filled in.
        WorkshopAnswer::Filled(text, _) if text != sheet.draft() => {}
        WorkshopAnswer::Filled(_, Ok(filled)) => {
            if filled.state == sheet.state() {
                (sheet.filled, sheet.is_filling) = (Some(filled), false);
            }
        }
        WorkshopAnswer::Filled(_, Err(problem)) => {
            sheet.is_filling = false;
            sheet.said = Some(problem.to_string());
        }
        WorkshopAnswer::Versions { texts, table, is_complete } => {
            let is_new = texts.len() != sheet.texts.len();
            (sheet.texts, sheet.table, sheet.is_complete) = (texts, table, is_complete);
            if is_new {
                sheet.select(usize::MAX);
            }
        }
        WorkshopAnswer::Saved(text, Ok(saved)) => {
            let (prompt, environment) = take_saved(sheet, text, *saved, effects);
            let is_used = environment.is_some_and(|of| use_saved_prompt(model, &of, prompt, effects));
            if let Some(said) = sheet_of(model).and_then(|sheet| sheet.said.as_mut()).filter(|_| is_used) {
                said.push_str("; the episode uses it from the next request on");
            }
        }
        WorkshopAnswer::Saved(_, Err(problem)) => sheet.said = Some(problem.to_string()),
        WorkshopAnswer::Deleted(Ok(path)) => {
            let name = sheet.prompt.as_ref().map_or(String::new(), |(name, _)| name.clone());
            if model.modal.take_if(|modal| matches!(modal, Modal::Workshop(_))).is_some() {
                model.uncover_dialog();
            }
            order(WorkshopOrder::Close, effects);
            effects.push(Effect::Request(crate::requests::Request::ListHome));
            model.notify(format!("deleted {name}; its text is in {}", path.display()));
        }
        WorkshopAnswer::Deleted(Err(problem)) => sheet.said = Some(problem.to_string()),
        WorkshopAnswer::Pinned(Ok(words)) => {
            sheet.said = Some(words);
            order(WorkshopOrder::Open(sheet.place.clone()), effects);
        }
        WorkshopAnswer::Pinned(Err(problem)) => sheet.said = Some(problem.to_string()),
    }
}

/// The prompt and the states; a draft that was changed stays.
fn take_opened(sheet: &mut WorkshopSheet, opened: OpenedWorkshop, effects: &mut Vec<Effect>) {
    let is_first = sheet.prompt.is_none();
    if is_first || !sheet.has_changed() {
        sheet.editor = TextEditor::new(opened.text.text.clone());
        sheet.editor.move_rows(isize::MIN, u16::MAX);
        sheet.editor.home();
    }
    sheet.place.prompt.clone_from(&opened.text.name);
    sheet.saved = opened.text.text;
    sheet.prompt = Some((opened.text.name, opened.text.origin));
    sheet.suite = (opened.suite, opened.is_own);
    (sheet.states, sheet.stateless) = match opened.states {
        Ok(states) => (states, None),
        Err(problem) => (Vec::new(), Some(problem)),
    };
    sheet.is_complete = false;
    sheet.filled = None;
    sheet.check();
    fill(sheet, effects);
    if sheet.samples != 1 {
        order(WorkshopOrder::ReadVersions(sheet.samples), effects);
    }
}

/// The saved prompt, and the environment of the episode that is to use it.
fn take_saved(
    sheet: &mut WorkshopSheet,
    text: String,
    saved: WrittenPrompt,
    effects: &mut Vec<Effect>,
) -> (Prompt, Option<String>) {
    sheet.said = Some(saved.summary());
    let is_variant = saved.before.is_none();
    let origin = match saved.before {
        Some(PromptOrigin::Shipped | PromptOrigin::InPlaceOfShipped) => PromptOrigin::InPlaceOfShipped,
        Some(PromptOrigin::Own) | None => PromptOrigin::Own,
    };
    sheet.place.prompt.clone_from(&saved.prompt.name);
    sheet.prompt = Some((saved.prompt.name.clone(), origin));
    sheet.saved = text;
    fill(sheet, effects);
    if is_variant {
        // Another name has other versions.
        order(WorkshopOrder::ReadVersions(sheet.samples), effects);
    }
    let environment = sheet.is_of_episode.then(|| sheet.place.environment.clone());
    (saved.prompt, environment)
}

/// Takes an answer about an ask of the workshop; false if it is about another one.
pub(crate) fn asked(model: &mut Model, answer: &AskAnswer, effects: &mut Vec<Effect>) -> bool {
    let Some(sheet) = sheet_of(model) else { return false };
    let of = |number: u64| sheet.number() == Some(number);
    match answer {
        AskAnswer::Planned(number, planned) if of(*number) => {
            sheet.asking = match planned {
                Ok(planned) => Asking::Planned(*number, planned.clone()),
                Err(problem) => {
                    sheet.said = Some(problem.to_string());
                    Asking::None
                }
            };
        }
        AskAnswer::Arrived(number, table) if of(*number) => {
            if let Asking::Running(_, counts) = &mut sheet.asking {
                *counts = Some((table.done, table.all));
            }
        }
        AskAnswer::Ended(number, ended) if of(*number) => ended_asking(sheet, ended, effects),
        _ => return false,
    }
    true
}

fn ended_asking(sheet: &mut WorkshopSheet, ended: &Result<(), Problem>, effects: &mut Vec<Effect>) {
    sheet.asking = Asking::None;
    sheet.said = ended.as_ref().err().map(ToString::to_string);
    sheet.is_complete = false;
    order(WorkshopOrder::ReadVersions(sheet.samples), effects);
}
