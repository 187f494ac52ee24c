//! Keys of the help: they select an entry and run it.

use crossterm::event::{KeyCode, KeyEvent};

use super::scrolling::scroll_target;
use super::{Effect, dispatch, person};
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
    let by = match (key.code, id) {
        (KeyCode::Enter, _) => return run(model, &page, menu, effects),
        (KeyCode::Up, _) | (_, Some(CommandId::Up | CommandId::ScrollUp)) => -1,
        (KeyCode::Down, _) | (_, Some(CommandId::Down | CommandId::ScrollDown)) => 1,
        _ => {
            let to = id.and_then(|id| scroll_target(id, menu.scroll, page.extent()));
            model.modal = to.map(|to| Modal::Help(EntryMenu::at(&places, to, page.extent().0)));
            return;
        }
    };
    model.modal = Some(Modal::Help(menu.moved(&places, page.height, by)));
}

/// Runs the selected entry after the help is closed.
fn run(model: &mut Model, page: &HelpPage, menu: EntryMenu, effects: &mut Vec<Effect>) {
    match page.entries.get(menu.selected) {
        Some((HelpTarget::Command(id), _)) => dispatch::perform(model, *id, effects),
        Some((HelpTarget::Action(name), _)) => person::act(model, name, effects),
        None => {}
    }
}
