//! Performs the line entered in the palette.

use super::commands::Origin;
use super::{Effect, commands, navigation, person};
use crate::command::{Argument, find_command};
use crate::completions::completions;
use crate::model::{Modal, Model, Palette};

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
    perform_line(model, &line, Origin::Palette, effects);
}

/// Performs a line as it is.
pub(super) fn perform_line(model: &mut Model, line: &str, origin: Origin, effects: &mut Vec<Effect>) {
    let (word, rest) = split(line);
    if let Ok(number) = word.parse::<u32>() {
        return navigation::go_to(model, number);
    }
    match find_command(word) {
        None if word.is_empty() => {}
        None if model.episode().is_some_and(|viewed| viewed.names_action(line)) => {
            person::act(model, line, effects);
        }
        None => {
            model.notify(format!(
                "unknown command {:?}; ? lists all commands",
                mageyard_domain::sanitize(word)
            ));
        }
        Some(command) if command.argument == Argument::None && !rest.is_empty() => {
            model.notify(format!("{} takes no argument", command.name));
        }
        Some(command) => commands::call(model, command.id, rest, origin, effects),
    }
}

pub(super) fn split(line: &str) -> (&str, &str) {
    let line = line.trim();
    line.split_once(' ').map_or((line, ""), |(word, rest)| (word, rest.trim()))
}
