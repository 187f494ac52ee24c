//! What the lab says about what is asked.

use super::keys::{list, plan};
use super::sheet::AskGrid;
use crate::model::{AskProgress, Modal, Model};
use crate::requests::{AskAnswer, AskOrder, ModelAnswer, Request};
use crate::update::Effect;

/// Takes an answer, if it is about this dialog; else it comes back.
pub(crate) fn answered(model: &mut Model, answer: AskAnswer, effects: &mut Vec<Effect>) -> Option<AskAnswer> {
    match answer {
        AskAnswer::Planned(number, planned) => {
            let Some(grid) = grid_of(model, number) else { return Some(AskAnswer::Planned(number, planned)) };
            grid.set_planned(number, planned);
        }
        AskAnswer::Arrived(number, view) => {
            let Some(grid) = grid_of(model, number) else { return Some(AskAnswer::Arrived(number, view)) };
            if !grid.is_opened && !grid.knows(&view) {
                grid.set_view(view);
            }
        }
        AskAnswer::Ended(number, ended) => {
            let next = model.asks + 1;
            let Some(grid) = grid_of(model, number) else {
                return Some(AskAnswer::Ended(number, ended));
            };
            grid.progress = ended.map_or_else(AskProgress::Failed, |()| AskProgress::Over);
            effects.push(Effect::Request(Request::Ask(AskOrder::ReadAsks(grid.journal.clone()))));
            list(grid, effects);
            // What is left has changed.
            effects.push(Effect::Request(Request::Ask(AskOrder::Plan(grid.begin_plan(next)))));
            model.asks = next;
        }
        other => return about_open(model, other),
    }
    None
}

/// An answer that names no plan.
fn about_open(model: &mut Model, answer: AskAnswer) -> Option<AskAnswer> {
    let Some(grid) = open_grid(model) else { return Some(answer) };
    match answer {
        AskAnswer::Listed(journal, step, stored) if grid.is_about(&journal, step) => {
            grid.stored = Some(stored);
        }
        AskAnswer::Request(folder, variant, request) if grid.view.folder == folder => {
            grid.requests.insert(variant, request);
        }
        AskAnswer::Rated(rated, Ok(())) => grid.set_rating(&rated),
        other => return Some(other),
    }
    None
}

/// The dialog, also while another one is over it.
fn open_grid(model: &mut Model) -> Option<&mut AskGrid> {
    model.dialogs_mut().find_map(|dialog| match dialog {
        Modal::Grid(grid) => Some(grid.as_mut()),
        _ => None,
    })
}

/// The dialog, if its plan has this number.
fn grid_of(model: &mut Model, number: u64) -> Option<&mut AskGrid> {
    open_grid(model).filter(|grid| grid.has_number(number))
}

/// Reads what is stored and planned again, once the dialog is shown again.
pub(crate) fn list_stored(model: &mut Model, mut grid: Box<AskGrid>, effects: &mut Vec<Effect>) {
    list(&grid, effects);
    plan(model, &mut grid, effects);
    model.modal = Some(Modal::Grid(grid));
}

/// Takes the names of the models that can be chosen.
pub(crate) fn models_listed(model: &mut Model, answer: &ModelAnswer) {
    if let (ModelAnswer::Listed(Ok(entries)), Some(grid)) = (answer, open_grid(model)) {
        let own = grid.chips.models.clone();
        let others = entries.iter().map(|entry| entry.name.clone()).filter(|name| !own.contains(name));
        grid.chips.models.extend(others);
    }
}
