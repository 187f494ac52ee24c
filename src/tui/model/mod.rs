//! What the screen knows: snapshots, where the person looks, and what is open. Nothing here acts.

mod developed;
mod editor;
mod palette;
mod sheet;

use std::sync::Arc;
use std::time::Duration;

use ratatui::layout::Size;

pub(crate) use self::developed::{Developed, Key, Shot};
pub(crate) use self::editor::{Editor, Subject, actions};
pub(crate) use self::palette::{Offer, Palette};
pub(crate) use self::sheet::{Copying, Fault, Sheet, To};
use super::figures::many;
use super::look::Look;
use super::look::View;
use super::pane::Pane;
use super::theme::Depth;
use super::theme::Role;
use super::theme::Theme;
use crate::domain::Setting;
use crate::domain::Window;
use crate::engine::Marked;
use crate::engine::Mode;
use crate::engine::Snapshot;
use crate::engine::Step;
use crate::engine::Waiting;

/// The whole state of the screen.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    pub(crate) look: Look,
    /// The theme as this terminal can show it.
    pub(crate) theme: Theme,
    pub(crate) size: Size,
    pub(crate) focus: Pane,
    /// The pane shown beside the frame where there is room for one only.
    pub(crate) tab: Pane,
    pub(crate) zoomed: bool,
    pub(crate) view: View,
    /// Whether the frame pane shows the frame as it was sent.
    pub(crate) as_sent: bool,
    /// The last frame that was developed to be shown so.
    pub(crate) developed: Option<Developed>,
    /// Whether the agent pane shows one raw reply under the microscope.
    pub(crate) raw: bool,
    /// The reply under the microscope, from 0; `None` follows the last.
    pub(crate) reply: Option<usize>,
    pub(crate) count: Option<u32>,
    pub(crate) scroll: [u16; Pane::ALL.len()],
    /// Columns that the frame's text is scrolled to the right.
    pub(crate) sideways: u16,
    pub(crate) sheet: Option<Sheet>,
    pub(crate) notice: Option<String>,
    /// The marks that are looked for.
    pub(crate) sought: Marked,
    /// Whether the filmstrip shows only steps with one of them.
    pub(crate) only: bool,
    pub(crate) episodes: Vec<Viewed>,
    pub(crate) at: usize,
    pub(crate) levels: Vec<String>,
    pub(crate) themes: Vec<String>,
    /// Whether Ctrl-C has just cancelled: the next one leaves.
    pub(crate) cancelled: bool,
    /// Whether something has changed since it was last drawn.
    pub(crate) stale: bool,
}

impl Model {
    pub(crate) fn new(look: Look, size: Size, episodes: Vec<Viewed>) -> Self {
        Self {
            theme: look.theme.at(look.settings.depth),
            view: look.settings.view,
            look,
            size,
            focus: Pane::Frame,
            tab: Pane::Agent,
            zoomed: false,
            as_sent: false,
            developed: None,
            raw: false,
            reply: None,
            count: None,
            scroll: [0; Pane::ALL.len()],
            sideways: 0,
            sheet: None,
            notice: None,
            sought: Marked::ANY,
            only: false,
            episodes,
            at: 0,
            levels: Vec::new(),
            themes: Vec::new(),
            cancelled: false,
            stale: true,
        }
    }

    /// The episode that is looked at; there is always one once the screen is up.
    pub(crate) fn viewed(&self) -> Option<&Viewed> {
        self.episodes.get(self.at)
    }

    pub(crate) fn viewed_mut(&mut self) -> Option<&mut Viewed> {
        self.episodes.get_mut(self.at)
    }

    pub(crate) fn style(&self, role: Role) -> ratatui::style::Style {
        self.theme.style(role)
    }

    /// Whether frames are drawn as pictures.
    pub(crate) fn shows_pictures(&self) -> bool {
        let depth = self.look.settings.depth;
        match self.view {
            View::Auto => depth.shows_pictures(),
            View::Picture => depth != Depth::None,
            View::Text => false,
        }
    }

    pub(crate) fn remark(&mut self, words: impl Into<String>) {
        self.notice = Some(words.into());
    }
}

/// One episode of this sitting, and where in it the person looks.
#[derive(Clone, Debug)]
pub(crate) struct Viewed {
    pub(crate) snapshot: Arc<Snapshot>,
    /// The step looked at, from 0; `None` follows the newest.
    pub(crate) cursor: Option<usize>,
    /// Whether it takes orders.
    pub(crate) live: bool,
    /// A window that was ordered and is not yet in a snapshot.
    pub(crate) window: Option<Window>,
    /// A pace that was ordered and is not yet in a snapshot.
    pub(crate) pace: Option<Duration>,
    /// Halves that a count still asks for, and where the episode stood when the last one was ordered.
    pub(crate) halves: Option<(u32, Place)>,
}

/// Where an episode stands: how many steps it has, and what it waits for.
type Place = (usize, Waiting);

impl Viewed {
    pub(crate) fn new(snapshot: Arc<Snapshot>, live: bool) -> Self {
        Self { snapshot, cursor: None, live, window: None, pace: None, halves: None }
    }

    /// Takes a newer snapshot; what it confirms or refuses is no longer awaited.
    pub(crate) fn take(&mut self, snapshot: Arc<Snapshot>) {
        let refused = snapshot.fault.is_some();
        self.window = self.window.filter(|window| !refused && *window != snapshot.window);
        self.pace = self.pace.filter(|pace| !refused && *pace != snapshot.pace);
        self.snapshot = snapshot;
    }

    /// Where the episode stands now.
    pub(crate) fn standing(&self) -> Place {
        (self.snapshot.steps.len(), self.snapshot.waiting)
    }

    /// Forgets the fault of the session: something else was ordered.
    pub(crate) fn forgive(&mut self) {
        if self.snapshot.fault.is_some() {
            Arc::make_mut(&mut self.snapshot).fault = None;
        }
    }

    pub(crate) fn window(&self) -> Window {
        self.window.unwrap_or(self.snapshot.window)
    }

    pub(crate) fn pace(&self) -> Duration {
        self.pace.unwrap_or(self.snapshot.pace)
    }

    /// The index of the newest step; 0 while there is none.
    pub(crate) fn newest(&self) -> usize {
        self.snapshot.steps.len().saturating_sub(1)
    }

    /// The index of the step looked at.
    pub(crate) fn index(&self) -> usize {
        self.cursor.map_or(self.newest(), |cursor| cursor.min(self.newest()))
    }

    pub(crate) fn step(&self) -> Option<&Arc<Step>> {
        self.snapshot.steps.get(self.index())
    }

    pub(crate) fn looks_back(&self) -> bool {
        self.index() < self.newest()
    }

    pub(crate) fn is_over(&self) -> bool {
        matches!(self.snapshot.waiting, Waiting::Ended(_))
    }

    pub(crate) fn is_running(&self) -> bool {
        matches!(self.snapshot.mode, Mode::Running { .. })
    }

    pub(crate) fn is_busy(&self) -> bool {
        self.is_running() || self.snapshot.waiting == Waiting::Thinking
    }

    /// Whether the person at the screen decides.
    pub(crate) fn is_persons(&self) -> bool {
        self.live && self.snapshot.person
    }

    /// Whether the arrow keys name actions here.
    pub(crate) fn has_arrows(&self) -> bool {
        let arrows = ["Up", "Down", "Left", "Right"];
        self.step().is_some_and(|step| arrows.iter().any(|name| step.space.find(name).is_some()))
    }

    /// Whether a plan is being carried out: then Enter and Space go on with it, whoever wrote it.
    pub(crate) fn has_plan(&self) -> bool {
        let global = self.snapshot.head.setting == Setting::Global;
        global && (self.snapshot.waiting == Waiting::Apply || self.is_running())
    }

    /// Whether something stands at the newest step that a person may put other words or another action for.
    pub(crate) fn has_pending(&self) -> bool {
        let unread = || self.snapshot.steps.last().is_some_and(|step| step.decided().is_some());
        let pending = match self.snapshot.waiting {
            Waiting::Apply => true,
            Waiting::Ask => unread(),
            Waiting::Opening | Waiting::Thinking | Waiting::Ended(_) => false,
        };
        self.live && !self.looks_back() && pending
    }

    /// Whether the agent sends requests that a person can still change.
    pub(crate) fn is_asked(&self) -> bool {
        self.live && !self.is_over() && self.snapshot.packing.is_some() && !self.snapshot.head.repeats()
    }

    /// Whether this index holds no decision: the observation after the end.
    pub(crate) fn is_final(&self, index: usize) -> bool {
        self.is_over()
            && index == self.newest()
            && self.snapshot.steps.get(index).is_some_and(|step| !step.is_done())
    }

    /// What is not known, in words, of which steps left the best path.
    pub(crate) fn doubt(&self) -> Option<String> {
        let distances = &self.snapshot.distances;
        match distances.unjudged() {
            _ if distances.is_empty() => Some("nobody searches for it here".to_owned()),
            (0, 0) => None,
            (0, unknown) => Some(format!("of {} nobody knows", many(unknown, "step"))),
            (awaited, _) => Some(format!("{} still searched", many(awaited, "step"))),
        }
    }

    /// The number of the newest step; what is shown after the end is none.
    pub(crate) fn last(&self) -> u32 {
        let newest = self.newest();
        let shown = self.snapshot.steps.get(newest).map_or(0, |step| step.number);
        if self.is_final(newest) { shown.saturating_sub(1) } else { shown }
    }

    /// `step 3 of 12`, or where the end is shown.
    pub(crate) fn place(&self) -> String {
        let done = self.snapshot.steps_done();
        match self.step() {
            None => "opening".into(),
            Some(_) if self.is_final(self.index()) => match done {
                0 => "the end, before any step".into(),
                1 => "the end, after 1 step".into(),
                done => format!("the end, after {done} steps"),
            },
            Some(step) => format!("step {} of {}", step.number, self.snapshot.head.max_steps),
        }
    }
}
