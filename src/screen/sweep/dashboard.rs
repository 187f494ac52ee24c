//! The dashboard as a view of the screen: what it shows, what keys and typed lines do, and the way to an episode and back.

use std::path::PathBuf;

use crossterm::event::KeyEvent;

use super::content::Content;
use super::lines;
use super::lines::Answer;
use super::state::{DashboardState, Outcome};
use crate::model::{Fault, Modal, Model, ReturnPlace};
use crate::requests::Request;
use crate::update::{Effect, settled, show_fault_over};
use mageyard_config::Problem;

/// The dashboard of a sweep.
#[derive(Clone, Debug)]
pub(crate) struct Dashboard {
    pub(super) state: DashboardState,
    pub(super) content: Content,
    /// Whether it is shown, and not an episode that was opened from it.
    pub(crate) is_shown: bool,
    /// The list that it was opened from, to which it leads back.
    opened_from: Option<Box<Modal>>,
    /// Whether an episode is being opened from it.
    is_opening: bool,
    /// The cell whose episodes are read.
    watched: Option<usize>,
    /// What is to be said in lines.
    pub(super) said: Vec<String>,
    /// Whether the episodes of the opened cell are said when they are known.
    pub(super) lists: bool,
}

impl Dashboard {
    /// The dashboard with this content.
    pub(crate) fn new(content: Content) -> Self {
        Self {
            state: DashboardState::default(),
            content,
            is_shown: true,
            opened_from: None,
            is_opening: false,
            watched: None,
            said: Vec::new(),
            lists: false,
        }
    }

    /// Whether a script has to wait before its next line: for episodes that are listed or opened.
    pub(crate) fn is_waiting(&self) -> bool {
        self.lists || self.is_opening
    }
}

impl Model {
    /// The dashboard, if it is shown.
    pub(crate) fn shown_sweep(&self) -> Option<&Dashboard> {
        self.sweep.as_deref().filter(|sweep| sweep.is_shown)
    }
}

/// A dashboard was opened from the list of sessions, which closes until the dashboard is left.
pub(crate) fn open(model: &mut Model, answer: Result<Content, Problem>) {
    match answer {
        Ok(content) => {
            let opened_from = model.modal.take_if(|modal| matches!(modal, Modal::Episodes(_))).map(settled);
            let dashboard = Dashboard { opened_from: opened_from.map(Box::new), ..Dashboard::new(content) };
            model.sweep = Some(dashboard.into());
        }
        Err(problem) => show_fault_over(model, Fault::Recording(problem)),
    }
}

/// Closes a dashboard that was opened from a list or from home, which is shown again; false if the screen began with it.
fn close(model: &mut Model, effects: &mut Vec<Effect>) -> bool {
    let list = model.sweep.as_mut().and_then(|sweep| sweep.opened_from.take());
    if list.is_none() && model.home.is_none() {
        return false;
    }
    model.sweep = None;
    model.modal = list.map(|list| *list);
    model.returns.retain(|opened| !matches!(opened.place, ReturnPlace::Sweep));
    effects.push(Effect::CloseSweep);
    true
}

/// Handles a key while the dashboard is shown.
pub(crate) fn press(model: &mut Model, key: KeyEvent, effects: &mut Vec<Effect>) {
    let Some(sweep) = model.sweep.as_deref_mut() else { return };
    let outcome = sweep.state.press(key, model.appearance.keys.dashboard(), &sweep.content);
    perform(model, outcome, effects);
}

fn perform(model: &mut Model, outcome: Outcome, effects: &mut Vec<Effect>) {
    match outcome {
        Outcome::Draw => {}
        Outcome::Show(journal) => show(model, journal, effects),
        Outcome::Back => {
            close(model, effects);
        }
        Outcome::Quit if close(model, effects) => {}
        Outcome::Quit => effects.push(Effect::Quit),
        Outcome::Interrupt => effects.push(Effect::Interrupt),
        Outcome::Suspend => effects.push(Effect::Suspend),
        Outcome::Redraw => effects.push(Effect::Redraw),
    }
}

/// Shows an episode: at once if it is open, else when it was read.
fn show(model: &mut Model, journal: PathBuf, effects: &mut Vec<Effect>) {
    let is_it = |snapshot: &mageyard_engine::Snapshot| snapshot.journal.as_ref() == Some(&journal);
    let open = model.episodes.iter().position(|viewed| is_it(&viewed.snapshot));
    let before = model.shown_index();
    if let Some(sweep) = &mut model.sweep {
        sweep.is_opening = true;
    }
    match open {
        Some(index) => {
            model.current = index;
            model.reset_position();
            opened(model, before);
        }
        None => effects.push(Effect::Request(Request::OpenWritten(journal))),
    }
}

/// An episode that was to be shown is shown now, and Esc leads back to the dashboard; a fault is shown over the dashboard.
pub(crate) fn opened(model: &mut Model, before: Option<usize>) {
    let has_failed = matches!(model.modal, Some(Modal::Fault(_)));
    let Some(sweep) = model.sweep.as_deref_mut().filter(|sweep| sweep.is_opening) else { return };
    sweep.is_opening = false;
    if !has_failed {
        sweep.is_shown = false;
        model.modal = None;
        model.note_opened_from(ReturnPlace::Sweep, before);
        if model.appearance.settings.linear {
            model.notify("cancel goes back to the sweep");
        }
    }
}

/// Shows the dashboard again; false if there is none, or it is shown already.
pub(crate) fn go_back(model: &mut Model) -> bool {
    let Some(sweep) = model.sweep.as_deref_mut().filter(|sweep| !sweep.is_shown) else { return false };
    sweep.is_shown = true;
    sweep.said = lines::status(&sweep.content.view);
    model.modal = None;
    true
}

/// Newer content has come.
pub(crate) fn changed(model: &mut Model, content: Content) {
    if let Some(sweep) = &mut model.sweep {
        let maps = content.maps.len();
        sweep.state.map = sweep.state.map.min(maps.saturating_sub(1));
        sweep.content = content;
    }
}

/// Has the episodes of the open cell read.
pub(crate) fn watch(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(sweep) = &mut model.sweep else { return };
    let open = sweep.state.open_cell();
    if std::mem::replace(&mut sweep.watched, open) != open {
        effects.push(Effect::WatchCell(open));
    }
}

/// Handles a line of the linear mode while the dashboard is shown.
pub(crate) fn enter(model: &mut Model, line: &str, effects: &mut Vec<Effect>) {
    let Some(sweep) = model.sweep.as_deref_mut() else { return };
    match lines::answer(line, &mut sweep.state, &sweep.content) {
        Answer::Say(said) => sweep.said.extend(said),
        Answer::List => sweep.lists = true,
        Answer::Show(journal) => show(model, journal, effects),
        Answer::Quit if close(model, effects) => {}
        Answer::Quit => effects.push(Effect::Quit),
    }
}
