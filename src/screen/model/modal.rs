//! The dialogs that can be open over the panes, with their state.

use super::Model;
use super::action_form::ActionForm;
use super::ask_sheet::{AskSheet, Subject};
use super::asked::{AskLevel, AskProgress, AskedSheet};
use super::branch_tree::BranchTree;
use super::editor::EditModal;
use super::entry_menu::EntryMenu;
use super::episode_comparison::EpisodeComparison;
use super::episode_list::EpisodeList;
use super::fork_sheet::ForkSheet;
use super::found_list::FoundList;
use super::palette::Palette;
use super::person_sheet::PersonSheet;
use super::request_comparison::RequestComparison;
use super::seat_sheet::SeatSheet;
use super::state_edit::StateEdit;
use super::suite_list::SuiteList;
use super::theme_picker::ThemePicker;
use crate::builder::SweepForm;
use crate::grid::AskGrid;
use crate::help::HelpSheet;
use crate::models::ModelSheet;
use crate::readers::ReaderSheet;
use crate::workshop::WorkshopSheet;
use mageyard_config::Problem;
use mageyard_engine::Breakpoints;
use mageyard_terminal::CopyRoute;

/// An open dialog.
#[derive(Clone, Debug)]
pub(crate) enum Modal {
    /// The form for the arguments of an action.
    Form(Box<ActionForm>),
    /// The editor.
    Edit(Box<EditModal>),
    /// Help.
    Help(HelpSheet),
    /// The themes to choose from.
    Themes(Box<ThemePicker>),
    Palette(Palette),
    /// The list of episodes and recorded sessions.
    Episodes(EpisodeList),
    /// What a new branch changes.
    Fork(Box<ForkSheet>),
    /// What is asked at a step, and what came back.
    Grid(Box<AskGrid>),
    /// What is asked about a suite, or how the step that lost the episode is looked for.
    Ask(Box<AskSheet>),
    /// The table of a study.
    Asked(Box<AskedSheet>),
    /// The list of suites.
    Suites(Box<SuiteList>),
    /// The state of the environment, which is edited.
    State(Box<StateEdit>),
    /// The branches of the episode.
    Branches(Box<BranchTree>),
    /// Who decides from the next request on.
    Seats(SeatSheet),
    /// The steps of everything stored that meet a condition.
    Found(Box<FoundList>),
    /// The models that can be chosen.
    Models(Box<ModelSheet>),
    /// The readers on the replies of a session.
    Readers(Box<ReaderSheet>),
    /// The workshop of a prompt.
    Workshop(Box<WorkshopSheet>),
    /// The form of a new sweep.
    SweepForm(Box<SweepForm>),
    /// Two requests compared.
    RequestDiff(Box<RequestComparison>),
    /// Two episodes or branches compared.
    Diff(Box<EpisodeComparison>),
    /// The errors of the shown step and of the episode.
    Verdict(EntryMenu),
    /// The request, with its scroll position in lines.
    Request(u16),
    /// The prompt variants.
    Prompts,
    Fault(Fault),
    /// The copy menu.
    Copy(CopyMenu),
    /// The breakpoints as set last.
    Breaks(Breakpoints),
    /// A question of the episode to the person.
    Person(Box<PersonSheet>),
    /// The confirmation before the episode is abandoned.
    Abandon,
    /// Whether to start the level again.
    Restart,
    /// Whether to move a session or a sweep to the trash.
    Delete(Deletion),
}

impl Modal {
    /// Its name in the conditions of lessons.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Form(_) => "form",
            Self::Edit(_) => "edit",
            Self::Help(_) => "help",
            Self::Themes(_) => "themes",
            Self::Palette(_) => "commands",
            Self::Episodes(_) => "episodes",
            Self::Fork(_) => "fork",
            Self::Grid(_) => "ask",
            Self::Ask(sheet) => match sheet.subject {
                Subject::Episode(_) => "blame",
                Subject::Diagnosis(_) => "diagnose",
                Subject::Probe(_) => "probe",
                Subject::Suite { .. } => "suites",
            },
            Self::Asked(sheet) if sheet.is_diagnosis() => match sheet.level {
                AskLevel::State => "diagnosed-state",
                AskLevel::Table | AskLevel::Calls => "diagnosis",
            },
            Self::Asked(sheet) if sheet.suite.is_some() => "suite-report",
            Self::Asked(_) => "asked",
            Self::Suites(_) => "suites",
            Self::State(_) => "state",
            Self::Branches(_) => "branches",
            Self::Seats(_) => "seats",
            Self::Found(_) => "found",
            Self::Models(_) => "models",
            Self::Readers(_) => "readers",
            Self::Workshop(_) => "workshop",
            Self::SweepForm(_) => "sweep",
            Self::RequestDiff(_) => "requests",
            Self::Diff(_) => "diff",
            Self::Verdict(_) => "verdict",
            Self::Request(_) => "request",
            Self::Prompts => "prompts",
            Self::Fault(_) => "fault",
            Self::Copy(_) => "copy",
            Self::Breaks(_) => "breakpoints",
            Self::Person(_) => "question",
            Self::Abandon => "abandon",
            Self::Restart => "restart",
            Self::Delete(_) => "delete",
        }
    }

    /// Whether it says what its present words would make.
    pub(crate) fn has_plan(&self) -> bool {
        match self {
            Self::Grid(grid) => grid.is_planned(),
            Self::Ask(sheet) => sheet.known().is_some_and(Result::is_ok),
            Self::Fork(sheet) => !sheet.changes().is_empty() && sheet.known_plan().is_some_and(Result::is_ok),
            _ => false,
        }
    }

    /// Whether it is a table of which everything is over.
    pub(crate) fn is_finished(&self) -> bool {
        match self {
            Self::Grid(grid) => grid.is_finished(),
            Self::Asked(sheet) => sheet.progress == AskProgress::Over,
            _ => false,
        }
    }

    /// How many variants are beside each other in it.
    pub(crate) fn columns(&self) -> usize {
        match self {
            Self::Grid(grid) => grid.columns(),
            _ => 0,
        }
    }

    /// Whether its plan plays branches.
    pub(crate) fn plays_branches(&self) -> bool {
        match self {
            Self::Grid(grid) => grid.ready().is_some_and(|(_, planned)| !planned.sort.has_replies()),
            Self::Ask(sheet) => sheet.ready().is_some_and(|(_, planned)| !planned.sort.has_replies()),
            _ => false,
        }
    }

    /// Whether it gives way to an episode that was just opened.
    pub(crate) fn waits_for_episode(&self) -> bool {
        match self {
            Self::Branches(_) | Self::Episodes(_) => true,
            Self::Found(list) => list.is_opening,
            Self::Readers(sheet) => sheet.is_opening,
            Self::Asked(sheet) => sheet.suite.as_ref().is_some_and(|suite| suite.is_opening),
            _ => false,
        }
    }

    /// The dialog once it no longer waits for what it opens, nor for calls that were stopped.
    pub(crate) fn settled(mut self) -> Self {
        match &mut self {
            Self::Episodes(list) => list.opening = None,
            Self::Found(list) => list.is_opening = false,
            Self::Readers(sheet) => sheet.is_opening = false,
            Self::Grid(grid) => grid.settle(),
            Self::Asked(sheet) => match &mut sheet.suite {
                Some(suite) => suite.is_opening = false,
                None => sheet.progress = sheet.progress.stopped(),
            },
            _ => {}
        }
        self
    }

    /// Whether its text can be searched.
    pub(crate) fn is_searchable(&self) -> bool {
        self.scroll().is_some()
    }

    /// The scroll position of a dialog that is only read.
    pub(crate) fn scroll(&self) -> Option<u16> {
        match self {
            Self::Verdict(menu) => Some(menu.scroll),
            Self::Request(scroll) => Some(*scroll),
            Self::RequestDiff(diff) => Some(diff.scroll),
            _ => None,
        }
    }

    /// Scrolls a dialog that is only read.
    pub(crate) fn set_scroll(&mut self, to: u16) {
        match self {
            Self::Verdict(menu) => menu.scroll = to,
            Self::Request(scroll) => *scroll = to,
            Self::RequestDiff(diff) => diff.scroll = to,
            _ => {}
        }
    }

    /// Whether its main content is a text that is typed, so that letters are never commands in it.
    pub(crate) fn takes_text(&self) -> bool {
        match self {
            Self::Form(_)
            | Self::Edit(_)
            | Self::Palette(_)
            | Self::Episodes(_)
            | Self::Fork(_)
            | Self::Ask(_) => true,
            Self::Help(sheet) => sheet.is_typing(),
            Self::Grid(grid) => grid.is_typing(),
            Self::Models(sheet) => sheet.is_typing(),
            Self::Readers(sheet) => sheet.is_typing(),
            Self::Workshop(sheet) => sheet.is_typing(),
            Self::SweepForm(form) => form.is_typing(),
            Self::Person(sheet) => sheet.typed.is_some(),
            Self::Found(list) => list.suite.is_some(),
            _ => false,
        }
    }

    /// Whether keys are commands in it, so that sequences of keys work; in other dialogs they are text or choices.
    pub(crate) fn takes_commands(&self) -> bool {
        match self {
            Self::Help(sheet) => !sheet.is_typing(),
            Self::Themes(_) | Self::Verdict(_) | Self::Request(_) | Self::RequestDiff(_) | Self::Diff(_) => {
                true
            }
            _ => false,
        }
    }
}

/// A session or a sweep that is to be moved to the trash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Deletion {
    pub(crate) name: String,
    pub(crate) is_sweep: bool,
}

impl Deletion {
    pub(crate) fn kind(&self) -> &'static str {
        if self.is_sweep { "sweep" } else { "session" }
    }
}

/// An error shown in a dialog.
#[derive(Clone, Debug)]
pub(crate) enum Fault {
    /// The session is paused by an error.
    Session(String),
    /// A level could not be opened.
    Open(Problem),
    /// A recorded session could not be opened.
    Recording(Problem),
    /// A branch could not be made or continued.
    Branch(Problem),
    /// A file of the user is invalid.
    Files(Problem),
    /// A theme could not be loaded.
    Theme(Problem),
    /// A session or a sweep could not be moved to the trash.
    Delete(Problem),
}

impl Fault {
    pub(crate) fn title(&self) -> &'static str {
        match self {
            Self::Session(_) => "The session is paused by an error",
            Self::Open(_) => "The level could not be opened",
            Self::Recording(_) => "The recording could not be opened",
            Self::Branch(_) => "The branch could not be opened",
            Self::Files(_) => "A file is invalid; the previous settings are kept",
            Self::Theme(_) => "The theme could not be loaded",
            Self::Delete(_) => "It was not deleted",
        }
    }

    pub(crate) fn problem(&self) -> Problem {
        match self {
            Self::Session(words) => Problem::new(words.clone()),
            Self::Open(problem)
            | Self::Recording(problem)
            | Self::Branch(problem)
            | Self::Files(problem)
            | Self::Theme(problem)
            | Self::Delete(problem) => problem.clone(),
        }
    }
}

/// Destination of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CopyDestination {
    Clipboard,
    File,
}

/// The state of the copy menu.
#[derive(Clone, Debug)]
pub(crate) struct CopyMenu {
    pub(crate) destination: CopyDestination,
    /// The result of the last copy.
    pub(crate) message: Option<String>,
}

impl CopyMenu {
    /// Where copies cannot go to the terminal they go into files.
    pub(crate) fn new(model: &Model) -> Self {
        let destination = match model.appearance.settings.copy_route {
            CopyRoute::File => CopyDestination::File,
            _ => CopyDestination::Clipboard,
        };
        Self { destination, message: None }
    }
}
