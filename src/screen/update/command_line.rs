//! Performs the line entered in the palette.

use super::commands::Origin;
use super::{Effect, commands, navigation, person, set};
use crate::command::{Argument, called, find_command, find_family, split};
use crate::completions::completions;
use crate::model::{Modal, Model, Palette};
use crate::settings::find;

/// The most lines that the palette lists as recent ones.
const MAX_RECENT: usize = 4;

/// Performs the entered line, or the selected completion if the line is incomplete. The palette stays open
/// for a missing argument.
pub(super) fn enter(model: &mut Model, palette: &Palette, effects: &mut Vec<Effect>) {
    let offers = completions(model, palette);
    // A selected parameter completes the line; only a complete line is performed.
    if offers.get(palette.selected()).is_some_and(|offer| offer.is_partial && palette.selected() > 0) {
        let mut palette = palette.clone();
        palette.complete(&offers);
        model.modal = Some(Modal::Palette(palette));
        return;
    }
    let line = palette.line(&offers);
    remember(model, &line);
    perform_line(model, &line, Origin::Palette, effects);
}

/// Keeps a line among the last ones, which the palette lists first.
fn remember(model: &mut Model, line: &str) {
    if called(line).is_some() {
        let recent = &mut model.typed.recent;
        recent.retain(|known| known != line);
        recent.insert(0, line.to_owned());
        recent.truncate(MAX_RECENT);
    }
}

/// Performs a line as it is.
pub(super) fn perform_line(model: &mut Model, line: &str, origin: Origin, effects: &mut Vec<Effect>) {
    let (word, _) = split(line);
    if let Ok(number) = word.parse::<u32>() {
        return navigation::go_to(model, number);
    }
    let is_action = |model: &Model| model.episode().is_some_and(|viewed| viewed.names_action(line));
    // An action may have the name of a family of commands.
    if find_command(word).is_none() && is_action(model) {
        return person::act(model, line, effects);
    }
    match called(line) {
        None if word.is_empty() => {}
        None if find(word).is_ok() => set::set(model, line, effects),
        None if find_family(word).is_some() => {
            model.modal = Some(Modal::Palette(Palette::with(format!("{word} "))));
        }
        None => {
            model.notify(format!(
                "unknown command {:?}; ? lists all commands",
                mageyard_domain::sanitize(word)
            ));
        }
        Some((command, rest)) if command.argument == Argument::None && !rest.is_empty() => {
            model.notify(format!("{} takes no argument", command.name));
        }
        Some((command, rest)) => commands::call(model, command.id, rest, origin, effects),
    }
}
