//! The tutor: starting a lesson, and going on to the next part when the screen shows what the present one wants.

use crate::requests::Request;
use std::sync::Arc;

use super::{Effect, navigation};
use crate::model::{EpisodeView, Fault, Modal, Model};
use crate::tutor::{Condition, Lesson, Tutor, mark_named, pane_named};
use mageyard_config::Problem;
use mageyard_domain::sanitize;
use mageyard_engine::Snapshot;

/// The word that leaves the tutor.
const OFF: &str = "off";

/// The word of a condition for no dialog.
const NO_DIALOG: &str = "none";

/// Starts a lesson by its name; without one the first, or the next after a complete one.
pub(crate) fn open(model: &mut Model, name: &str, effects: &mut Vec<Effect>) {
    if name == OFF {
        return leave(model);
    }
    let name = if name.is_empty() { next_name(model) } else { name };
    let Ok(lesson) = Lesson::named(name) else {
        let known = Lesson::names().join(", ");
        let name = sanitize(name);
        return model.notify(format!("there is no lesson {name:?}; the lessons are {known}, and off leaves"));
    };
    if let Some(index) = model.tutorial {
        return start(model, index, lesson);
    }
    model.awaited.lesson = Some(lesson);
    effects.push(Effect::Request(Request::OpenTutorial));
}

fn next_name(model: &Model) -> &'static str {
    let now = model.tutor.as_ref().filter(|tutor| tutor.is_complete());
    let next = now.and_then(|tutor| Lesson::after(tutor.lesson.name()));
    next.unwrap_or_else(|| Lesson::names()[0])
}

/// The recording of the tutor was opened.
pub(super) fn opened(model: &mut Model, answer: Result<Arc<Snapshot>, Problem>) {
    let lesson = model.awaited.lesson.take();
    match (answer, lesson) {
        (Err(problem), _) => model.modal = Some(Modal::Fault(Fault::Recording(problem))),
        (Ok(snapshot), lesson) => {
            model.episodes.push(EpisodeView::new(snapshot, false));
            let index = model.episodes.len() - 1;
            model.tutorial = Some(index);
            if let Some(lesson) = lesson {
                start(model, index, lesson);
            }
        }
    }
}

/// Shows the recording as the lesson begins.
pub(crate) fn start(model: &mut Model, index: usize, lesson: Lesson) {
    let (step, focus) = lesson.start();
    (model.modal, model.typed.count, model.typed.prefix) = (None, None, None);
    model.tutorial = Some(index);
    model.show_opened(index);
    (model.panes.zoomed, model.agent.raw, model.frame.as_sent) = (false, false, false);
    model.marks.searched = mageyard_engine::MarkSet::ANY;
    if let Some(viewed) = model.episode_mut() {
        viewed.preview = crate::model::Preview::default();
    }
    navigation::go_to(model, step);
    model.set_focus(focus);
    model.notice = None;
    model.tutor = Some(Tutor::new(lesson));
}

/// Removes the strip; the recording stays among the episodes.
fn leave(model: &mut Model) {
    if model.tutor.take().is_none() {
        model.notify("no lesson is open; :tutor starts the first one");
    }
}

/// Goes on to the next part if the screen shows what the present one wants.
pub(super) fn check(model: &mut Model) {
    let Some(tutor) = &model.tutor else { return };
    let on_it = model.tutorial == Some(model.current);
    if on_it
        && tutor.condition().is_some_and(|condition| is_met(condition, model))
        && let Some(tutor) = &mut model.tutor
    {
        tutor.part += 1;
    }
}

/// Whether the screen shows what a condition wants.
fn is_met(wanted: &Condition, model: &Model) -> bool {
    let dialog = model.modal.as_ref().map_or(NO_DIALOG, Modal::name);
    is(wanted.focus.as_deref().and_then(pane_named), model.panes.focus)
        && is(wanted.dialog.as_deref(), dialog)
        && is(wanted.sent, model.frame.as_sent)
        && is(wanted.raw, model.agent.raw)
        && is(wanted.zoomed, model.panes.zoomed)
        && is(wanted.reply, model.agent.shown_reply.map_or(0, |index| index + 1))
        && model.episode().is_some_and(|viewed| shows(wanted, viewed))
}

/// Whether the episode shows what a condition wants.
fn shows(wanted: &Condition, viewed: &EpisodeView) -> bool {
    let window = viewed.window();
    let marks = viewed.snapshot.error_analysis.at(viewed.index());
    is(wanted.step, viewed.step().map_or(0, |step| step.number))
        && is(wanted.am, window.am())
        && is(wanted.om, window.om())
        && is(wanted.prompt.as_deref(), viewed.prompt())
        && is(wanted.preview, viewed.previews())
        && wanted.mark.as_deref().is_none_or(|name| mark_named(name).is_some_and(|mark| marks.has(mark)))
}

/// Whether a value is the wanted one, if one is wanted.
fn is<T: Copy + PartialEq>(wanted: Option<T>, value: T) -> bool {
    wanted.is_none_or(|wanted| wanted == value)
}
