//! The state of the screen: snapshots, what is shown, and the open dialog. It performs no effects.

mod action_form;
mod ask_sheet;
mod asked;
mod branch_tree;
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
mod playable_actions;
mod request_comparison;
mod returning;
mod score_tree;
mod search;
mod seat_sheet;
mod shown_picture;
mod state_edit;
mod suite_list;
mod suite_states;
mod theme_picker;

use std::path::PathBuf;

use crossterm::event::KeyEvent;
use ratatui::layout::Size;

pub(crate) use self::action_form::{ActionForm, FormField, FormPurpose};
pub(crate) use self::ask_sheet::{ASK_FIELDS, AskSheet, SheetAnswer, Subject};
pub(crate) use self::asked::{AskLevel, AskProgress, AskedSheet};
pub(crate) use self::branch_tree::BranchTree;
pub(crate) use self::code::{CodeText, CodeView, StepCode};
pub(crate) use self::decoded_frame::{DecodedFrame, FrameKey, SentFrame};
pub(crate) use self::details::{FrameChoice, LoadedDetails};
pub(crate) use self::editor::{EditModal, EditSubject, parse_actions};
pub(crate) use self::entry_menu::EntryMenu;
pub(crate) use self::episode_comparison::{ComparedEpisode, EpisodeComparison};
pub(crate) use self::episode_list::{EpisodeList, EpisodeRow, RowTarget};
pub(crate) use self::episode_view::{EpisodeView, Playback, Preview};
pub(crate) use self::film::{FilmPosition, RealTimePlay};
pub(crate) use self::fork_sheet::ForkSheet;
pub(crate) use self::found_list::{FindEnd, FoundList, MAX_FOUND};
pub(crate) use self::frame_pair::{FramePair, MarkedFrame};
pub(crate) use self::link_view::LinkView;
pub(crate) use self::listed_episode::{ListedEpisode, Unread};
pub(crate) use self::modal::{CopyDestination, CopyMenu, Fault, Modal};
pub(crate) use self::oracle_view::OracleView;
pub(crate) use self::palette::{Completion, Palette};
pub(crate) use self::request_comparison::{ComparedRequest, RequestComparison};
pub(crate) use self::returning::{OpenedFrom, ReturnPlace};
pub(crate) use self::score_tree::{ScoreTree, VisibleRow};
pub(crate) use self::search::Search;
pub(crate) use self::seat_sheet::SeatSheet;
pub(crate) use self::shown_picture::ShownPicture;
pub(crate) use self::state_edit::StateEdit;
pub(crate) use self::suite_list::SuiteList;
pub(crate) use self::theme_picker::ThemePicker;
use super::appearance::{Appearance, FrameView, SessionSummary, WantedRecording};
use super::pane::Pane;
use super::suites::SuiteEntry;
use super::tutor::{Lesson, Tutor};
use mageyard_config::Problem;
use mageyard_domain::{PairPlace, RequestReader};
use mageyard_engine::{MarkSet, Wait};
use mageyard_terminal::{ChosenForm, Drag, PictureZoom, Proportions, TerminalReport, Theme};

/// Notices kept at a time; the newest ones remain.
const MAX_NOTICES: usize = 3;

/// The state of the screen.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    pub(crate) appearance: Appearance,
    pub(crate) request_reader: &'static dyn RequestReader,
    /// The theme as it was written.
    pub(crate) written_theme: Theme,
    /// The theme in the colors that this screen uses.
    pub(crate) theme: Theme,
    /// The theme that was chosen on the screen in place of the configured one.
    pub(crate) chosen_theme: Option<String>,
    /// Whether the terminal reports the mouse.
    pub(crate) mouse: bool,
    pub(crate) size: Size,
    pub(crate) focus: Pane,
    /// The pane beside the frame in a two-column layout.
    pub(crate) tab: Pane,
    pub(crate) zoomed: bool,
    /// The sizes of panes that were set.
    pub(crate) proportions: Proportions,
    /// The border between panes that the mouse moves.
    pub(crate) drag: Option<Drag>,
    pub(crate) frame_view: FrameView,
    /// Whether the frame is shown as it was sent.
    pub(crate) as_sent: bool,
    /// Index of the shown picture among those of the step; the last one if a step has fewer.
    pub(crate) picture: usize,
    /// Whether the frame before is shown beside that of the step.
    pub(crate) before_and_after: bool,
    /// The frames that were compared last.
    pub(crate) pair: Option<FramePair>,
    /// Whether the action is drawn onto the frame.
    pub(crate) overlay: bool,
    /// The frame onto which an action was drawn last.
    pub(crate) marked_frame: Option<MarkedFrame>,
    /// The details of observations that were read last.
    pub(crate) details: Vec<LoadedDetails>,
    /// What was chosen in place of the usual view; a step without it shows the usual one.
    pub(crate) view: Option<FrameChoice>,
    /// Index of the shown page of the views; the last one if a step has fewer.
    pub(crate) page: usize,
    /// The frame of a film that is shown; of use only while its step is shown.
    pub(crate) film: Option<FilmPosition>,
    /// The person who plays in real time.
    pub(crate) real_time: Option<RealTimePlay>,
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
    /// The lesson of the tutor in progress.
    pub(crate) tutor: Option<Tutor>,
    /// Index of the episode that is the recording of the tutor, once it is open.
    pub(crate) tutorial: Option<usize>,
    /// The lesson that starts when the recording is open.
    pub(crate) awaited_lesson: Option<Lesson>,
    /// The first key of a sequence, until the second one is pressed.
    pub(crate) prefix: Option<KeyEvent>,
    pub(crate) scroll: [u16; Pane::ALL.len()],
    /// Columns by which the frame's text is scrolled to the right.
    pub(crate) sideways: u16,
    /// Squares by which the view of a board is panned to the right and down, from the agent.
    pub(crate) pan: (isize, isize),
    pub(crate) modal: Option<Modal>,
    /// The search in the focused pane or the open dialog.
    pub(crate) search: Option<Search>,
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
    /// How many searches of everything stored were started.
    pub(crate) searches: u64,
    /// How many asks were planned.
    pub(crate) asks: u64,
    /// What the last search of everything stored has found, while it is not shown.
    pub(crate) found: Option<Box<FoundList>>,
    /// The report of a suite from which a recording was opened.
    pub(crate) suite_report: Option<Box<AskedSheet>>,
    /// Which episodes were opened from where, the last one last.
    pub(crate) returns: Vec<OpenedFrom>,
    /// The dialog from which an episode is being opened, if it was closed.
    pub(crate) awaited_return: Option<Box<Modal>>,
    /// The dialog that is shown again when a fault is closed.
    pub(crate) below_fault: Option<Box<Modal>>,
    /// Whether the screen was opened from another one, to which Esc leads back.
    pub(crate) is_nested: bool,
    /// The suites, as they were listed last.
    pub(crate) suites: Vec<SuiteEntry>,
    /// The number of the unread episode that is read to be shown next.
    pub(crate) awaited_episode: Option<usize>,
    /// The journal that is being opened, and the step to show of it.
    pub(crate) awaited_step: Option<(PathBuf, u32)>,
    /// What is compared once a recording was read, and that recording.
    pub(crate) awaited_comparison: Option<(AwaitedComparison, WantedRecording)>,
    /// The recorded sessions, newest first; `None` while they are read.
    pub(crate) recorded_sessions: Option<Result<Vec<SessionSummary>, Problem>>,
    pub(crate) levels: Vec<String>,
    pub(crate) themes: Vec<String>,
    /// What the shown episode waits for, when it was drawn last.
    pub(crate) wait: Option<Wait>,
    /// What the oracle would have done.
    pub(crate) oracle: OracleView,
    /// The clock of the person who decides, in words, when it was drawn last.
    pub(crate) clock: Option<String>,
    /// Whether Ctrl-C has just cancelled; the next one quits.
    pub(crate) cancelled: bool,
    /// Whether something changed since the last drawing.
    pub(crate) dirty: bool,
    /// Whether more of a reply arrived that is drawn later, because little is to move.
    pub(crate) text_waits: bool,
    /// What the terminal answered at the start; nothing if it was not asked.
    pub(crate) terminal: TerminalReport,
    /// The form of pictures that was chosen with a command.
    pub(crate) chosen_form: ChosenForm,
    /// The lines that were typed for the open question of the linear mode: the first one replaces its text.
    pub(crate) lines_typed: usize,
    /// The link to the terminal.
    pub(crate) link: LinkView,
}

/// What is compared with a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AwaitedComparison {
    /// The request of this step with that of the step which was named, or else of the same one.
    Request { step: u32 },
    /// The episode.
    Episode,
}

impl Model {
    pub(crate) fn new(
        appearance: Appearance,
        request_reader: &'static dyn RequestReader,
        size: Size,
        episodes: Vec<EpisodeView>,
    ) -> Self {
        let link = LinkView::new(appearance.settings.link);
        Self {
            request_reader,
            theme: appearance.theme.for_depth(link.depth(appearance.settings.depth)),
            written_theme: appearance.theme.clone(),
            chosen_theme: None,
            mouse: appearance.settings.mouse,
            proportions: appearance.settings.layout,
            frame_view: appearance.settings.view,
            appearance,
            size,
            focus: Pane::Frame,
            tab: Pane::Agent,
            zoomed: false,
            drag: None,
            as_sent: false,
            picture: 0,
            before_and_after: false,
            pair: None,
            overlay: false,
            marked_frame: None,
            details: Vec::new(),
            view: None,
            page: 0,
            film: None,
            real_time: None,
            score_tree: ScoreTree::default(),
            selected_pair: None,
            picture_zoom: PictureZoom::default(),
            decoded_frame: None,
            code_view: CodeView::Replies,
            code: None,
            raw: false,
            shown_reply: None,
            count: None,
            tutor: None,
            tutorial: None,
            awaited_lesson: None,
            prefix: None,
            scroll: [0; Pane::ALL.len()],
            sideways: 0,
            pan: (0, 0),
            modal: None,
            search: None,
            notice: None,
            searched_marks: MarkSet::ANY,
            only_marked: false,
            episodes,
            current: 0,
            follow: false,
            following: false,
            searches: 0,
            asks: 0,
            found: None,
            suite_report: None,
            returns: Vec::new(),
            awaited_return: None,
            below_fault: None,
            is_nested: false,
            suites: Vec::new(),
            awaited_episode: None,
            awaited_step: None,
            awaited_comparison: None,
            recorded_sessions: None,
            levels: Vec::new(),
            themes: Vec::new(),
            wait: None,
            oracle: OracleView::default(),
            clock: None,
            cancelled: false,
            dirty: true,
            text_waits: false,
            terminal: TerminalReport::default(),
            chosen_form: ChosenForm::default(),
            lines_typed: 0,
            link,
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

    /// Gives a pane the focus, and shows it where panes are tabs.
    pub(crate) fn set_focus(&mut self, pane: Pane) {
        self.focus = pane;
        if pane != Pane::Frame {
            self.tab = pane;
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
