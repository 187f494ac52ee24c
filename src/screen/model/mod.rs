//! The state of the screen: snapshots, what is shown, and the open dialog. It performs no effects.

mod action_form;
mod ask_sheet;
mod asked;
mod branch_tree;
mod claims;
mod code;
mod decoded_frame;
mod details;
mod editor;
mod entry_menu;
mod episode_comparison;
mod episode_list;
mod episode_view;
mod film;
mod fork_sheet;
mod found_list;
mod frame_pair;
mod line_text;
mod link_view;
mod listed_episode;
mod look;
mod modal;
mod oracle_view;
mod palette;
mod parts;
mod person_sheet;
mod playable_actions;
mod request_comparison;
mod score_tree;
mod search;
mod seat_sheet;
mod shown_picture;
mod stack;
mod state_edit;
mod step_drawings;
mod suite_list;
mod suite_states;
mod theme_picker;

use ratatui::layout::Size;

pub(crate) use self::action_form::{ActionForm, FormField, FormPurpose};
pub(crate) use self::ask_sheet::{AskSheet, SheetAnswer, Subject};
pub(crate) use self::asked::{AskLevel, AskProgress, AskedSheet};
pub(crate) use self::branch_tree::BranchTree;
pub(crate) use self::claims::{ClaimMark, claims_summary};
pub(crate) use self::code::{CodeText, CodeView, StepCode};
pub(crate) use self::decoded_frame::{DecodedFrame, FrameKey, SentFrame};
pub(crate) use self::details::{FrameChoice, ShownPage};
pub(crate) use self::editor::{EditModal, EditSubject, parse_actions};
pub(crate) use self::entry_menu::EntryMenu;
pub(crate) use self::episode_comparison::{ComparedEpisode, EpisodeComparison};
pub(crate) use self::episode_list::{EpisodeList, EpisodeRow, RecordedSessions, RowTarget};
pub(crate) use self::episode_view::{EpisodeView, Playback, Preview};
pub(crate) use self::film::{FilmPosition, RealTimePlay};
pub(crate) use self::fork_sheet::ForkSheet;
pub(crate) use self::found_list::{FindEnd, FoundList, MAX_FOUND};
pub(crate) use self::frame_pair::FramePair;
pub(crate) use self::line_text::LineText;
pub(crate) use self::listed_episode::{ListedEpisode, Unread};
pub(crate) use self::modal::{CopyDestination, CopyMenu, Deletion, Fault, Modal};
pub(crate) use self::oracle_view::OracleView;
pub(crate) use self::palette::{Completion, Palette};
pub(crate) use self::parts::{
    AgentState, Awaited, AwaitedComparison, Device, FrameState, Look, MarkState, PaneState, ScoreState,
    TypedKeys,
};
pub(crate) use self::person_sheet::{AskedAt, PersonSheet};
pub(crate) use self::request_comparison::{ComparedRequest, RequestComparison};
pub(crate) use self::score_tree::{ScoreTree, VisibleRow};
pub(crate) use self::search::Search;
pub(crate) use self::seat_sheet::SeatSheet;
pub(crate) use self::shown_picture::ShownPicture;
pub(crate) use self::stack::{Stack, View};
pub(crate) use self::state_edit::StateEdit;
pub(crate) use self::step_drawings::MAX_DRAWN;
pub(crate) use self::suite_list::SuiteList;
pub(crate) use self::theme_picker::ThemePicker;
use super::appearance::Appearance;
use super::home::Home;
use super::pane::Pane;
use super::requests::{KnownNames, SuiteEntry};
use super::sweep::Dashboard;
use super::tutor::Tutor;
use mageyard_config::Problem;
use mageyard_domain::RequestReader;
use mageyard_engine::Wait;
use mageyard_terminal::PictureZoom;

/// Notices kept at a time; the newest ones remain.
const MAX_NOTICES: usize = 3;

/// The state of the screen.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    pub(crate) appearance: Appearance,
    pub(crate) request_reader: &'static dyn RequestReader,
    pub(crate) look: Look,
    pub(crate) device: Device,
    pub(crate) size: Size,
    pub(crate) panes: PaneState,
    pub(crate) frame: FrameState,
    pub(crate) agent: AgentState,
    pub(crate) score: ScoreState,
    pub(crate) marks: MarkState,
    pub(crate) typed: TypedKeys,
    pub(crate) awaited: Awaited,
    /// The person who plays in real time.
    pub(crate) real_time: Option<RealTimePlay>,
    /// The lesson of the tutor in progress.
    pub(crate) tutor: Option<Tutor>,
    pub(crate) modal: Option<Modal>,
    /// The search in the focused pane or the open dialog.
    pub(crate) search: Option<Search>,
    /// Notices since the last key, one per line, oldest first.
    pub(crate) notice: Option<String>,
    pub(crate) episodes: Vec<EpisodeView>,
    pub(crate) current: usize,
    /// Whether new episodes of a session are shown as they start.
    pub(crate) follow: bool,
    /// Whether the shown episode is followed by the next one; another episode selected by hand ends it.
    pub(crate) following: bool,
    /// Home, from which everything can be opened.
    pub(crate) home: Option<Box<Home>>,
    /// The dashboard of a sweep, from which episodes are opened.
    pub(crate) sweep: Option<Box<Dashboard>>,
    /// The shown view, and what it was opened over.
    pub(crate) stack: Stack,
    /// What the last search of everything stored has found, once its list is closed.
    pub(crate) found: Option<Box<FoundList>>,
    /// How many asks were planned.
    pub(crate) asks: u64,
    /// The suites, as they were listed last.
    pub(crate) suites: Vec<SuiteEntry>,
    /// The recorded sessions, newest first; `None` while they are read.
    pub(crate) recorded_sessions: Option<Result<RecordedSessions, Problem>>,
    /// What completions know of files.
    pub(crate) names: KnownNames,
    /// What the oracle would have done.
    pub(crate) oracle: OracleView,
    /// What the shown episode waits for, when it was drawn last.
    pub(crate) wait: Option<Wait>,
    /// The clock of the person who decides, in words, when it was drawn last.
    pub(crate) clock: Option<String>,
    /// Whether something changed since the last drawing.
    pub(crate) dirty: bool,
    /// Whether more of a reply arrived that is drawn later, because little is to move.
    pub(crate) text_waits: bool,
}

impl Model {
    pub(crate) fn new(
        appearance: Appearance,
        request_reader: &'static dyn RequestReader,
        size: Size,
        episodes: Vec<EpisodeView>,
    ) -> Self {
        let device = Device::new(&appearance);
        let depth = device.link.depth(appearance.settings.depth);
        let look = Look {
            theme: appearance.theme.for_depth(depth),
            written: appearance.theme.clone(),
            chosen: None,
        };
        Self {
            request_reader,
            look,
            device,
            panes: PaneState::new(appearance.settings.layout),
            frame: FrameState::new(appearance.settings.view),
            appearance,
            size,
            agent: AgentState::default(),
            score: ScoreState::default(),
            marks: MarkState::default(),
            typed: TypedKeys::default(),
            awaited: Awaited::default(),
            real_time: None,
            tutor: None,
            modal: None,
            search: None,
            notice: None,
            episodes,
            current: 0,
            follow: false,
            following: false,
            home: None,
            sweep: None,
            stack: Stack::default(),
            found: None,
            asks: 0,
            suites: Vec::new(),
            recorded_sessions: None,
            names: KnownNames::default(),
            oracle: OracleView::default(),
            wait: None,
            clock: None,
            dirty: true,
            text_waits: false,
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
        self.panes.scroll = Default::default();
        (self.agent.shown_reply, self.agent.shown_side) = (None, None);
        self.frame.sideways = 0;
        self.frame.pan = (0, 0);
        self.frame.page = 0;
        self.score.selected_pair = None;
        self.score.tree = ScoreTree::default();
        self.frame.zoom = PictureZoom::default();
    }

    /// Gives a pane the focus, and shows it where panes are tabs.
    pub(crate) fn set_focus(&mut self, pane: Pane) {
        self.panes.focus = pane;
        if pane != Pane::Frame {
            self.panes.tab = pane;
        }
    }

    /// Takes back a notice that no longer holds.
    pub(crate) fn withdraw(&mut self, words: &str) {
        let earlier = self.notice.take().unwrap_or_default();
        let left: Vec<&str> = earlier.lines().filter(|notice| *notice != words).collect();
        self.notice = (!left.is_empty()).then(|| left.join("\n"));
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
