//! What is done with a reply or a variant: it is used, a branch begins with it, it is rated, requests are read, and the state is
//! kept in a suite.

use super::pages;
use super::sheet::{AskGrid, Page};
use crate::model::{Modal, Model, Palette};
use crate::requests::{AddedStep, AskOrder, Request, SuiteOrder};
use crate::update::{Effect, open_fork_at, send_command};
use mageyard_domain::Rating;
use mageyard_engine::{Edit, EditTarget, PickedReply, SessionCommand};

/// What the suite of pinned states of an environment begins with.
const PINNED: &str = "pinned-";
/// The command that adds the shown step to a suite.
const ADD_TO_SUITE: &str = "suite add ";

/// The suite of the pinned states of an environment.
pub(super) fn pinned_suite(grid: &AskGrid) -> String {
    format!("{PINNED}{}", grid.environment)
}

/// Keeps the state in the suite of the pinned states of its environment.
pub(super) fn pin(grid: &AskGrid, effects: &mut Vec<Effect>) {
    add_to(grid, pinned_suite(grid), effects);
}

/// Lets the suite be named that the state is added to, in the palette, which completes it.
pub(super) fn name_suite(model: &mut Model, grid: Box<AskGrid>) {
    let is_running = grid.is_running();
    model.modal = Some(Modal::Grid(grid));
    if is_running {
        return model.notify("calls are being made: Esc stops them, then the state can be added");
    }
    model.open_over(Modal::Palette(Palette::with(ADD_TO_SUITE.to_owned())));
}

/// Keeps the state in the suite of this name.
pub(super) fn add_to(grid: &AskGrid, suite: String, effects: &mut Vec<Effect>) {
    let added = AddedStep { suite, journal: grid.journal.clone(), step: grid.step(), why: None };
    effects.push(Effect::Request(Request::Suite(SuiteOrder::Add(added))));
}

/// Copies what is shown as lines.
pub(super) fn copy(model: &Model, grid: &AskGrid) -> Effect {
    Effect::CopyText("table", pages::text(model, grid).join("\n"))
}

pub(super) fn rate(grid: &AskGrid, rating: Option<Rating>, effects: &mut Vec<Effect>) {
    effects.extend(grid.rated(rating).map(|rated| Effect::Request(Request::Ask(AskOrder::Rate(rated)))));
}

/// Shows the request of the selected variant, or its difference from that of its neighbour; those that are missing are read.
pub(super) fn show_requests(model: &mut Model, grid: &mut AskGrid, page: Page, effects: &mut Vec<Effect>) {
    let wanted: Vec<usize> = match (page, grid.compared(), grid.selected()) {
        (Page::Difference, Some(both), _) => both.map(|row| row.number).to_vec(),
        (Page::Difference, None, _) => {
            return model.notify("there is one variant: choose another prompt, window or model to compare");
        }
        (_, _, Some(row)) => vec![row.number],
        (_, _, None) => return model.notify("there is no variant yet"),
    };
    for number in wanted {
        if !matches!(grid.requests.get(&number), Some(Ok(_))) {
            let order = AskOrder::ReadRequest(grid.view.folder.clone(), number);
            effects.push(Effect::Request(Request::Ask(order)));
        }
    }
    grid.show(page);
}

/// Begins a branch with the selected reply and the settings of its variant; the dialog for it says first what it would be.
pub(super) fn fork(model: &mut Model, grid: Box<AskGrid>, effects: &mut Vec<Effect>) {
    let Some(answer) = grid.answer() else {
        model.notify("there is no reply to use here");
        return model.modal = Some(Modal::Grid(grid));
    };
    stop(&grid, effects);
    let step = grid.step();
    open_fork_at(model, (grid.journal, step), &format!("answer={answer}"), effects);
}

/// Drops the plan, and stops calls that are being made.
pub(super) fn stop_all(effects: &mut Vec<Effect>) {
    effects.push(Effect::Request(Request::Ask(AskOrder::Stop)));
}

fn stop(grid: &AskGrid, effects: &mut Vec<Effect>) {
    effects.extend(grid.is_running().then_some(Effect::Request(Request::Ask(AskOrder::Stop))));
}

/// Uses the reply of this number of the selected variant.
pub(super) fn use_reply_of(
    model: &mut Model,
    mut grid: Box<AskGrid>,
    number: u32,
    effects: &mut Vec<Effect>,
) {
    let is_there =
        grid.selected().is_some_and(|variant| variant.samples.iter().any(|call| call.number == number));
    if !is_there {
        model.notify(format!("there is no reply {number}"));
        return model.modal = Some(Modal::Grid(grid));
    }
    grid.select_sample(number);
    use_reply(model, grid, effects);
}

/// Uses the selected reply: where the step of a live session is pending it becomes the reply of the step, elsewhere a
/// branch begins with it.
pub(super) fn use_reply(model: &mut Model, grid: Box<AskGrid>, effects: &mut Vec<Effect>) {
    let picked = grid.call().and_then(|call| call.reply.clone()).zip(pending_target(model, &grid));
    let Some((reply, target)) = picked else { return fork(model, grid, effects) };
    stop(&grid, effects);
    let variant = grid.selected().map_or(0, |variant| variant.number);
    let from = format!("ask {}, variant {variant}, sample {}", grid.view.id, grid.sample());
    let edit = Edit::Picked(PickedReply { reply, from }.into());
    send_command(model, SessionCommand::Edit(target, edit), effects);
}

/// What a reply that is picked replaces, if the asked step is the newest of a live session and waits.
fn pending_target(model: &Model, grid: &AskGrid) -> Option<EditTarget> {
    let viewed = model.episode()?;
    let newest = viewed.snapshot.steps.last()?;
    let is_there = grid.step() == newest.number && viewed.snapshot.journal.as_ref() == Some(&grid.journal);
    let waits = viewed.live && !viewed.is_over() && !viewed.is_busy();
    (is_there && waits).then(|| EditTarget::of(newest))
}
