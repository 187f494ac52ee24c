//! Commands that show another step or episode, and those that mark, find and compare steps. They never change the run.

use super::Call;
use crate::model::{EntryMenu, Modal, Model};
use crate::update::{
    Effect, annotations, ask_sheet, branches, comparisons, episodes, film, finding, found, frame, navigation,
    search,
};
use mageyard_engine::Annotation;

pub(super) fn blame(model: &mut Model, call: Call<'_>, effects: &mut Vec<Effect>) {
    ask_sheet::open_blame(model, call.argument, effects);
}

pub(super) fn diagnose(model: &mut Model, call: Call<'_>, effects: &mut Vec<Effect>) {
    ask_sheet::open_diagnosis(model, call.argument, effects);
}

pub(super) fn probe(model: &mut Model, call: Call<'_>, effects: &mut Vec<Effect>) {
    ask_sheet::open_probe(model, call.argument, effects);
}

pub(super) fn branches(model: &mut Model, _: Call<'_>, effects: &mut Vec<Effect>) {
    branches::open_tree(model, effects);
}

pub(super) fn back(model: &mut Model, call: Call<'_>, _: &mut Vec<Effect>) {
    navigation::move_steps(model, -call.distance());
}

pub(super) fn forward(model: &mut Model, call: Call<'_>, _: &mut Vec<Effect>) {
    navigation::move_steps(model, call.distance());
}

/// Finds steps of everything stored; a key asks for the condition, and a name alone shows the last list again.
pub(super) fn find(model: &mut Model, call: Call<'_>, effects: &mut Vec<Effect>) {
    let condition = if call.is_by_key() { call.required(model) } else { Some(call.argument) };
    if condition.is_some_and(|condition| !found::begin(model, condition, effects)) {
        call.correct(model);
    }
}

pub(super) fn marked(model: &mut Model, call: Call<'_>, _: &mut Vec<Effect>) {
    if let Some(marks) = call.required(model) {
        finding::find(model, marks);
    }
}

pub(super) fn tag(model: &mut Model, call: Call<'_>, effects: &mut Vec<Effect>) {
    if let Some(tag) = call.required(model) {
        annotations::add(model, Annotation::tag(tag), effects);
    }
}

pub(super) fn untag(model: &mut Model, call: Call<'_>, effects: &mut Vec<Effect>) {
    if let Some(tag) = call.required(model) {
        annotations::remove(model, Annotation::tag(tag), effects);
    }
}

pub(super) fn comment(model: &mut Model, call: Call<'_>, effects: &mut Vec<Effect>) {
    if let Some(text) = call.required(model) {
        annotations::add(model, Annotation::comment(text), effects);
    }
}

pub(super) fn uncomment(model: &mut Model, call: Call<'_>, effects: &mut Vec<Effect>) {
    if let Some(text) = call.required(model) {
        annotations::remove(model, Annotation::comment(text), effects);
    }
}

/// Searches a text; a key begins to type one in the hint line.
pub(super) fn search(model: &mut Model, call: Call<'_>, _: &mut Vec<Effect>) {
    if call.is_by_key() {
        search::open(model);
    } else if let Some(text) = call.required(model) {
        search::begin(model, text);
    }
}

pub(super) fn diff(model: &mut Model, call: Call<'_>, effects: &mut Vec<Effect>) {
    comparisons::compare_episodes(model, call.argument, effects);
}

/// The next match of a search, or the next step with a mark.
pub(super) fn next_marked(model: &mut Model, call: Call<'_>, _: &mut Vec<Effect>) {
    show_next(model, call, true);
}

pub(super) fn previous_marked(model: &mut Model, call: Call<'_>, _: &mut Vec<Effect>) {
    show_next(model, call, false);
}

fn show_next(model: &mut Model, call: Call<'_>, ahead: bool) {
    if model.search.is_some() {
        search::show_next(model, call.times(), ahead);
    } else {
        finding::find_next(model, call.times(), ahead);
    }
}

pub(super) fn only_marked(model: &mut Model, _: Call<'_>, _: &mut Vec<Effect>) {
    finding::toggle_only_marked(model);
}

pub(super) fn verdict(model: &mut Model, _: Call<'_>, _: &mut Vec<Effect>) {
    model.modal = Some(Modal::Verdict(EntryMenu::default()));
}

/// The first step, after a magnified picture of the focused frame pane was fitted.
pub(super) fn first(model: &mut Model, _: Call<'_>, _: &mut Vec<Effect>) {
    if !frame::fit(model) {
        navigation::show_step(model, 0);
    }
}

pub(super) fn newest(model: &mut Model, _: Call<'_>, _: &mut Vec<Effect>) {
    navigation::follow_newest(model);
    model.following = model.follow;
}

pub(super) fn go_to(model: &mut Model, call: Call<'_>, _: &mut Vec<Effect>) {
    match call.required(model).map(str::parse) {
        None => {}
        Some(Ok(number)) => navigation::go_to(model, number),
        Some(Err(_)) => model.notify("a step is a number, such as :42"),
    }
}

pub(super) fn previous_episode(model: &mut Model, call: Call<'_>, effects: &mut Vec<Effect>) {
    episodes::move_by(model, -call.distance(), effects);
}

pub(super) fn next_episode(model: &mut Model, call: Call<'_>, effects: &mut Vec<Effect>) {
    episodes::move_by(model, call.distance(), effects);
}

pub(super) fn episodes(model: &mut Model, _: Call<'_>, effects: &mut Vec<Effect>) {
    episodes::open_list(model, effects);
}

pub(super) fn picture(model: &mut Model, call: Call<'_>, _: &mut Vec<Effect>) {
    match call.written().map(str::parse) {
        None => frame::next_picture(model, call.times()),
        Some(Ok(number)) => frame::show_picture(model, number),
        Some(Err(_)) => model.notify("a picture is a number, such as :picture 2"),
    }
}

pub(super) fn film(model: &mut Model, _: Call<'_>, effects: &mut Vec<Effect>) {
    film::toggle(model, effects);
}
