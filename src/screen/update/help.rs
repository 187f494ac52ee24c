//! Keys of the help: they select an entry and run it.

use crossterm::event::{KeyCode, KeyEvent};

use super::scrolling::{entry_move, scroll_target};
use super::{Effect, commands, person};
use crate::command::CommandId;
use crate::modals;
use crate::modals::{HelpPage, HelpTarget};
use crate::model::{EntryMenu, Modal, Model};

/// Handles a key. The caller took the help out of the model; any key that neither selects nor runs closes it.
pub(super) fn press(
    model: &mut Model,
    menu: EntryMenu,
    key: KeyEvent,
    id: Option<CommandId>,
    effects: &mut Vec<Effect>,
) {
    let page = modals::help_page(model);
    let places: Vec<_> = page.entries.iter().map(|(_, lines)| lines.clone()).collect();
    let by = match key.code {
        KeyCode::Enter => return run(model, &page, menu, effects),
        KeyCode::Up => Some(-1),
        KeyCode::Down => Some(1),
        _ => entry_move(id),
    };
    model.modal = match by {
        Some(by) => Some(Modal::Help(menu.moved(&places, page.height, by))),
        None => scroll_target(id, menu.scroll, page.extent())
            .map(|to| Modal::Help(EntryMenu::at(&places, to, page.extent().0))),
    };
}

/// Runs the selected entry after the help is closed.
fn run(model: &mut Model, page: &HelpPage, menu: EntryMenu, effects: &mut Vec<Effect>) {
    match page.entries.get(menu.selected) {
        Some((HelpTarget::Command(id), _)) => commands::perform(model, *id, effects),
        Some((HelpTarget::Action(name), _)) => person::act(model, name, effects),
        None => {}
    }
}
