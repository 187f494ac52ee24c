//! Tags and comments of the shown step.

use crate::requests::{Annotated, AnnotationOrder, Request};
use std::path::Path;
use std::sync::Arc;

use super::Effect;
use crate::model::Model;
use mageyard_config::Problem;
use mageyard_engine::{Annotation, AnnotationError, EpisodeAnnotations};

/// A tag or a comment, or why a text is none.
type Written = Result<Annotation, AnnotationError>;

/// Adds a tag or a comment to the shown step.
pub(super) fn add(model: &mut Model, written: Written, effects: &mut Vec<Effect>) {
    change(model, written, false, effects);
}

/// Removes a tag or a comment from the shown step.
pub(super) fn remove(model: &mut Model, written: Written, effects: &mut Vec<Effect>) {
    change(model, written, true, effects);
}

fn change(model: &mut Model, written: Written, is_removed: bool, effects: &mut Vec<Effect>) {
    match written {
        Ok(annotation) => order(model, annotation, is_removed, effects),
        Err(error) => model.notify(one_line(&error)),
    }
}

fn one_line(error: &AnnotationError) -> String {
    error.to_string().replace('\n', " ")
}

fn order(model: &mut Model, annotation: Annotation, is_removed: bool, effects: &mut Vec<Effect>) {
    let Some(viewed) = model.episode() else { return };
    let Some(journal) = viewed.snapshot.journal.clone() else {
        return model.notify("this episode is not recorded, so its steps have no tags and comments");
    };
    let Some(step) = viewed.step().map(|step| step.number) else {
        return model.notify("there is no step yet");
    };
    effects.push(Effect::Request(Request::Annotate(AnnotationOrder {
        journal,
        step,
        annotation,
        is_removed,
    })));
}

/// A change was made, or refused.
pub(super) fn changed(model: &mut Model, order: &AnnotationOrder, answer: Result<Annotated, Problem>) {
    match answer {
        Ok(Annotated { has_changed, annotations }) => {
            set(model, &order.journal, annotations);
            model.notify(change_message(order, has_changed));
        }
        Err(problem) => model.notify(format!("nothing was written: {problem}")),
    }
}

fn change_message(order: &AnnotationOrder, has_changed: bool) -> String {
    let AnnotationOrder { step, annotation, is_removed, .. } = order;
    match (annotation, is_removed, has_changed) {
        (Annotation::Tag(name), false, true) => format!("step {step} is tagged {name}"),
        (Annotation::Tag(name), false, false) => format!("step {step} has the tag {name} already"),
        (Annotation::Tag(name), true, true) => format!("the tag {name} of step {step} is removed"),
        (Annotation::Tag(name), true, false) => format!("step {step} has no tag {name}"),
        (Annotation::Comment(_), false, true) => format!("a comment on step {step} is added"),
        (Annotation::Comment(_), false, false) => format!("step {step} has this comment already"),
        (Annotation::Comment(_), true, true) => format!("the comment on step {step} is removed"),
        (Annotation::Comment(_), true, false) => format!("step {step} has no such comment"),
    }
}

/// The annotations of an episode were read.
pub(super) fn read(model: &mut Model, journal: &Path, answer: Result<EpisodeAnnotations, Problem>) {
    match answer {
        Ok(annotations) => set(model, journal, annotations),
        Err(problem) => model.notify(format!("tags and comments cannot be read: {problem}")),
    }
}

/// Sets the annotations of an episode, and says which lines of the file are damaged if that is new.
fn set(model: &mut Model, journal: &Path, annotations: EpisodeAnnotations) {
    let annotations = Arc::new(annotations);
    let mut damaged = None;
    let is_shown =
        |viewed: &&mut crate::model::EpisodeView| viewed.snapshot.journal.as_deref() == Some(journal);
    for viewed in model.episodes.iter_mut().filter(is_shown) {
        let before = std::mem::replace(&mut viewed.annotations, annotations.clone());
        let is_new = before.damaged.len() < annotations.damaged.len();
        damaged = annotations.damaged.last().filter(|_| is_new).map(ToString::to_string);
    }
    if let Some(damaged) = damaged {
        model.notify(damaged);
    }
}
