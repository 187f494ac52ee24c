//! What becomes of the screen's state when something happens: pure, so that every key can be
//! tested. What must be done outside comes back as effects.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod command_line;
mod dispatch;
mod editing;
mod finding;
mod keys;
mod modals;
mod navigation;
mod session_control;

use std::sync::Arc;

use crossterm::event::KeyEvent;
use crossterm::event::MouseEvent;
use ratatui::layout::Size;

use super::appearance::Appearance;
use super::model::CopyDestination;
use super::model::DecodedFrame;
use super::model::EditSubject;
use super::model::EpisodeView;
use super::model::Fault;
use super::model::Modal;
use super::model::Model;
use super::sent_frame;
use super::theme::Theme;
use crate::config::Problem;
use crate::dialog::Prompt;
use crate::engine::SessionCommand;
use crate::engine::Snapshot;
use crate::engine::StepExport;

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
    SessionClosed(usize),
    /// Files that people edit have changed.
    FilesChanged,
    /// An answer of the house.
    Opened(Result<Arc<Snapshot>, Problem>),
    Reloaded(Box<Result<Appearance, Problem>>),
    Themed(Box<Result<Theme, Problem>>),
    /// A text to make a prompt of, and of which.
    PromptTextReady(EditSubject, Result<String, Problem>),
    /// A prompt variant was kept.
    PromptSaved(Box<Result<Prompt, Problem>>),
    /// The person's own editor has ended.
    EditorReturned(Result<String, String>),
    /// The frame as it was sent.
    FrameDecoded(Option<Box<DecodedFrame>>),
    /// What became of a copy.
    Copied(String),
}

/// Something that must be done outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// An order to the session of this number.
    Command(usize, SessionCommand),
    Open(String),
    Reload,
    Theme(String),
    /// A text to make a prompt of, from this one.
    NewPromptText {
        environment: String,
        from: String,
    },
    /// This text is to be kept as a prompt variant.
    SavePrompt {
        environment: String,
        text: String,
    },
    /// This text is for the person's own editor, in a file whose name ends so.
    ExternalEditor(String, &'static str),
    /// Make the frame as it was sent ready to be shown.
    DecodeFrame,
    /// Take this out of the step looked at.
    Copy(StepExport, CopyDestination),
    Suspend,
    Redraw,
    Quit,
}

/// Takes one message in.
pub(crate) fn update(model: &mut Model, msg: Msg) -> Vec<Effect> {
    let mut effects = Vec::new();
    model.dirty |= !matches!(msg, Msg::FilesChanged | Msg::Mouse(_));
    match msg {
        Msg::Key(key) => keys::press(model, key, &mut effects),
        Msg::Paste(text) => modals::paste(model, &text),
        Msg::Mouse(event) => navigation::mouse(model, event),
        Msg::Resized(size) => model.size = size,
        Msg::Snapshot(index, snapshot) => apply_snapshot(model, index, snapshot, &mut effects),
        Msg::SessionClosed(index) => close(model, index),
        Msg::FilesChanged => effects.push(Effect::Reload),
        Msg::Opened(answer) => opened(model, answer, &mut effects),
        Msg::Reloaded(answer) => reloaded(model, *answer, &mut effects),
        Msg::Themed(answer) => themed(model, *answer),
        Msg::Copied(said) => session_control::show_copy_result(model, said),
        Msg::PromptTextReady(subject, answer) => {
            editing::prompt_text_ready(model, subject, answer, &mut effects)
        }
        Msg::PromptSaved(answer) => editing::prompt_saved(model, *answer, &mut effects),
        Msg::EditorReturned(answer) => editing::editor_returned(model, answer),
        Msg::FrameDecoded(answer) => {
            model.decoded_frame = answer.map(|answer| *answer);
            return effects;
        }
    }
    effects.extend(sent_frame::needs_decoding(model).then_some(Effect::DecodeFrame));
    effects
}

fn apply_snapshot(model: &mut Model, index: usize, snapshot: Arc<Snapshot>, effects: &mut Vec<Effect>) {
    let here = index == model.current;
    let Some(viewed) = model.episodes.get_mut(index) else { return };
    let news = snapshot.error.clone().filter(|fault| viewed.snapshot.error.as_ref() != Some(fault));
    let stopped =
        snapshot.break_reason.clone().filter(|said| viewed.snapshot.break_reason.as_ref() != Some(said));
    let passed =
        snapshot.unjudged_step.clone().filter(|said| viewed.snapshot.unjudged_step.as_ref() != Some(said));
    viewed.apply_snapshot(snapshot);
    session_control::next_half(viewed, index, effects);
    model.dirty |= here;
    passed.into_iter().chain(stopped).filter(|_| here).for_each(|said| model.notify(said));
    if let Some(fault) = news.filter(|_| here) {
        show_fault(model, Fault::Session(fault));
    }
}

/// A fault comes over everything but a text that is being written: that one is not to be lost.
fn show_fault(model: &mut Model, fault: Fault) {
    if matches!(model.modal, Some(Modal::Edit(_))) {
        model.notify(fault.problem().to_string());
    } else {
        model.modal = Some(Modal::Fault(fault));
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
            session_control::pause_current(model, effects);
            model.episodes.push(EpisodeView::new(snapshot, true));
            model.current = model.episodes.len() - 1;
            model.scroll = Default::default();
            model.sideways = 0;
            session_control::set_pace(model, effects);
        }
        Err(problem) => model.modal = Some(Modal::Fault(Fault::Open(problem))),
    }
}

fn reloaded(model: &mut Model, answer: Result<Appearance, Problem>, effects: &mut Vec<Effect>) {
    match answer {
        Ok(look) => apply_appearance(model, look, effects),
        Err(problem) => show_fault(model, Fault::Files(problem)),
    }
}

fn apply_appearance(model: &mut Model, look: Appearance, effects: &mut Vec<Effect>) {
    if matches!(model.modal, Some(Modal::Fault(Fault::Files(_)))) {
        model.modal = None;
    }
    let before = std::mem::replace(&mut model.appearance, look);
    model.theme = model.appearance.theme.for_depth(model.appearance.settings.depth);
    if before.settings.view != model.appearance.settings.view {
        model.frame_view = model.appearance.settings.view;
    }
    if before.settings.pace != model.appearance.settings.pace {
        session_control::set_pace(model, effects);
    }
    model.notify("the files have changed and were read again");
}

fn themed(model: &mut Model, answer: Result<Theme, Problem>) {
    match answer {
        Ok(theme) => model.theme = theme.for_depth(model.appearance.settings.depth),
        Err(problem) => model.modal = Some(Modal::Fault(Fault::Theme(problem))),
    }
}

#[cfg(test)]
mod tests;
