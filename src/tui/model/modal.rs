//! What can lie over the panes, and what each of it remembers while it is open.

use super::editor::EditModal;
use super::palette::Palette;
use crate::config::Problem;
use crate::engine::Breakpoints;

/// What is open.
#[derive(Clone, Debug)]
pub(crate) enum Modal {
    /// A text that is edited.
    Edit(Box<EditModal>),
    /// Help, scrolled so many lines.
    Help(u16),
    Palette(Palette),
    /// The verdict on the episode, scrolled so many lines.
    Verdict(u16),
    /// The request, scrolled so many lines.
    Request(u16),
    /// The prompt variants; opened over the request where that was scrolled so many lines.
    Prompts(Option<u16>),
    Fault(Fault),
    /// The copy menu.
    Copy(CopyMenu),
    /// The breakpoints, as they were set last.
    Breaks(Breakpoints),
    /// Whether to give the episode up.
    Abandon,
}

/// What went wrong, and therefore what still holds.
#[derive(Clone, Debug)]
pub(crate) enum Fault {
    /// The session stands still.
    Session(String),
    /// A level that did not open.
    Open(Problem),
    /// Files that people edit.
    Files(Problem),
    /// A theme that was asked for.
    Theme(Problem),
}

impl Fault {
    pub(crate) fn title(&self) -> &'static str {
        match self {
            Self::Session(_) => "The session stands still",
            Self::Open(_) => "The level did not open",
            Self::Files(_) => "A file is wrong; the old settings are kept",
            Self::Theme(_) => "The theme is kept as it was",
        }
    }

    pub(crate) fn problem(&self) -> Problem {
        match self {
            Self::Session(words) => Problem::new(words.clone()),
            Self::Open(problem) | Self::Files(problem) | Self::Theme(problem) => problem.clone(),
        }
    }
}

/// Where a copy goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum CopyDestination {
    #[default]
    Clipboard,
    File,
}

/// The menu as it stands.
#[derive(Clone, Debug, Default)]
pub(crate) struct CopyMenu {
    pub(crate) destination: CopyDestination,
    /// The request that lies below, scrolled so many lines.
    pub(crate) request_scroll: Option<u16>,
    /// What became of the last copy.
    pub(crate) message: Option<String>,
}
