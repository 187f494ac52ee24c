//! The parts of the state of the screen: of each pane, of what was typed, of the terminal, and of what is awaited.

use std::path::PathBuf;

use crossterm::event::KeyEvent;

use super::claims::ClaimsView;
use super::code::{CodeView, StepCode};
use super::decoded_frame::{DecodedFrame, FrameKey};
use super::details::{FrameChoice, LoadedDetails};
use super::film::FilmPosition;
use super::frame_pair::{FramePair, MarkedFrame};
use super::link_view::LinkView;
use super::modal::Modal;
use super::score_tree::ScoreTree;
use super::step_drawings::StepDrawings;
use crate::appearance::{Appearance, FrameView};
use crate::pane::Pane;
use crate::requests::WantedRecording;
use crate::tutor::Lesson;
use mageyard_domain::PairPlace;
use mageyard_engine::MarkSet;
use mageyard_terminal::{ChosenForm, Drag, PictureZoom, Proportions, TerminalReport, Theme};

/// The panes: which one has the focus, how large they are, and how far they are scrolled.
#[derive(Clone, Debug)]
pub(crate) struct PaneState {
    pub(crate) focus: Pane,
    /// The pane beside the frame in a two-column layout.
    pub(crate) tab: Pane,
    pub(crate) zoomed: bool,
    /// The sizes of panes that were set.
    pub(crate) proportions: Proportions,
    /// The border between panes that the mouse moves.
    pub(crate) drag: Option<Drag>,
    pub(crate) scroll: [u16; Pane::ALL.len()],
}

impl PaneState {
    pub(super) fn new(proportions: Proportions) -> Self {
        Self {
            focus: Pane::Frame,
            tab: Pane::Agent,
            zoomed: false,
            proportions,
            drag: None,
            scroll: [0; Pane::ALL.len()],
        }
    }
}

/// The frame pane.
#[derive(Clone, Debug)]
pub(crate) struct FrameState {
    /// As a picture or as text.
    pub(crate) shown_as: FrameView,
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
    pub(crate) marked: Option<MarkedFrame>,
    /// What the analyses of steps claim.
    pub(crate) claims: ClaimsView,
    /// The details of observations that were read last.
    pub(crate) details: Vec<LoadedDetails>,
    /// The drawings of the steps before the shown one.
    pub(crate) step_drawings: StepDrawings,
    /// What was chosen in place of the usual view; a step without it shows the usual one.
    pub(crate) choice: Option<FrameChoice>,
    /// Index of the shown page of the views; the last one if a step has fewer.
    pub(crate) page: usize,
    /// The frame of a film that is shown; of use only while its step is shown.
    pub(crate) film: Option<FilmPosition>,
    /// How far the picture is magnified, and where.
    pub(crate) zoom: PictureZoom,
    /// The frame as sent that was decoded last.
    pub(crate) decoded: Option<DecodedFrame>,
    /// The frame as sent that is being decoded.
    pub(crate) awaited: Option<FrameKey>,
    /// Columns by which the text is scrolled to the right.
    pub(crate) sideways: u16,
    /// Squares by which the view of a board is panned to the right and down, from the agent.
    pub(crate) pan: (isize, isize),
}

impl FrameState {
    pub(super) fn new(shown_as: FrameView) -> Self {
        Self {
            shown_as,
            as_sent: false,
            picture: 0,
            before_and_after: false,
            pair: None,
            overlay: false,
            marked: None,
            claims: ClaimsView::default(),
            details: Vec::new(),
            step_drawings: StepDrawings::default(),
            choice: None,
            page: 0,
            film: None,
            zoom: PictureZoom::default(),
            decoded: None,
            awaited: None,
            sideways: 0,
            pan: (0, 0),
        }
    }
}

/// The agent pane.
#[derive(Clone, Debug)]
pub(crate) struct AgentState {
    /// What is shown of a step whose action writes code.
    pub(crate) code_view: CodeView,
    /// The code of the shown step.
    pub(crate) code: Option<StepCode>,
    /// Whether one raw reply is shown.
    pub(crate) raw: bool,
    /// Index of the shown raw reply; `None` is the last.
    pub(crate) shown_reply: Option<usize>,
    /// Index of the side request that the request dialog shows; `None` for a request of the decision.
    pub(crate) shown_side: Option<usize>,
}

impl Default for AgentState {
    fn default() -> Self {
        Self { code_view: CodeView::Replies, code: None, raw: false, shown_reply: None, shown_side: None }
    }
}

/// The score pane.
#[derive(Clone, Debug, Default)]
pub(crate) struct ScoreState {
    /// The rows: which are open, and which one is selected.
    pub(crate) tree: ScoreTree,
    /// The pair of elements that is selected.
    pub(crate) selected_pair: Option<PairPlace>,
}

/// The marks of steps that were searched for.
#[derive(Clone, Debug)]
pub(crate) struct MarkState {
    /// The marks of the last search.
    pub(crate) searched: MarkSet,
    /// Whether the filmstrip shows only steps with these marks.
    pub(crate) only: bool,
}

impl Default for MarkState {
    fn default() -> Self {
        Self { searched: MarkSet::ANY, only: false }
    }
}

/// What was typed and is not a command yet.
#[derive(Clone, Debug, Default)]
pub(crate) struct TypedKeys {
    pub(crate) count: Option<u32>,
    /// The first key of a sequence, until the second one is pressed.
    pub(crate) prefix: Option<KeyEvent>,
    /// The lines that were typed for the open question of the linear mode: the first one replaces its text.
    pub(crate) lines: usize,
    /// The last lines of the palette, newest first.
    pub(crate) recent: Vec<String>,
    /// Whether Ctrl-C has just cancelled; the next one quits.
    pub(crate) cancelled: bool,
}

/// What is being opened or read, and what follows then.
#[derive(Clone, Debug, Default)]
pub(crate) struct Awaited {
    /// What is being opened to be played: no command goes to the shown session meanwhile.
    pub(crate) play: Option<String>,
    /// The number of the unread episode that is read to be shown next.
    pub(crate) episode: Option<usize>,
    /// The journal that is being opened, and the step to show of it.
    pub(crate) step: Option<(PathBuf, u32)>,
    /// What is compared once a recording was read, and that recording.
    pub(crate) comparison: Option<(AwaitedComparison, WantedRecording)>,
    /// The lesson that starts when its episode is open.
    pub(crate) lesson: Option<Lesson>,
    /// The dialog from which an episode is being opened, if it was closed.
    pub(crate) dialog: Option<Box<Modal>>,
}

/// What is compared with a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AwaitedComparison {
    /// The request of this step with that of the step which was named, or else of the same one.
    Request { step: u32 },
    /// The episode.
    Episode,
}

/// The theme.
#[derive(Clone, Debug)]
pub(crate) struct Look {
    /// The theme as it was written.
    pub(crate) written: Theme,
    /// The theme in the colors that this screen uses.
    pub(crate) theme: Theme,
    /// The theme that was chosen on the screen in place of the configured one.
    pub(crate) chosen: Option<String>,
}

/// The terminal, and the link to it.
#[derive(Clone, Debug)]
pub(crate) struct Device {
    /// What the terminal answered at the start; nothing if it was not asked.
    pub(crate) report: TerminalReport,
    /// The form of pictures that was chosen with a command.
    pub(crate) chosen_form: ChosenForm,
    pub(crate) link: LinkView,
    /// Whether the terminal reports the mouse.
    pub(crate) mouse: bool,
}

impl Device {
    pub(super) fn new(appearance: &Appearance) -> Self {
        Self {
            report: TerminalReport::default(),
            chosen_form: ChosenForm::default(),
            link: LinkView::new(appearance.settings.link),
            mouse: appearance.settings.mouse,
        }
    }
}
