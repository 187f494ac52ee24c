//! Branches: the dialog that makes one, and the tree that switches between them.

use crate::requests::{BranchRow, Request, WantedRecording};
use std::path::PathBuf;
use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::list_keys::moved_by;
use super::{Effect, comparisons, opened, show_fault_over};
use crate::model::{BranchTree, Fault, ForkSheet, Modal, Model};
use mageyard_config::Problem;
use mageyard_engine::Snapshot;

/// The rows that a page of the tree moves by.
const TREE_PAGE: usize = 10;

/// Opens the dialog for a branch at the shown step, and asks what it would be.
pub(super) fn open_sheet(model: &mut Model, changes: &str, effects: &mut Vec<Effect>) {
    let Some(journal) = recorded_journal(model) else { return };
    let Some(step) = model.episode().and_then(|viewed| viewed.step()).map(|step| step.number) else { return };
    open_sheet_at(model, (journal, step), changes, effects);
}

/// Opens the dialog for a branch of a journal at a step, and asks what it would be.
pub(crate) fn open_sheet_at(
    model: &mut Model,
    (journal, step): (PathBuf, u32),
    changes: &str,
    effects: &mut Vec<Effect>,
) {
    let sheet = ForkSheet::new(journal, step, changes);
    // A change without its value is still being typed.
    if !sheet.changes().ends_with('=') {
        effects.push(Effect::Request(Request::Fork(sheet.order(false))));
    }
    model.modal = Some(Modal::Fork(sheet.into()));
}

/// The journal of the shown episode. One that is not recorded has no branches.
pub(crate) fn recorded_journal(model: &mut Model) -> Option<PathBuf> {
    let journal = model.episode()?.snapshot.journal.clone();
    if journal.is_none() {
        model.notify("this episode is not recorded, so no branch can be made");
    }
    journal
}

/// Handles a key. The caller took the modal out of the model; it is put back unless the key closes it.
pub(super) fn press_sheet(
    model: &mut Model,
    mut sheet: Box<ForkSheet>,
    key: KeyEvent,
    effects: &mut Vec<Effect>,
) {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Esc => return,
        KeyCode::Enter => {
            let is_made = matches!(sheet.known_plan(), Some(Ok(_)));
            effects.push(Effect::Request(Request::Fork(sheet.order(is_made))));
        }
        KeyCode::Backspace => sheet.backspace(),
        KeyCode::Char('u') if control => sheet.set(""),
        KeyCode::Char(c) if !control => sheet.insert(c.encode_utf8(&mut [0; 4])),
        _ => {}
    }
    model.modal = Some(Modal::Fork(sheet));
}

/// A line of the linear mode: the changes, or nothing to make the branch that was described.
pub(super) fn answer_sheet(
    model: &mut Model,
    mut sheet: Box<ForkSheet>,
    line: &str,
    effects: &mut Vec<Effect>,
) {
    match line.trim() {
        ":cancel" => return,
        "" => effects
            .push(Effect::Request(Request::Fork(sheet.order(matches!(sheet.known_plan(), Some(Ok(_))))))),
        changes => {
            sheet.set(changes);
            effects.push(Effect::Request(Request::Fork(sheet.order(false))));
        }
    }
    model.modal = Some(Modal::Fork(sheet));
}

/// What a branch would be was found out. An answer to earlier changes is kept with them, and shown when they come back.
pub(super) fn planned(model: &mut Model, changes: &str, answer: Result<Vec<String>, Problem>) {
    if let Some(Modal::Fork(sheet)) = &mut model.modal {
        sheet.plan = Some((changes.to_owned(), answer));
    }
}

/// A branch was made, or an episode is continued: it is shown.
pub(super) fn continued(
    model: &mut Model,
    answer: Result<Arc<Snapshot>, Problem>,
    effects: &mut Vec<Effect>,
) {
    model.awaited.play = None;
    match answer {
        Ok(snapshot) => {
            model.modal.take_if(|modal| matches!(modal, Modal::Fork(_)));
            opened(model, Ok(snapshot), effects);
        }
        Err(problem) => show_fault_over(model, Fault::Branch(problem)),
    }
}

/// Opens the tree, and lists the branches.
pub(super) fn open_tree(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(journal) = recorded_journal(model) else { return };
    effects.push(Effect::Request(Request::ListBranches(journal.clone())));
    model.modal = Some(Modal::Branches(BranchTree::new(journal).into()));
}

/// The branches were listed.
pub(super) fn listed(model: &mut Model, answer: Result<Vec<BranchRow>, Problem>) {
    if let Some(Modal::Branches(tree)) = &mut model.modal {
        tree.set_rows(answer);
    }
}

/// Handles a key. The caller took the modal out of the model; it is put back unless the key closes it.
pub(super) fn press_tree(
    model: &mut Model,
    mut tree: Box<BranchTree>,
    key: KeyEvent,
    effects: &mut Vec<Effect>,
) {
    match key.code {
        KeyCode::Esc | KeyCode::Char('q') => return,
        KeyCode::Enter => return open_selected(model, tree, effects),
        KeyCode::Char('d') => return compare_selected(model, tree, effects),
        _ => tree.select_by(moved_by(key, TREE_PAGE).unwrap_or(0)),
    }
    model.modal = Some(Modal::Branches(tree));
}

/// Compares the shown episode with the selected branch; selected itself, with its parent.
fn compare_selected(model: &mut Model, tree: Box<BranchTree>, effects: &mut Vec<Effect>) {
    let Some(row) = tree.selected_row() else { return model.modal = Some(Modal::Branches(tree)) };
    let own = model.episode().and_then(|viewed| viewed.snapshot.journal.clone());
    let wanted = match own {
        Some(own) if own == row.journal => WantedRecording::RelatedTo(own),
        _ => WantedRecording::Journal(row.journal.clone()),
    };
    comparisons::with_recording(model, wanted, effects);
}

/// A line of the linear mode: the number of a row.
pub(super) fn answer_tree(
    model: &mut Model,
    mut tree: Box<BranchTree>,
    line: &str,
    effects: &mut Vec<Effect>,
) {
    let number = line.trim().parse::<usize>().ok();
    let Some(index) = number.filter(|number| (1..=tree.rows().len()).contains(number)) else { return };
    tree.select_by(isize::MIN);
    tree.select_by((index - 1).cast_signed());
    open_selected(model, tree, effects);
}

/// Shows the selected branch: it is open already, or it is continued, or its recording is opened.
fn open_selected(model: &mut Model, tree: Box<BranchTree>, effects: &mut Vec<Effect>) {
    let Some(row) = tree.selected_row().cloned() else { return };
    let branch = (row.journal, row.ending.is_some());
    if let Some(waiting) = show(model, branch, Modal::Branches(tree), effects) {
        model.modal = Some(waiting);
    }
}

/// Shows the branch of a journal over a dialog, if it is open already; else it is continued, or its recording is opened if it
/// is over, and the dialog is returned, which waits for it.
pub(super) fn show(
    model: &mut Model,
    (journal, is_over): (PathBuf, bool),
    dialog: Modal,
    effects: &mut Vec<Effect>,
) -> Option<Modal> {
    let open = model.episodes.iter().position(|viewed| viewed.snapshot.journal.as_ref() == Some(&journal));
    match open {
        Some(index) => {
            let place = model.place(Some(dialog));
            model.show_episode(index, place);
            return None;
        }
        None if is_over => effects.push(Effect::Request(Request::OpenJournal(journal))),
        None => {
            model.awaited.play = Some("the episode".to_owned());
            effects.push(Effect::Request(Request::ContinueJournal(journal)));
        }
    }
    Some(dialog)
}
