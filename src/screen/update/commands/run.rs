//! Commands that run the episode, and those that begin another one.

use super::Call;
use crate::grid;
use crate::model::Model;
use crate::models;
use crate::pane::Pane;
use crate::readers;
use crate::requests::Request;
use crate::update::{
    Effect, branches, editing, film, frame, next_request, person, preview, real_time, search, seats,
    session_control, state_edit, suites, views,
};
use crate::workshop;
use mageyard_engine::SessionCommand;

pub(super) fn step(model: &mut Model, call: Call<'_>, effects: &mut Vec<Effect>) {
    session_control::step(model, call.times(), effects);
}

/// Esc clears the count, ends the search, stops the clock, cancels the request or run in progress, or leaves the film or the
/// zoom; at last it goes back to where the episode was opened from.
pub(super) fn cancel(model: &mut Model, call: Call<'_>, effects: &mut Vec<Effect>) {
    let busy = model.episode().is_some_and(|viewed| viewed.live && viewed.is_busy());
    if call.count.is_some() || search::end(model) || real_time::stop(model) {
    } else if busy {
        session_control::send(model, SessionCommand::Cancel, effects);
    } else if !film::leave(model) && !preview::end(model) && !frame::fit(model) {
        let was_zoomed = std::mem::replace(&mut model.panes.zoomed, false);
        if !was_zoomed {
            views::go_back(model, effects);
        }
    }
}

/// Runs, or stops what moves now: the clock of real time, or a film.
pub(super) fn run(model: &mut Model, call: Call<'_>, effects: &mut Vec<Effect>) {
    if model.is_real_time() {
        real_time::toggle(model, effects);
    } else if model.film_position().is_some() {
        film::toggle(model, effects);
    } else {
        session_control::run(model, call.count, effects);
    }
}

pub(super) fn faster(model: &mut Model, call: Call<'_>, effects: &mut Vec<Effect>) {
    if !magnifies(model, true, call) {
        session_control::faster(model, effects);
    }
}

pub(super) fn slower(model: &mut Model, call: Call<'_>, effects: &mut Vec<Effect>) {
    if !magnifies(model, false, call) {
        session_control::slower(model, effects);
    }
}

/// Magnifies the picture of the focused frame pane, or shows more of it; false if there is none.
fn magnifies(model: &mut Model, larger: bool, call: Call<'_>) -> bool {
    model.panes.focus == Pane::Frame && frame::change_factor(model, larger, call.times())
}

pub(super) fn real_time(model: &mut Model, _: Call<'_>, effects: &mut Vec<Effect>) {
    real_time::toggle(model, effects);
}

pub(super) fn edit(model: &mut Model, call: Call<'_>, effects: &mut Vec<Effect>) {
    editing::open(model, call.written(), effects);
}

pub(super) fn ask_again(model: &mut Model, _: Call<'_>, effects: &mut Vec<Effect>) {
    editing::ask_again(model, effects);
}

pub(super) fn edit_state(model: &mut Model, _: Call<'_>, _: &mut Vec<Effect>) {
    state_edit::open(model);
}

pub(super) fn act(model: &mut Model, call: Call<'_>, effects: &mut Vec<Effect>) {
    if let Some(line) = call.required(model) {
        person::act(model, line, effects);
    }
}

pub(super) fn plan(model: &mut Model, call: Call<'_>, effects: &mut Vec<Effect>) {
    if let Some(actions) = call.required(model) {
        person::plan(model, actions, effects);
    }
}

pub(super) fn open(model: &mut Model, call: Call<'_>, effects: &mut Vec<Effect>) {
    if let Some(level) = call.required(model) {
        model.awaited.play = Some(level.to_owned());
        effects.push(Effect::Request(Request::OpenLevel(level.to_owned())));
    }
}

pub(super) fn restart(model: &mut Model, _: Call<'_>, effects: &mut Vec<Effect>) {
    session_control::restart(model, effects);
}

pub(super) fn next_level(model: &mut Model, _: Call<'_>, effects: &mut Vec<Effect>) {
    session_control::next_level(model, effects);
}

pub(super) fn fork(model: &mut Model, call: Call<'_>, effects: &mut Vec<Effect>) {
    branches::open_sheet(model, call.argument, effects);
}

pub(super) fn ask(model: &mut Model, call: Call<'_>, effects: &mut Vec<Effect>) {
    grid::open(model, call.argument, effects);
}

pub(super) fn ask_from(model: &mut Model, _: Call<'_>, _: &mut Vec<Effect>) {
    editing::answer_start(model);
}

pub(super) fn candidates(model: &mut Model, call: Call<'_>, effects: &mut Vec<Effect>) {
    match call.written().map(str::parse) {
        None => grid::open_candidates(model, call.count, effects),
        Some(Ok(count)) => grid::open_candidates(model, Some(count), effects),
        Some(Err(_)) => model.notify("candidates are a number of replies, such as :candidates 5"),
    }
}

pub(super) fn suites(model: &mut Model, call: Call<'_>, effects: &mut Vec<Effect>) {
    suites::open(model, call.argument, effects);
}

pub(super) fn suite(model: &mut Model, call: Call<'_>, effects: &mut Vec<Effect>) {
    if let Some(words) = call.required(model) {
        suites::add(model, words, effects);
    }
}

pub(super) fn seat(model: &mut Model, call: Call<'_>, effects: &mut Vec<Effect>) {
    match call.written() {
        Some(words) => seats::by_words(model, words, effects),
        None => seats::open(model, effects),
    }
}

pub(super) fn model(model: &mut Model, _: Call<'_>, effects: &mut Vec<Effect>) {
    models::open(model, effects);
}

pub(super) fn readers(model: &mut Model, call: Call<'_>, effects: &mut Vec<Effect>) {
    readers::open(model, call.argument, effects);
}

pub(super) fn workshop(model: &mut Model, call: Call<'_>, effects: &mut Vec<Effect>) {
    workshop::open(model, call.argument, effects);
}

pub(super) fn abandon(model: &mut Model, _: Call<'_>, _: &mut Vec<Effect>) {
    session_control::open_abandon(model);
}

/// Adds breakpoints, or opens their list. A wrong condition is corrected where it was typed.
pub(super) fn add_break(model: &mut Model, call: Call<'_>, effects: &mut Vec<Effect>) {
    match call.written() {
        None => next_request::open_breakpoints(model),
        Some(condition) => {
            if !next_request::add_breakpoints(model, condition, effects) {
                call.correct(model);
            }
        }
    }
}
