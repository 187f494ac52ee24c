//! The state of the screen: snapshots, what is shown, and the open dialog. It performs no effects.

mod action_form;
mod code;
mod decoded_frame;
mod details;
mod editor;
mod episode_list;
mod modal;
mod palette;
mod playable_actions;
mod score_tree;
mod shown_picture;

use std::sync::Arc;
use std::time::Duration;

use ratatui::layout::Size;

pub(crate) use self::action_form::{ActionForm, FormField, FormPurpose};
pub(crate) use self::code::{CodeText, CodeView, StepCode};
pub(crate) use self::decoded_frame::{DecodedFrame, FrameKey, SentFrame};
pub(crate) use self::details::{FrameChoice, LoadedDetails};
pub(crate) use self::editor::{EditModal, EditSubject, parse_actions};
pub(crate) use self::episode_list::{EpisodeList, EpisodeRow, RowTarget};
pub(crate) use self::modal::{CopyDestination, CopyMenu, Fault, Modal};
pub(crate) use self::palette::{Completion, Palette};
pub(crate) use self::score_tree::{ScoreTree, VisibleRow};
pub(crate) use self::shown_picture::ShownPicture;
use super::appearance::Appearance;
use super::appearance::FrameView;
use super::appearance::SessionSummary;
use super::format::count_of;
use super::pane::Pane;
use super::pane::Proportions;
use super::picture::PictureZoom;
use super::theme::ColorDepth;
use super::theme::StyleRole;
use super::theme::Theme;
use crate::config::Problem;
use crate::domain::PairPlace;
use crate::domain::RequestReader;
use crate::domain::Setting;
use crate::domain::Window;
use crate::engine::MarkSet;
use crate::engine::Mode;
use crate::engine::Snapshot;
use crate::engine::Step;
use crate::engine::Wait;
use crate::engine::Waiting;

/// Notices kept at a time; the newest ones remain.
const MAX_NOTICES: usize = 3;

/// The state of the screen.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    pub(crate) appearance: Appearance,
    pub(crate) request_reader: &'static dyn RequestReader,
    /// The theme in the colors of this terminal.
    pub(crate) theme: Theme,
    pub(crate) size: Size,
    pub(crate) focus: Pane,
    /// The pane beside the frame in a two-column layout.
    pub(crate) tab: Pane,
    pub(crate) zoomed: bool,
    /// How far the person moved the borders between the panes.
    pub(crate) proportions: Proportions,
    pub(crate) frame_view: FrameView,
    /// Whether the frame is shown as it was sent.
    pub(crate) as_sent: bool,
    /// Index of the shown picture among those of the step; the last one if a step has fewer.
    pub(crate) picture: usize,
    /// The details of observations that were read last.
    pub(crate) details: Vec<LoadedDetails>,
    /// What was chosen in place of the usual view; a step without it shows the usual one.
    pub(crate) view: Option<FrameChoice>,
    /// Index of the shown page of the views; the last one if a step has fewer.
    pub(crate) page: usize,
    /// The rows of the score: which are open, and which one is selected.
    pub(crate) score_tree: ScoreTree,
    /// The pair of boxes that is selected.
    pub(crate) selected_pair: Option<PairPlace>,
    /// How far the picture of the frame is magnified, and where.
    pub(crate) picture_zoom: PictureZoom,
    /// The frame as sent that was decoded last.
    pub(crate) decoded_frame: Option<DecodedFrame>,
    /// What the agent pane shows of a step whose action writes code.
    pub(crate) code_view: CodeView,
    /// The code of the shown step.
    pub(crate) code: Option<StepCode>,
    /// Whether the agent pane shows one raw reply.
    pub(crate) raw: bool,
    /// Index of the shown raw reply; `None` is the last.
    pub(crate) shown_reply: Option<usize>,
    pub(crate) count: Option<u32>,
    pub(crate) scroll: [u16; Pane::ALL.len()],
    /// Columns by which the frame's text is scrolled to the right.
    pub(crate) sideways: u16,
    /// Squares by which the view of a board is panned to the right and down, from the agent.
    pub(crate) pan: (isize, isize),
    pub(crate) modal: Option<Modal>,
    /// Notices since the last key, one per line, oldest first.
    pub(crate) notice: Option<String>,
    /// The marks of the last search.
    pub(crate) searched_marks: MarkSet,
    /// Whether the filmstrip shows only steps with these marks.
    pub(crate) only_marked: bool,
    pub(crate) episodes: Vec<EpisodeView>,
    pub(crate) current: usize,
    /// Whether new episodes of a session are shown as they start.
    pub(crate) follow: bool,
    /// Whether the shown episode is followed by the next one; another episode selected by hand ends it.
    pub(crate) following: bool,
    /// The recorded sessions, newest first; `None` while they are read.
    pub(crate) recorded_sessions: Option<Result<Vec<SessionSummary>, Problem>>,
    pub(crate) levels: Vec<String>,
    pub(crate) themes: Vec<String>,
    /// What the shown episode waits for, when it was drawn last.
    pub(crate) wait: Option<Wait>,
    /// Whether Ctrl-C has just cancelled; the next one quits.
    pub(crate) cancelled: bool,
    /// Whether something changed since the last drawing.
    pub(crate) dirty: bool,
}

impl Model {
    pub(crate) fn new(
        appearance: Appearance,
        request_reader: &'static dyn RequestReader,
        size: Size,
        episodes: Vec<EpisodeView>,
    ) -> Self {
        Self {
            request_reader,
            theme: appearance.theme.for_depth(appearance.settings.depth),
            frame_view: appearance.settings.view,
            appearance,
            size,
            focus: Pane::Frame,
            tab: Pane::Agent,
            zoomed: false,
            proportions: Proportions::default(),
            as_sent: false,
            picture: 0,
            details: Vec::new(),
            view: None,
            page: 0,
            score_tree: ScoreTree::default(),
            selected_pair: None,
            picture_zoom: PictureZoom::default(),
            decoded_frame: None,
            code_view: CodeView::Replies,
            code: None,
            raw: false,
            shown_reply: None,
            count: None,
            scroll: [0; Pane::ALL.len()],
            sideways: 0,
            pan: (0, 0),
            modal: None,
            notice: None,
            searched_marks: MarkSet::ANY,
            only_marked: false,
            episodes,
            current: 0,
            follow: false,
            following: false,
            recorded_sessions: None,
            levels: Vec::new(),
            themes: Vec::new(),
            wait: None,
            cancelled: false,
            dirty: true,
        }
    }

    /// The shown episode; `None` while no episode is open.
    pub(crate) fn episode(&self) -> Option<&EpisodeView> {
        self.episodes.get(self.current)
    }

    pub(crate) fn episode_mut(&mut self) -> Option<&mut EpisodeView> {
        self.episodes.get_mut(self.current)
    }

    /// Resets scrolling and the shown reply, because another episode or step is shown.
    pub(crate) fn reset_position(&mut self) {
        self.scroll = Default::default();
        self.shown_reply = None;
        self.sideways = 0;
        self.pan = (0, 0);
        self.page = 0;
        self.selected_pair = None;
        self.score_tree = ScoreTree::default();
        self.picture_zoom = PictureZoom::default();
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

    /// Adds a notice to those since the last key.
    pub(crate) fn notify(&mut self, words: impl Into<String>) {
        let words = words.into();
        let earlier = self.notice.take().unwrap_or_default();
        let mut notices: Vec<&str> = earlier.lines().filter(|notice| *notice != words).collect();
        notices.push(&words);
        let first = notices.len().saturating_sub(MAX_NOTICES);
        self.notice = Some(notices[first..].join("\n"));
    }
}

/// An episode of this screen, and the step that is shown.
#[derive(Clone, Debug)]
pub(crate) struct EpisodeView {
    pub(crate) snapshot: Arc<Snapshot>,
    /// Index of the shown step; `None` follows the newest.
    pub(crate) cursor: Option<usize>,
    /// Whether it accepts commands.
    pub(crate) live: bool,
    /// A requested window that is not yet in a snapshot.
    pub(crate) pending_window: Option<Window>,
    /// A requested delay that is not yet in a snapshot.
    pub(crate) pending_pace: Option<Duration>,
    /// Half steps left of a count, and the progress when the last one was requested.
    pub(crate) remaining_halves: Option<(u32, Progress)>,
    /// Window and prompt of a preview, in an episode that takes no more changes.
    pub(crate) preview: Preview,
    /// Whether the recording is playing.
    pub(crate) playback: Option<Playback>,
    /// The delay between two steps of the playback, once it was changed.
    pub(crate) playback_pace: Option<Duration>,
}

/// A recording that is playing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Playback {
    /// The steps left of a count; `None` plays to the end.
    pub(crate) steps_left: Option<u32>,
}

/// What a preview changes in the requests of an episode.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Preview {
    pub(crate) window: Option<Window>,
    pub(crate) prompt: Option<String>,
}

/// Progress of an episode: number of steps, and what it waits for.
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
            preview: Preview::default(),
            playback: None,
            playback_pace: None,
        }
    }

    /// Whether window and prompt can only be previewed: the episode is over, or a recording.
    pub(crate) fn can_preview(&self) -> bool {
        self.is_over() || self.snapshot.mode == Mode::Recorded
    }

    /// Whether a preview is shown.
    pub(crate) fn previews(&self) -> bool {
        self.can_preview() && self.preview != Preview::default()
    }

    /// The prompt variant of the next request, or of the preview.
    pub(crate) fn prompt(&self) -> &str {
        let preview = self.preview.prompt.as_deref().filter(|_| self.can_preview());
        preview.unwrap_or(&self.snapshot.prompt)
    }

    /// Takes a newer snapshot, which confirms or rejects pending requests.
    pub(crate) fn apply_snapshot(&mut self, snapshot: Arc<Snapshot>) {
        let refused = snapshot.error.is_some();
        self.pending_window = self.pending_window.filter(|window| !refused && *window != snapshot.window);
        self.pending_pace = self.pending_pace.filter(|pace| !refused && *pace != snapshot.pace);
        self.snapshot = snapshot;
    }

    /// The present progress.
    pub(crate) fn progress(&self) -> Progress {
        (self.snapshot.steps.len(), self.snapshot.waiting)
    }

    /// Clears the fault of the session, because another command was sent.
    pub(crate) fn clear_fault(&mut self) {
        if self.snapshot.error.is_some() {
            Arc::make_mut(&mut self.snapshot).error = None;
        }
    }

    /// The window of the next request; in an episode that takes no more changes, the preview's or that of the shown
    /// step.
    pub(crate) fn window(&self) -> Window {
        if self.can_preview() {
            let shown = self.step().filter(|_| self.looks_back()).map(|step| step.window);
            return self.preview.window.or(shown).unwrap_or(self.snapshot.window);
        }
        self.pending_window.unwrap_or(self.snapshot.window)
    }

    pub(crate) fn pace(&self) -> Duration {
        self.pending_pace.unwrap_or(self.snapshot.pace)
    }

    /// Index of the newest step; 0 while there is none.
    pub(crate) fn newest_index(&self) -> usize {
        self.snapshot.steps.len().saturating_sub(1)
    }

    /// Index of the shown step.
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
        self.is_running() || matches!(self.snapshot.waiting, Waiting::Reply | Waiting::Environment)
    }

    /// Whether the user at the screen decides.
    pub(crate) fn is_human(&self) -> bool {
        self.live && self.snapshot.person
    }

    /// Whether a plan is in progress: then Enter and Space continue it, whoever wrote it.
    pub(crate) fn has_plan(&self) -> bool {
        let global = self.snapshot.head.setting == Setting::Global;
        global && (self.snapshot.waiting == Waiting::Apply || self.is_running())
    }

    /// Whether the newest step has a reply or an action that can be edited.
    pub(crate) fn has_pending(&self) -> bool {
        let unread = || self.snapshot.steps.last().is_some_and(|step| step.last_reply().is_some());
        let pending = match self.snapshot.waiting {
            Waiting::Apply => true,
            Waiting::Ask => unread(),
            Waiting::Opening | Waiting::Reply | Waiting::Environment | Waiting::Look | Waiting::Ended(_) => {
                false
            }
        };
        self.live && !self.looks_back() && pending
    }

    /// Whether the agent sends requests that can still be changed.
    pub(crate) fn sends_requests(&self) -> bool {
        self.live
            && !self.is_over()
            && self.snapshot.encoder.is_some()
            && self.snapshot.head.agent.recording.is_none()
    }

    /// Whether this index is the final observation, which has no decision.
    pub(crate) fn is_end(&self, index: usize) -> bool {
        self.is_over()
            && index == self.newest_index()
            && self.snapshot.steps.get(index).is_some_and(|step| !step.is_done())
    }

    /// Why the list of detours may be incomplete.
    pub(crate) fn distance_caveat(&self) -> Option<String> {
        let distances = &self.snapshot.distances;
        match distances.unjudged() {
            _ if distances.is_empty() => Some("no distances are computed here".to_owned()),
            (0, 0) => None,
            (0, unknown) => Some(format!("the distance of {} is unknown", count_of(unknown, "step"))),
            (awaited, _) => Some(format!("the search is not finished for {}", count_of(awaited, "step"))),
        }
    }

    /// Number of the newest step; the final observation does not count.
    pub(crate) fn last_step(&self) -> u32 {
        let newest = self.newest_index();
        let shown = self.snapshot.steps.get(newest).map_or(0, |step| step.number);
        if self.is_end(newest) { shown.saturating_sub(1) } else { shown }
    }

    /// `step 3 of 12`, or a label for the final observation.
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
