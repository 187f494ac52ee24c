//! Themes: the picker with its preview, and a theme that was chosen by name.

use crossterm::event::{KeyCode, KeyEvent};

use super::{Effect, show_fault};
use crate::command::{CommandId, meaning};
use crate::model::{Fault, Modal, Model, ThemePicker};
use crate::requests::Request;
use mageyard_config::Problem;
use mageyard_terminal::Theme;

/// The commands that select another theme.
const MOVES: [(CommandId, isize); 6] = [
    (CommandId::ScrollUp, -1),
    (CommandId::ScrollDown, 1),
    (CommandId::Top, isize::MIN),
    (CommandId::First, isize::MIN),
    (CommandId::Bottom, isize::MAX),
    (CommandId::Newest, isize::MAX),
];

/// Opens the picker.
pub(super) fn open(model: &mut Model) {
    let picker = ThemePicker::new(model.names.themes.clone(), model.look.written.clone());
    model.modal = Some(Modal::Themes(Box::new(picker)));
}

/// Handles a key. The caller took the modal out of the model; it is put back unless the key closes it.
pub(super) fn press(
    model: &mut Model,
    mut picker: Box<ThemePicker>,
    key: KeyEvent,
    id: Option<CommandId>,
    effects: &mut Vec<Effect>,
) {
    let by = match key.code {
        KeyCode::Esc | KeyCode::Char('q') => {
            model.set_theme(picker.before);
            return;
        }
        KeyCode::Enter if picker.problem.is_none() => return keep(model, &picker, effects),
        KeyCode::Up | KeyCode::BackTab => -1,
        KeyCode::Down | KeyCode::Tab => 1,
        _ => meaning(&MOVES, id).unwrap_or(0),
    };
    if picker.select_by(by) {
        effects.extend(picker.name().map(|name| load(name, true)));
    }
    model.modal = Some(Modal::Themes(picker));
}

/// The effect that loads a theme.
pub(super) fn load(name: &str, is_preview: bool) -> Effect {
    Effect::Request(Request::LoadTheme { name: name.to_owned(), is_preview })
}

fn keep(model: &mut Model, picker: &ThemePicker, effects: &mut Vec<Effect>) {
    let Some(name) = picker.name() else { return };
    if model.look.written.name() != name {
        // Its preview is still being read.
        effects.push(load(name, false));
    }
    model.look.chosen = Some(name.to_owned());
    model.notify(format!(
        "theme {name} until the program ends; the line theme = {name:?} below [screen] in config.toml makes it permanent"
    ));
}

/// Shows a theme that was loaded: as a preview of the picker, while that is open, or for good.
pub(super) fn loaded(model: &mut Model, is_preview: bool, answer: Result<Theme, Problem>) {
    match (answer, &mut model.modal) {
        (Ok(loaded), Some(Modal::Themes(picker))) if is_preview => {
            picker.problem = None;
            model.set_theme(loaded);
        }
        (Err(problem), Some(Modal::Themes(picker))) if is_preview => {
            picker.problem = Some(problem.to_string());
        }
        _ if is_preview => {}
        (Ok(loaded), _) => {
            model.look.chosen = Some(loaded.name().to_owned());
            model.set_theme(loaded);
        }
        (Err(problem), _) => show_fault(model, Fault::Theme(problem)),
    }
}

/// After files were read again: the configured theme if the setting has changed, else the one that was chosen.
pub(super) fn reload(model: &mut Model, configured_before: &str, effects: &mut Vec<Effect>) {
    let configured = model.appearance.theme.clone();
    if let Some(Modal::Themes(picker)) = &mut model.modal {
        picker.names.clone_from(&model.names.themes);
        picker.selected = picker.selected.min(picker.names.len().saturating_sub(1));
        return effects.extend(picker.name().map(|name| load(name, true)));
    }
    if configured.name() != configured_before {
        model.look.chosen = None;
    }
    match model.look.chosen.clone() {
        Some(name) => effects.push(load(&name, false)),
        None => model.set_theme(configured),
    }
}
