//! What becomes of the screen's state when something happens: pure, so that every key can be
//! tested. What must be done outside comes back as effects.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod deeds;
mod editing;
mod finding;
mod keys;
mod looking;
mod orders;
mod sheets;
mod typed;

use std::sync::Arc;

use crossterm::event::KeyEvent;
use crossterm::event::MouseEvent;
use ratatui::layout::Size;

use super::look::Look;
use super::model::Developed;
use super::model::Fault;
use super::model::Model;
use super::model::Sheet;
use super::model::Subject;
use super::model::To;
use super::model::Viewed;
use super::shot;
use super::theme::Theme;
use crate::config::Problem;
use crate::dialog::Prompt;
use crate::engine::Extract;
use crate::engine::Order;
use crate::engine::Snapshot;

/// Something that happened.
#[derive(Clone, Debug)]
pub(crate) enum Msg {
    Key(KeyEvent),
    Paste(String),
    Mouse(MouseEvent),
    Resized(Size),
    /// The session of this number has a newer snapshot.
    Snapshot(usize, Arc<Snapshot>),
    /// The session of this number takes no more orders.
    Closed(usize),
    /// Files that people edit have changed.
    Files,
    /// An answer of the house.
    Opened(Result<Arc<Snapshot>, Problem>),
    Reloaded(Box<Result<Look, Problem>>),
    Themed(Box<Result<Theme, Problem>>),
    /// A text to make a prompt of, and of which.
    Drafted(Subject, Result<String, Problem>),
    /// A prompt variant was kept.
    Kept(Box<Result<Prompt, Problem>>),
    /// The person's own editor has ended.
    Returned(Result<String, String>),
    /// The frame as it was sent.
    Developed(Option<Box<Developed>>),
    /// What became of a copy.
    Copied(String),
}

/// Something that must be done outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// An order to the session of this number.
    Order(usize, Order),
    Open(String),
    Reload,
    Theme(String),
    /// A text to make a prompt of, from this one.
    Draft {
        environment: String,
        from: String,
    },
    /// This text is to be kept as a prompt variant.
    Keep {
        environment: String,
        text: String,
    },
    /// This text is for the person's own editor, in a file whose name ends so.
    Hand(String, &'static str),
    /// Make the frame as it was sent ready to be shown.
    Develop,
    /// Take this out of the step looked at.
    Copy(Extract, To),
    Suspend,
    Redraw,
    Leave,
}

/// Takes one message in.
pub(crate) fn update(model: &mut Model, msg: Msg) -> Vec<Effect> {
    let mut effects = Vec::new();
    model.stale |= !matches!(msg, Msg::Files | Msg::Mouse(_));
    match msg {
        Msg::Key(key) => keys::press(model, key, &mut effects),
        Msg::Paste(text) => sheets::paste(model, &text),
        Msg::Mouse(event) => looking::mouse(model, event),
        Msg::Resized(size) => model.size = size,
        Msg::Snapshot(index, snapshot) => take(model, index, snapshot, &mut effects),
        Msg::Closed(index) => close(model, index),
        Msg::Files => effects.push(Effect::Reload),
        Msg::Opened(answer) => opened(model, answer, &mut effects),
        Msg::Reloaded(answer) => reloaded(model, *answer, &mut effects),
        Msg::Themed(answer) => themed(model, *answer),
        Msg::Copied(said) => orders::copied(model, said),
        Msg::Drafted(subject, answer) => editing::drafted(model, subject, answer, &mut effects),
        Msg::Kept(answer) => editing::kept(model, *answer, &mut effects),
        Msg::Returned(answer) => editing::returned(model, answer),
        Msg::Developed(answer) => {
            model.developed = answer.map(|answer| *answer);
            return effects;
        }
    }
    effects.extend(shot::is_wanted(model).then_some(Effect::Develop));
    effects
}

fn take(model: &mut Model, index: usize, snapshot: Arc<Snapshot>, effects: &mut Vec<Effect>) {
    let here = index == model.at;
    let Some(viewed) = model.episodes.get_mut(index) else { return };
    let news = snapshot.fault.clone().filter(|fault| viewed.snapshot.fault.as_ref() != Some(fault));
    let stopped = snapshot.stopped.clone().filter(|said| viewed.snapshot.stopped.as_ref() != Some(said));
    let passed = snapshot.passed.clone().filter(|said| viewed.snapshot.passed.as_ref() != Some(said));
    viewed.take(snapshot);
    orders::next_half(viewed, index, effects);
    model.stale |= here;
    passed.into_iter().chain(stopped).filter(|_| here).for_each(|said| model.remark(said));
    if let Some(fault) = news.filter(|_| here) {
        fault_over(model, Fault::Session(fault));
    }
}

/// A fault comes over everything but a text that is being written: that one is not to be lost.
fn fault_over(model: &mut Model, fault: Fault) {
    if matches!(model.sheet, Some(Sheet::Edit(_))) {
        model.remark(fault.problem().to_string());
    } else {
        model.sheet = Some(Sheet::Fault(fault));
    }
}

fn close(model: &mut Model, index: usize) {
    if let Some(viewed) = model.episodes.get_mut(index) {
        viewed.live = false;
    }
}

fn opened(model: &mut Model, answer: Result<Arc<Snapshot>, Problem>, effects: &mut Vec<Effect>) {
    match answer {
        Ok(snapshot) => {
            orders::stand(model, effects);
            model.episodes.push(Viewed::new(snapshot, true));
            model.at = model.episodes.len() - 1;
            model.scroll = Default::default();
            model.sideways = 0;
            orders::set_pace(model, effects);
        }
        Err(problem) => model.sheet = Some(Sheet::Fault(Fault::Open(problem))),
    }
}

fn reloaded(model: &mut Model, answer: Result<Look, Problem>, effects: &mut Vec<Effect>) {
    match answer {
        Ok(look) => take_look(model, look, effects),
        Err(problem) => fault_over(model, Fault::Files(problem)),
    }
}

fn take_look(model: &mut Model, look: Look, effects: &mut Vec<Effect>) {
    if matches!(model.sheet, Some(Sheet::Fault(Fault::Files(_)))) {
        model.sheet = None;
    }
    let before = std::mem::replace(&mut model.look, look);
    model.theme = model.look.theme.at(model.look.settings.depth);
    if before.settings.view != model.look.settings.view {
        model.view = model.look.settings.view;
    }
    if before.settings.pace != model.look.settings.pace {
        orders::set_pace(model, effects);
    }
    model.remark("the files have changed and were read again");
}

fn themed(model: &mut Model, answer: Result<Theme, Problem>) {
    match answer {
        Ok(theme) => model.theme = theme.at(model.look.settings.depth),
        Err(problem) => model.sheet = Some(Sheet::Fault(Fault::Theme(problem))),
    }
}

#[cfg(test)]
mod tests;
