//! Scrolling in panes and dialogs.

use crate::command::{CommandId, meaning};

/// Where scrolling goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scroll {
    LineDown,
    LineUp,
    PageDown,
    PageUp,
    Top,
    Bottom,
}

impl Scroll {
    /// The position after scrolling so many lines or pages.
    pub(super) fn target(self, at: u16, times: u16, (most, page): (u16, u16)) -> u16 {
        let to = match self {
            Self::LineDown => at.saturating_add(times),
            Self::LineUp => at.saturating_sub(times),
            Self::PageDown => at.saturating_add(page.saturating_mul(times)),
            Self::PageUp => at.saturating_sub(page.saturating_mul(times)),
            Self::Top => 0,
            Self::Bottom => most,
        };
        to.min(most)
    }
}

/// The commands that scroll a dialog.
const DIALOG_SCROLLS: [(CommandId, Scroll); 11] = [
    (CommandId::ScrollDown, Scroll::LineDown),
    (CommandId::Down, Scroll::LineDown),
    (CommandId::ScrollUp, Scroll::LineUp),
    (CommandId::Up, Scroll::LineUp),
    (CommandId::PageDown, Scroll::PageDown),
    (CommandId::Run, Scroll::PageDown),
    (CommandId::PageUp, Scroll::PageUp),
    (CommandId::Top, Scroll::Top),
    (CommandId::First, Scroll::Top),
    (CommandId::Bottom, Scroll::Bottom),
    (CommandId::Newest, Scroll::Bottom),
];

/// The commands that select the entry of a dialog before or after the selected one.
const ENTRY_MOVES: [(CommandId, isize); 4] =
    [(CommandId::Up, -1), (CommandId::ScrollUp, -1), (CommandId::Down, 1), (CommandId::ScrollDown, 1)];

/// The position in a dialog after this command; `None` if it does not scroll.
pub(super) fn scroll_target(id: Option<CommandId>, at: u16, extent: (u16, u16)) -> Option<u16> {
    meaning(&DIALOG_SCROLLS, id).map(|scroll| scroll.target(at, 1, extent))
}

/// By how many entries a command moves the selection of a dialog; `None` for another command.
pub(super) fn entry_move(id: Option<CommandId>) -> Option<isize> {
    meaning(&ENTRY_MOVES, id)
}
