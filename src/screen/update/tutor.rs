//! The tutor: starting a lesson, what Enter means in it, and going on to the next part when the screen shows what the present
//! one wants.

use std::sync::Arc;

use super::{Effect, session_control, views};
use crate::command::CommandId;
use crate::model::{EpisodeView, Fault, Modal, Model, View};
use crate::requests::Request;
use crate::tutor::{EnterUse, Lesson, Tutor};
use mageyard_config::Problem;
use mageyard_domain::sanitize;
use mageyard_engine::{MarkSet, Snapshot};

/// The word that leaves the tutor.
const OFF: &str = "off";

impl Model {
    /// The lesson in progress, if its episode or a branch of it is shown.
    pub(crate) fn shown_tutor(&self) -> Option<&Tutor> {
        self.tutor.as_ref().filter(|tutor| self.view() == View::Episode && self.current >= tutor.episode)
    }

    /// Whether no lesson has another use for the key that steps the agent.
    pub(crate) fn may_step(&self) -> bool {
        self.shown_tutor().is_none_or(|tutor| tutor.enter_use() == EnterUse::Steps)
    }
}

/// Starts a lesson by its name; without one the first, or the next after a complete one. One that was left is shown again
/// where it was left.
pub(crate) fn open(model: &mut Model, name: &str, effects: &mut Vec<Effect>) {
    if name == OFF {
        return leave(model, effects);
    }
    let name = if name.is_empty() { next_name(model) } else { name };
    let Ok(lesson) = Lesson::named(name) else {
        let known = Lesson::names().join(", ");
        let name = sanitize(name);
        return model.notify(format!("there is no lesson {name:?}; the lessons are {known}, and off leaves"));
    };
    match left_at(model, lesson.name()) {
        Some(index) => {
            let place = model.place(None);
            model.show_episode(index, place);
        }
        None => begin(model, lesson, effects),
    }
}

/// The episode of the lesson of this name, if it was left before its end.
fn left_at(model: &Model, name: &str) -> Option<usize> {
    let left = model.tutor.as_ref().filter(|tutor| tutor.lesson.name() == name && !tutor.is_complete())?;
    model.shown_tutor().is_none().then_some(left.episode)
}

/// Has the episode of a lesson opened.
fn begin(model: &mut Model, lesson: Lesson, effects: &mut Vec<Effect>) {
    session_control::pause_current(model, effects);
    effects.push(Effect::Request(Request::OpenLesson(lesson.name())));
    model.awaited.play = Some(format!("the lesson {}", lesson.name()));
    model.awaited.lesson = Some(lesson);
}

fn next_name(model: &Model) -> &'static str {
    let name = model.tutor.as_ref().map(|tutor| tutor.lesson.name());
    let is_complete = model.tutor.as_ref().is_some_and(Tutor::is_complete);
    let next = if is_complete { name.and_then(Lesson::after) } else { name };
    next.unwrap_or_else(|| Lesson::names()[0])
}

/// The episode of a lesson was opened.
pub(super) fn opened(model: &mut Model, answer: Result<Arc<Snapshot>, Problem>) {
    model.awaited.play = None;
    match (answer, model.awaited.lesson.take()) {
        (Err(problem), _) => model.modal = Some(Modal::Fault(Fault::Open(problem))),
        (Ok(_), None) => {}
        (Ok(snapshot), Some(lesson)) => {
            model.episodes.push(EpisodeView::new(snapshot, true));
            let index = model.episodes.len() - 1;
            // The next lesson leads back to where the first one was opened from.
            if model.shown_tutor().is_some() {
                model.show_index(index);
            } else {
                let place = model.place(None);
                model.show_episode(index, place);
            }
            start(model, index, lesson);
        }
    }
}

/// Shows the episode as the lesson begins.
pub(crate) fn start(model: &mut Model, index: usize, lesson: Lesson) {
    (model.modal, model.typed.count, model.typed.prefix) = (None, None, None);
    (model.panes.zoomed, model.agent.raw, model.frame.as_sent) = (false, false, false);
    model.marks.searched = MarkSet::ANY;
    model.set_focus(lesson.focus());
    model.notice = None;
    model.tutor = Some(Tutor::new(lesson, index));
}

/// Goes back to where the lesson was opened from; opened again, it continues. Without such a place the screen is left.
pub(super) fn leave(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.shown_tutor().is_none() {
        return model.notify("no lesson is open; :tutor starts one");
    }
    session_control::pause_current(model, effects);
    while model.shown_tutor().is_some() {
        if !views::go_back(model, effects) {
            return effects.push(Effect::Quit);
        }
    }
}

/// Whether the lesson takes the command that steps the agent: to go on where it only explains, and not at all where it
/// asks for something else.
pub(super) fn takes_step(model: &mut Model, effects: &mut Vec<Effect>) -> bool {
    let Some(tutor) = model.shown_tutor() else { return false };
    let is_over = model.episode().is_some_and(EpisodeView::is_over);
    match tutor.enter_use() {
        EnterUse::GoesOn => go_on(model, effects),
        EnterUse::Steps if is_over => return begins_again(model, effects),
        EnterUse::Steps => return false,
        EnterUse::Nothing => {
            let step = model.key_or_name(CommandId::Step);
            let restart = model.key_or_name(CommandId::Restart);
            model.notify(format!("{step} does nothing here: do what is asked; {restart} begins again"));
        }
    }
    true
}

/// Begins the lesson that is shown again; false if none is.
pub(super) fn begins_again(model: &mut Model, effects: &mut Vec<Effect>) -> bool {
    let Some(lesson) = model.shown_tutor().map(|tutor| tutor.lesson.clone()) else { return false };
    begin(model, lesson, effects);
    true
}

/// Goes on to the next part, or to the next lesson.
fn go_on(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(tutor) = &mut model.tutor else { return };
    if !tutor.is_complete() {
        tutor.part += 1;
        return;
    }
    match Lesson::after(tutor.lesson.name()).and_then(|name| Lesson::named(name).ok()) {
        Some(next) => begin(model, next, effects),
        None => leave(model, effects),
    }
}

/// Goes on to the next part if the screen shows what the present one wants.
pub(super) fn check(model: &mut Model) {
    let is_done = model.shown_tutor().and_then(Tutor::condition).is_some_and(|wanted| wanted.is_met(model));
    if let Some(tutor) = model.tutor.as_mut().filter(|_| is_done) {
        tutor.part += 1;
    }
}
