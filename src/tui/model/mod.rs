//! What the screen knows: snapshots, where the person looks, and what is open. Nothing here acts.

mod decoded_frame;
mod editor;
mod modal;
mod palette;

use std::sync::Arc;
use std::time::Duration;

use ratatui::layout::Size;

pub(crate) use self::decoded_frame::{DecodedFrame, FrameKey, SentFrame};
pub(crate) use self::editor::{EditModal, EditSubject, parse_actions};
pub(crate) use self::modal::{CopyDestination, CopyMenu, Fault, Modal};
pub(crate) use self::palette::{Completion, Palette};
use super::appearance::Appearance;
use super::appearance::FrameView;
use super::format::count_of;
use super::pane::Pane;
use super::theme::ColorDepth;
use super::theme::StyleRole;
use super::theme::Theme;
use crate::domain::Setting;
use crate::domain::Window;
use crate::engine::MarkSet;
use crate::engine::Mode;
use crate::engine::Snapshot;
use crate::engine::Step;
use crate::engine::Waiting;

/// The whole state of the screen.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    pub(crate) appearance: Appearance,
    /// The theme as this terminal can show it.
    pub(crate) theme: Theme,
    pub(crate) size: Size,
    pub(crate) focus: Pane,
    /// The pane shown beside the frame where there is room for one only.
    pub(crate) tab: Pane,
    pub(crate) zoomed: bool,
    pub(crate) frame_view: FrameView,
    /// Whether the frame pane shows the frame as it was sent.
    pub(crate) as_sent: bool,
    /// The last frame that was developed to be shown so.
    pub(crate) decoded_frame: Option<DecodedFrame>,
    /// Whether the agent pane shows one raw reply under the microscope.
    pub(crate) raw: bool,
    /// The reply under the microscope, from 0; `None` follows the last.
    pub(crate) shown_reply: Option<usize>,
    pub(crate) count: Option<u32>,
    pub(crate) scroll: [u16; Pane::ALL.len()],
    /// Columns that the frame's text is scrolled to the right.
    pub(crate) sideways: u16,
    pub(crate) modal: Option<Modal>,
    pub(crate) notice: Option<String>,
    /// The marks that are looked for.
    pub(crate) searched_marks: MarkSet,
    /// Whether the filmstrip shows only steps with one of them.
    pub(crate) only_marked: bool,
    pub(crate) episodes: Vec<EpisodeView>,
    pub(crate) current: usize,
    pub(crate) levels: Vec<String>,
    pub(crate) themes: Vec<String>,
    /// Whether Ctrl-C has just cancelled: the next one leaves.
    pub(crate) cancelled: bool,
    /// Whether something has changed since it was last drawn.
    pub(crate) dirty: bool,
}

impl Model {
    pub(crate) fn new(appearance: Appearance, size: Size, episodes: Vec<EpisodeView>) -> Self {
        Self {
            theme: appearance.theme.for_depth(appearance.settings.depth),
            frame_view: appearance.settings.view,
            appearance,
            size,
            focus: Pane::Frame,
            tab: Pane::Agent,
            zoomed: false,
            as_sent: false,
            decoded_frame: None,
            raw: false,
            shown_reply: None,
            count: None,
            scroll: [0; Pane::ALL.len()],
            sideways: 0,
            modal: None,
            notice: None,
            searched_marks: MarkSet::ANY,
            only_marked: false,
            episodes,
            current: 0,
            levels: Vec::new(),
            themes: Vec::new(),
            cancelled: false,
            dirty: true,
        }
    }

    /// The episode that is looked at; there is always one once the screen is up.
    pub(crate) fn episode(&self) -> Option<&EpisodeView> {
        self.episodes.get(self.current)
    }

    pub(crate) fn episode_mut(&mut self) -> Option<&mut EpisodeView> {
        self.episodes.get_mut(self.current)
    }

    pub(crate) fn style(&self, role: StyleRole) -> ratatui::style::Style {
        self.theme.style(role)
    }

    /// Whether frames are drawn as pictures.
    pub(crate) fn shows_pictures(&self) -> bool {
        let depth = self.appearance.settings.depth;
        match self.frame_view {
            FrameView::Auto => depth.shows_pictures(),
            FrameView::Picture => depth != ColorDepth::None,
            FrameView::Text => false,
        }
    }

    pub(crate) fn notify(&mut self, words: impl Into<String>) {
        self.notice = Some(words.into());
    }
}

/// One episode of this sitting, and where in it the person looks.
#[derive(Clone, Debug)]
pub(crate) struct EpisodeView {
    pub(crate) snapshot: Arc<Snapshot>,
    /// The step looked at, from 0; `None` follows the newest.
    pub(crate) cursor: Option<usize>,
    /// Whether it takes orders.
    pub(crate) live: bool,
    /// A window that was ordered and is not yet in a snapshot.
    pub(crate) pending_window: Option<Window>,
    /// A pace that was ordered and is not yet in a snapshot.
    pub(crate) pending_pace: Option<Duration>,
    /// Halves that a count still asks for, and where the episode stood when the last one was ordered.
    pub(crate) remaining_halves: Option<(u32, Progress)>,
}

/// Where an episode stands: how many steps it has, and what it waits for.
type Progress = (usize, Waiting);

impl EpisodeView {
    pub(crate) fn new(snapshot: Arc<Snapshot>, live: bool) -> Self {
        Self {
            snapshot,
            cursor: None,
            live,
            pending_window: None,
            pending_pace: None,
            remaining_halves: None,
        }
    }

    /// Takes a newer snapshot; what it confirms or refuses is no longer awaited.
    pub(crate) fn apply_snapshot(&mut self, snapshot: Arc<Snapshot>) {
        let refused = snapshot.error.is_some();
        self.pending_window = self.pending_window.filter(|window| !refused && *window != snapshot.window);
        self.pending_pace = self.pending_pace.filter(|pace| !refused && *pace != snapshot.pace);
        self.snapshot = snapshot;
    }

    /// Where the episode stands now.
    pub(crate) fn progress(&self) -> Progress {
        (self.snapshot.steps.len(), self.snapshot.waiting)
    }

    /// Forgets the fault of the session: something else was ordered.
    pub(crate) fn clear_fault(&mut self) {
        if self.snapshot.error.is_some() {
            Arc::make_mut(&mut self.snapshot).error = None;
        }
    }

    pub(crate) fn window(&self) -> Window {
        self.pending_window.unwrap_or(self.snapshot.window)
    }

    pub(crate) fn pace(&self) -> Duration {
        self.pending_pace.unwrap_or(self.snapshot.pace)
    }

    /// The index of the newest step; 0 while there is none.
    pub(crate) fn newest_index(&self) -> usize {
        self.snapshot.steps.len().saturating_sub(1)
    }

    /// The index of the step looked at.
    pub(crate) fn index(&self) -> usize {
        self.cursor.map_or(self.newest_index(), |cursor| cursor.min(self.newest_index()))
    }

    pub(crate) fn step(&self) -> Option<&Arc<Step>> {
        self.snapshot.steps.get(self.index())
    }

    pub(crate) fn looks_back(&self) -> bool {
        self.index() < self.newest_index()
    }

    pub(crate) fn is_over(&self) -> bool {
        matches!(self.snapshot.waiting, Waiting::Ended(_))
    }

    pub(crate) fn is_running(&self) -> bool {
        matches!(self.snapshot.mode, Mode::Running { .. })
    }

    pub(crate) fn is_busy(&self) -> bool {
        self.is_running() || self.snapshot.waiting == Waiting::Reply
    }

    /// Whether the person at the screen decides.
    pub(crate) fn is_human(&self) -> bool {
        self.live && self.snapshot.person
    }

    /// Whether the arrow keys name actions here.
    pub(crate) fn has_arrow_actions(&self) -> bool {
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
        let unread = || self.snapshot.steps.last().is_some_and(|step| step.last_reply().is_some());
        let pending = match self.snapshot.waiting {
            Waiting::Apply => true,
            Waiting::Ask => unread(),
            Waiting::Opening | Waiting::Reply | Waiting::Ended(_) => false,
        };
        self.live && !self.looks_back() && pending
    }

    /// Whether the agent sends requests that a person can still change.
    pub(crate) fn sends_requests(&self) -> bool {
        self.live && !self.is_over() && self.snapshot.encoder.is_some() && !self.snapshot.head.is_replay()
    }

    /// Whether this index holds no decision: the observation after the end.
    pub(crate) fn is_end(&self, index: usize) -> bool {
        self.is_over()
            && index == self.newest_index()
            && self.snapshot.steps.get(index).is_some_and(|step| !step.is_done())
    }

    /// What is not known, in words, of which steps left the best path.
    pub(crate) fn distance_caveat(&self) -> Option<String> {
        let distances = &self.snapshot.distances;
        match distances.unjudged() {
            _ if distances.is_empty() => Some("nobody searches for it here".to_owned()),
            (0, 0) => None,
            (0, unknown) => Some(format!("of {} nobody knows", count_of(unknown, "step"))),
            (awaited, _) => Some(format!("{} still searched", count_of(awaited, "step"))),
        }
    }

    /// The number of the newest step; what is shown after the end is none.
    pub(crate) fn last_step(&self) -> u32 {
        let newest = self.newest_index();
        let shown = self.snapshot.steps.get(newest).map_or(0, |step| step.number);
        if self.is_end(newest) { shown.saturating_sub(1) } else { shown }
    }

    /// `step 3 of 12`, or where the end is shown.
    pub(crate) fn step_label(&self) -> String {
        let done = self.snapshot.steps_done();
        match self.step() {
            None => "opening".into(),
            Some(_) if self.is_end(self.index()) => match done {
                0 => "the end, before any step".into(),
                1 => "the end, after 1 step".into(),
                done => format!("the end, after {done} steps"),
            },
            Some(step) => format!("step {} of {}", step.number, self.snapshot.head.max_steps),
        }
    }
}
