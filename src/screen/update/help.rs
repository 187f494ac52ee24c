//! Keys of the help: they select an entry and run it.

use crossterm::event::{KeyCode, KeyEvent};

use super::scrolling::scroll_target;
use super::{Effect, dispatch, person};
use crate::command::CommandId;
use crate::modals;
use crate::modals::{HelpPage, HelpTarget};
use crate::model::{HelpMenu, Modal, Model};

/// Handles a key. The caller took the help out of the model; any key that neither selects nor runs closes it.
pub(super) fn press(
    model: &mut Model,
    menu: HelpMenu,
    key: KeyEvent,
    id: Option<CommandId>,
    effects: &mut Vec<Effect>,
) {
    let page = modals::help_page(model);
    let by = match (key.code, id) {
        (KeyCode::Enter, _) => return run(model, &page, menu, effects),
        (KeyCode::Up, _) | (_, Some(CommandId::Up | CommandId::ScrollUp)) => -1,
        (KeyCode::Down, _) | (_, Some(CommandId::Down | CommandId::ScrollDown)) => 1,
        _ => {
            let to = id.and_then(|id| scroll_target(id, menu.scroll, page.extent()));
            model.modal = to.map(|to| Modal::Help(at(&page, to)));
            return;
        }
    };
    model.modal = Some(Modal::Help(moved(&page, menu, by)));
}

/// Runs the selected entry after the help is closed.
fn run(model: &mut Model, page: &HelpPage, menu: HelpMenu, effects: &mut Vec<Effect>) {
    match page.entries.get(menu.selected) {
        Some((HelpTarget::Command(id), _)) => dispatch::perform(model, *id, effects),
        Some((HelpTarget::Action(name), _)) => person::act(model, name, effects),
        None => {}
    }
}

/// The next entry or the one before, scrolled into view.
fn moved(page: &HelpPage, menu: HelpMenu, by: isize) -> HelpMenu {
    let selected = menu.selected.saturating_add_signed(by).min(page.entries.len().saturating_sub(1));
    let Some((_, lines)) = page.entries.get(selected) else { return menu };
    // The description of the pane is above the first entry.
    let first = if selected == 0 { 0 } else { lines.start };
    let scroll = usize::from(menu.scroll).max(lines.end.saturating_sub(page.height)).min(first);
    HelpMenu { selected, scroll: u16::try_from(scroll).unwrap_or(u16::MAX) }
}

/// A scroll position with the first entry that is shown there; at the end the last one.
fn at(page: &HelpPage, scroll: u16) -> HelpMenu {
    let shown = |(_, lines): &(HelpTarget, std::ops::Range<usize>)| lines.start >= usize::from(scroll);
    let last = page.entries.len().saturating_sub(1);
    let is_end = scroll == page.extent().0 && scroll > 0;
    let selected = if is_end { last } else { page.entries.iter().position(shown).unwrap_or(last) };
    HelpMenu { selected, scroll }
}
