//! The dashboard as a view of the screen: what it shows, what keys and typed lines do, and the way to an episode and back.

use std::path::PathBuf;

use crossterm::event::KeyEvent;

use super::content::Content;
use super::lines::Answer;
use super::state::{Confirmed, DashboardState, Outcome};
use super::{draw, lines};
use crate::home;
use crate::model::{Fault, Modal, Model, Palette, View};
use crate::readers;
use crate::requests::{Request, SweepOrder};
use crate::update::{Effect, find_steps, go_back, show_fault_over};
use mageyard_config::Problem;

/// The dashboard of a sweep.
#[derive(Clone, Debug)]
pub(crate) struct Dashboard {
    pub(super) state: DashboardState,
    pub(super) content: Content,
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
    /// What a search on the dashboard is limited to: the sweep or the open cell; `None` elsewhere.
    pub(crate) fn sweep_scope(&self) -> Option<String> {
        self.shown_sweep().map(|sweep| sweep.state.scope(&sweep.content))
    }

    /// The dashboard, if it is shown.
    pub(crate) fn shown_sweep(&self) -> Option<&Dashboard> {
        self.sweep.as_deref().filter(|_| self.view() == View::Sweep)
    }
}

/// A dashboard was opened from the list of sessions, which closes until the dashboard is left.
pub(crate) fn open(model: &mut Model, answer: Result<Content, Problem>) {
    match answer {
        Ok(content) => {
            let list = model.modal.take_if(|modal| matches!(modal, Modal::Episodes(_)));
            let place = model.place(list);
            model.show_view(View::Sweep, place);
            model.sweep = Some(Dashboard::new(content).into());
        }
        Err(problem) => show_fault_over(model, Fault::Recording(problem)),
    }
}

/// Closes a dashboard to which nothing goes back.
pub(crate) fn close_left(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.sweep.is_some() && !model.stack.has(View::Sweep) {
        model.sweep = None;
        effects.push(Effect::CloseSweep);
    }
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
        Outcome::Command(typed) => model.modal = Some(Modal::Palette(Palette::with(typed.to_owned()))),
        Outcome::Readers => open_readers(model, effects),
        Outcome::Order(order) => give(model, order, effects),
        // A run of this screen stops with its dashboard, so leaving it is confirmed as quitting is.
        Outcome::Back if stops_run(model) => ask_before_stop(model),
        Outcome::Back => {
            go_back(model, effects);
        }
        Outcome::Home => home::open(model, effects),
        Outcome::Quit if go_back(model, effects) => {}
        Outcome::Quit => effects.push(Effect::Quit),
        Outcome::Interrupt => effects.push(Effect::Interrupt),
        Outcome::Suspend => effects.push(Effect::Suspend),
        Outcome::Redraw => effects.push(Effect::Redraw),
    }
}

/// Whether going back would stop a run.
fn stops_run(model: &Model) -> bool {
    let is_running = |sweep: &Dashboard| sweep.content.view.is_run && !sweep.content.view.has_ended;
    model.has_way_back() && model.shown_sweep().is_some_and(is_running)
}

fn ask_before_stop(model: &mut Model) {
    if let Some(sweep) = &mut model.sweep {
        sweep.state.confirms = Some(Confirmed::Quit);
    }
}

/// Has an order given to all workers of the sweep.
fn give(model: &mut Model, order: SweepOrder, effects: &mut Vec<Effect>) {
    if let Some(sweep) = model.shown_sweep() {
        let sweep = sweep.content.view.address.clone();
        effects.push(Effect::Request(Request::OrderSweep { sweep, order }));
    }
}

/// An order was given, or refused: it is said.
pub(crate) fn ordered(model: &mut Model, answer: Result<String, Problem>) {
    model.notify(answer.unwrap_or_else(|problem| problem.to_string()));
}

fn open_readers(model: &mut Model, effects: &mut Vec<Effect>) {
    if let Some(scope) = model.sweep_scope() {
        readers::open(model, &scope, effects);
    }
}

/// Shows an episode: at once if it is open, else when it was read.
fn show(model: &mut Model, journal: PathBuf, effects: &mut Vec<Effect>) {
    let is_it = |snapshot: &mageyard_engine::Snapshot| snapshot.journal.as_ref() == Some(&journal);
    let open = model.episodes.iter().position(|viewed| is_it(&viewed.snapshot));
    if let Some(index) = open {
        model.show_opened(index);
        return say_way_back(model);
    }
    if let Some(sweep) = &mut model.sweep {
        sweep.is_opening = true;
    }
    effects.push(Effect::Request(Request::OpenWritten(journal)));
}

/// An episode that was to be shown was opened, or could not be.
pub(crate) fn opened(model: &mut Model) {
    let was_opening = model.sweep.as_deref_mut().is_some_and(|sweep| std::mem::take(&mut sweep.is_opening));
    if was_opening && model.view() == View::Episode {
        say_way_back(model);
    }
}

fn say_way_back(model: &mut Model) {
    if model.appearance.settings.linear {
        model.notify("cancel goes back to the sweep");
    }
}

/// The dashboard is shown again, after an episode of it.
pub(crate) fn shown_again(model: &mut Model) {
    if let Some(sweep) = &mut model.sweep {
        sweep.said = lines::status(&sweep.content.view);
    }
}

/// Newer content has come.
pub(crate) fn changed(model: &mut Model, content: Content) {
    if let Some(sweep) = &mut model.sweep {
        let maps = content.maps().len();
        sweep.state.map = sweep.state.map.min(maps.saturating_sub(1));
        let running = content.view.running.len();
        sweep.state.running = sweep.state.running.min(running.saturating_sub(1));
        sweep.content = content;
    }
}

/// Has the episodes of the open cell read, and where there is room beside the maps those of the selected one.
pub(crate) fn watch(model: &mut Model, effects: &mut Vec<Effect>) {
    let has_side = draw::has_side(model.size.width) && !model.appearance.settings.linear;
    let Some(sweep) = &mut model.sweep else { return };
    let beside =
        has_side.then_some(sweep.state.selected).filter(|cell| *cell < sweep.content.view.cells.len());
    let open = sweep.state.open_cell().or(beside);
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
        Answer::Find(condition) => drop(find_steps(model, &condition, effects)),
        Answer::Readers => open_readers(model, effects),
        Answer::Order(order) => give(model, order, effects),
        Answer::Home => home::open(model, effects),
        Answer::Quit if go_back(model, effects) => {}
        Answer::Quit => effects.push(Effect::Quit),
    }
}
