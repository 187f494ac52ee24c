//! Scrolling in dialogs.

use crate::command::CommandId;

/// The scroll position after this command; `None` if it does not scroll.
pub(super) fn scroll_target(id: CommandId, at: u16, (most, page): (u16, u16)) -> Option<u16> {
    let to = match id {
        CommandId::ScrollDown | CommandId::Down => at.saturating_add(1),
        CommandId::ScrollUp | CommandId::Up => at.saturating_sub(1),
        CommandId::PageDown | CommandId::Run => at.saturating_add(page),
        CommandId::PageUp => at.saturating_sub(page),
        CommandId::Top | CommandId::First => 0,
        CommandId::Bottom | CommandId::Newest => most,
        _ => return None,
    };
    Some(to.min(most))
}
