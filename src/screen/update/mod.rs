//! Updates the state of the screen by messages. It is pure, so every key can be tested; everything with
//! side effects is returned as effects.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod action_form;
mod annotations;
mod answers;
mod ask_sheet;
mod asked;
mod asked_branches;
mod branches;
mod code_form;
mod command_line;
mod commands;
mod comparisons;
mod editing;
mod episodes;
mod film;
mod finding;
mod found;
mod found_suite;
mod frame;
mod keys;
mod line;
mod line_answers;
mod line_command;
mod list_keys;
mod modals;
mod mouse;
mod mouse_switch;
mod navigation;
mod next_request;
mod oracle;
mod person;
mod person_sheet;
mod playback;
mod preview;
mod real_time;
mod scrolling;
mod search;
mod seats;
mod session_control;
mod set;
mod state_edit;
mod suite_states;
mod suites;
mod theme_choice;
mod tutor;
mod typing;
mod views;

pub(crate) use self::editing::use_saved_prompt;
pub(super) use self::line_command::line_commands;
pub(crate) use self::navigation::go_to as go_to_step;
pub(crate) use self::typing::{TOO_LONG, type_into};

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crossterm::event::{KeyEvent, MouseEvent};
use ratatui::layout::Size;

use super::appearance::Appearance;
use super::model::{CopyDestination, DecodedFrame, EpisodeView, Fault, Modal, Model};
use super::requests::{Answer, Request};
use super::sent_frame;
use super::sweep;
use super::sweep::SweepContent;
use mageyard_config::Problem;
use mageyard_engine::{SessionCommand, Snapshot, StepExport, Waiting};

/// An event that changes the model.
#[derive(Clone, Debug)]
pub(crate) enum Msg {
    Key(KeyEvent),
    /// A line of the linear mode: a command, or the answer to a question.
    Line(String),
    /// Ctrl-C in the linear mode, where it is a signal.
    Interrupted,
    Paste(String),
    Mouse(MouseEvent),
    Resized(Size),
    /// The session of this index has a newer snapshot.
    Snapshot(usize, Arc<Snapshot>),
    /// The session of this index accepts no more commands.
    SessionClosed(usize),
    /// The lab has answered.
    Answer(Answer),
    /// The episodes of a recorded session were opened.
    Recorded(Result<OpenedRecordings, Problem>),
    /// The next episode of the followed session has started.
    EpisodeStarted(Arc<Snapshot>),
    /// The episode of a lesson was opened.
    LessonOpened(Result<Arc<Snapshot>, Problem>),
    /// A branch was made, or an unfinished episode was opened to be continued.
    Continued(Result<Arc<Snapshot>, Problem>),
    /// A level was opened.
    Opened(Result<Arc<Snapshot>, Problem>),
    /// The dashboard of a sweep was opened.
    SweepOpened(Result<SweepContent, Problem>),
    /// There is newer content of the shown sweep.
    SweepChanged(SweepContent),
    /// Files of the user have changed.
    FilesChanged,
    /// The user's editor has ended.
    EditorReturned(Result<String, String>),
    /// The frame as it was sent was decoded.
    FrameDecoded(Option<Box<DecodedFrame>>),
    /// The result of a copy, as a sentence.
    Copied(String),
    /// It is time for the next step of a playback.
    PlaybackTick,
    /// It is time for the next frame of a film, or for the next action of a person who plays in real time: so many
    /// intervals have passed, more than one if the screen is late.
    FrameTick(u32),
}

/// Recorded episodes that were opened together.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpenedRecordings {
    /// The journals of those that have a new place, in order, whether they were read or not.
    pub(crate) unread: Vec<PathBuf>,
    /// Those that were read, with their numbers, which may be those of earlier places; the one to show first.
    pub(crate) read: Vec<(usize, Arc<Snapshot>)>,
}

/// A side effect that the event loop performs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Effect {
    /// Send a command to the session of this index.
    Command(usize, SessionCommand),
    /// Ask the lab.
    Request(Request),
    /// Copy this text, by its name.
    CopyText(&'static str, String),
    /// Send [`Msg::PlaybackTick`] after this time.
    PlaybackTimer(Duration),
    /// Send [`Msg::FrameTick`] this long after the last one, or from now on.
    FrameTimer(Duration),
    /// Turn the reports of the mouse on or off.
    Mouse(bool),
    /// Open this text in the user's editor, in a file with this extension.
    ExternalEditor(String, &'static str),
    /// Decode the frame as it was sent.
    DecodeFrame,
    /// Copy this part of the shown step.
    Copy(StepExport, CopyDestination),
    /// The dashboard is closed.
    CloseSweep,
    /// Read the episodes of this cell of the sweep, or of none.
    WatchCell(Option<usize>),
    Suspend,
    Redraw,
    Quit,
    /// Quit as by a signal.
    Interrupt,
}

pub(crate) use self::ask_sheet::open_listed_suite as open_suite;
pub(crate) use self::branches::{open_sheet_at as open_fork_at, recorded_journal};
pub(crate) use self::commands::perform as perform_command;
pub(crate) use self::found::begin as find_steps;
pub(crate) use self::list_keys::moved_by as list_move;
pub(crate) use self::person::act as play_action;
pub(crate) use self::seats::by_words as seat_by_words;
pub(crate) use self::session_control::send as send_command;
pub(crate) use self::set::set_of_agent;
pub(crate) use self::tutor::open as open_lesson;
pub(crate) use self::tutor::start as start_lesson;
pub(crate) use self::views::{go_back, show_fault_over};

/// Applies a message to the model and returns the effects.
pub(crate) fn update(model: &mut Model, msg: Msg) -> Vec<Effect> {
    let mut effects = Vec::new();
    let waits = brings_only_text(model, &msg);
    model.text_waits |= waits;
    model.dirty |= !waits && !matches!(msg, Msg::FilesChanged | Msg::Mouse(_));
    let was_listed = matches!(model.modal, Some(Modal::Episodes(_)));
    let is_input = matches!(msg, Msg::Key(_) | Msg::Line(_) | Msg::Paste(_) | Msg::Mouse(_));
    match msg {
        Msg::Key(key) => keys::press(model, key, &mut effects),
        Msg::Line(line) => line::enter(model, &line, &mut effects),
        Msg::Interrupted => views::interrupt(model, &mut effects),
        Msg::Paste(text) => modals::paste(model, &text, &mut effects),
        Msg::Mouse(event) => mouse::report(model, event, &mut effects),
        Msg::Resized(size) => model.size = size,
        Msg::Snapshot(index, snapshot) => apply_snapshot(model, index, snapshot, &mut effects),
        Msg::SessionClosed(index) => close(model, index),
        Msg::Answer(answer) => answers::receive(model, answer, &mut effects),
        Msg::Recorded(answer) => {
            episodes::recorded(model, answer);
            sweep::opened(model);
            found::opened(model);
        }
        Msg::EpisodeStarted(snapshot) => episodes::started(model, snapshot),
        Msg::LessonOpened(answer) => tutor::opened(model, answer),
        Msg::Continued(answer) => branches::continued(model, answer, &mut effects),
        Msg::FilesChanged => effects.push(Effect::Request(Request::Reload)),
        Msg::SweepOpened(answer) => sweep::open(model, answer),
        Msg::SweepChanged(content) => sweep::changed(model, content),
        Msg::Opened(answer) => opened(model, answer, &mut effects),
        Msg::Copied(said) => session_control::show_copy_result(model, said),
        Msg::PlaybackTick => playback::advance(model, &mut effects),
        Msg::FrameTick(_) if model.is_real_time() => real_time::advance(model, &mut effects),
        Msg::FrameTick(intervals) => film::advance(model, intervals, &mut effects),
        Msg::EditorReturned(answer) => editing::editor_returned(model, answer, &mut effects),
        Msg::FrameDecoded(answer) => {
            sent_frame::take(model, answer.map(|answer| *answer));
            decode_frame(model, &mut effects);
            return effects;
        }
    }
    person_sheet::follow(model);
    model.uncover_dialog();
    tutor::check(model);
    if !is_input || !was_listed {
        episodes::update_list(model);
    }
    episodes::advance(model);
    sweep::close_left(model, &mut effects);
    sweep::watch(model, &mut effects);
    oracle::ask(model, &mut effects);
    decode_frame(model, &mut effects);
    effects
}

/// Has the frame as sent decoded, if it is to be shown.
fn decode_frame(model: &mut Model, effects: &mut Vec<Effect>) {
    if let Some(key) = sent_frame::due(model) {
        model.frame.awaited = Some(key);
        effects.push(Effect::DecodeFrame);
    }
}

/// Whether a message brings only more of the text of a reply, which is drawn later where little is to move.
fn brings_only_text(model: &Model, msg: &Msg) -> bool {
    let Msg::Snapshot(index, snapshot) = msg else { return false };
    let Some(before) = model.episodes.get(*index).map(|viewed| &viewed.snapshot) else { return false };
    let retry = |snapshot: &Snapshot| snapshot.run.live_reply.as_ref().and_then(|reply| reply.retry.clone());
    model.has_reduced_motion()
        && (snapshot.run.waiting, before.run.waiting) == (Waiting::Reply, Waiting::Reply)
        && (snapshot.run.mode, snapshot.steps.len(), &snapshot.run.error)
            == (before.run.mode, before.steps.len(), &before.run.error)
        && (snapshot.window, &snapshot.prompt, snapshot.run.pace)
            == (before.window, &before.prompt, before.run.pace)
        && snapshot.steps.last().map(|step| step.attempts.len())
            == before.steps.last().map(|step| step.attempts.len())
        && snapshot.run.breakpoints == before.run.breakpoints
        && retry(snapshot) == retry(before)
}

fn apply_snapshot(model: &mut Model, index: usize, snapshot: Arc<Snapshot>, effects: &mut Vec<Effect>) {
    let here = index == model.current;
    let Some(viewed) = model.episodes.get_mut(index) else { return };
    let news = snapshot.run.error.clone().filter(|fault| viewed.snapshot.run.error.as_ref() != Some(fault));
    let stopped = snapshot
        .run
        .break_reason
        .clone()
        .filter(|said| viewed.snapshot.run.break_reason.as_ref() != Some(said));
    let passed = snapshot
        .run
        .unjudged_step
        .clone()
        .filter(|said| viewed.snapshot.run.unjudged_step.as_ref() != Some(said));
    let done = snapshot
        .run
        .effect_done
        .clone()
        .filter(|said| viewed.snapshot.run.effect_done.as_ref() != Some(said));
    viewed.apply_snapshot(snapshot);
    session_control::next_half(viewed, index, effects);
    for said in done.into_iter().chain(passed).chain(stopped).filter(|_| here) {
        model.notify(said);
    }
    if let Some(fault) = news.filter(|_| here) {
        show_fault(model, Fault::Session(fault));
    }
}

/// Shows a fault in a dialog; while a text is typed, as a notice, so that the text is not lost and what is typed on runs no
/// commands.
fn show_fault(model: &mut Model, fault: Fault) {
    let is_searching = model.search.as_ref().is_some_and(|search| search.is_typing);
    if is_searching || model.modal.as_ref().is_some_and(Modal::takes_text) {
        model.notify(fault.problem().to_string());
    } else {
        model.open_over(Modal::Fault(fault));
    }
}

fn close(model: &mut Model, index: usize) {
    if let Some(viewed) = model.episodes.get_mut(index) {
        viewed.live = false;
    }
}

fn opened(model: &mut Model, answer: Result<Arc<Snapshot>, Problem>, effects: &mut Vec<Effect>) {
    model.awaited.play = None;
    match answer {
        Ok(snapshot) => {
            session_control::pause_current(model, effects);
            model.episodes.push(EpisodeView::new(snapshot, true));
            model.notice = None;
            model.show_opened(model.episodes.len() - 1);
            session_control::set_pace(model, effects);
        }
        Err(problem) => show_fault(model, Fault::Open(problem)),
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
    model.adopt_depth();
    theme_choice::reload(model, before.theme.name(), effects);
    if before.settings.layout != model.appearance.settings.layout {
        model.panes.proportions = model.appearance.settings.layout;
    }
    if before.settings.mouse != model.appearance.settings.mouse {
        model.device.mouse = model.appearance.settings.mouse;
        effects.push(Effect::Mouse(model.device.mouse));
    }
    if before.settings.link != model.appearance.settings.link {
        model.device.link.setting = model.appearance.settings.link;
    }
    if before.settings.view != model.appearance.settings.view {
        model.frame.shown_as = model.appearance.settings.view;
    }
    if before.settings.pace != model.appearance.settings.pace {
        session_control::set_pace(model, effects);
    }
    model.notify("files changed and were reloaded");
}

#[cfg(test)]
pub(super) mod tests;
