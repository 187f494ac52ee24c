//! A command of the linear mode, by its name, its key, or the name of an action.

use super::commands::Origin;
use super::{Effect, command_line, keys};
use crate::command::{Command, CommandId, ScreenView, called, commands_in, find_command, find_family, split};
use crate::completions::completions;
use crate::keymap::parse_key;
use crate::model::{EpisodeView, Modal, Model, Palette};
use crate::settings::find;
use mageyard_domain::nearest_names;

/// Performs a line without an open question. An empty line is Enter, one of spaces is the space bar.
pub(super) fn command(model: &mut Model, line: &str, effects: &mut Vec<Effect>) {
    let words = line.trim();
    let words = words.strip_prefix(':').unwrap_or(words).trim_start();
    if words.is_empty() {
        let key = if line.is_empty() { "enter" } else { "space" };
        if !press_action(model, key, effects) {
            press(model, key, effects);
        }
        return;
    }
    let (count, words) = split_count(words);
    model.typed.count = count;
    if press_action(model, words, effects) {
        return;
    }
    if find_command(split(words).0).is_none() && is_line(model, words) {
        return perform(model, words, effects);
    }
    match called(words).map(|(row, _)| row) {
        Some(row) if !row.is_in(ScreenView::Lines) => refuse(model, row),
        Some(_) => perform(model, words, effects),
        None if find_family(split(words).0).is_some() => perform(model, words, effects),
        None if bound(model, words).is_some() => press(model, words, effects),
        None => suggest(model, words),
    }
}

/// `12` and `run` of `12 run`; a number alone is a step.
fn split_count(words: &str) -> (Option<u32>, &str) {
    let split =
        words.split_once(' ').and_then(|(count, rest)| Some((count.parse().ok()?, rest.trim_start())));
    split.map_or((None, words), |(count, rest)| (Some(count), rest))
}

fn perform(model: &mut Model, words: &str, effects: &mut Vec<Effect>) {
    command_line::perform_line(model, words, Origin::Line, effects);
}

/// Whether a line is the number of a step or an action.
fn is_line(model: &Model, words: &str) -> bool {
    words.parse::<u32>().is_ok()
        || find(split(words).0).is_ok()
        || model.episode().is_some_and(|viewed| viewed.names_action(words))
}

/// Plays the action whose key a line names, if a person is the agent.
fn press_action(model: &mut Model, words: &str, effects: &mut Vec<Effect>) -> bool {
    let key = parse_key(words).filter(|key| {
        let plays = |viewed: &EpisodeView| viewed.action_with_key(*key).is_some();
        model.episode().is_some_and(plays)
    });
    if let Some(key) = key {
        keys::press_without_modal(model, key, None, effects);
    }
    key.is_some()
}

/// The command of a key, or of a sequence of two.
fn bound(model: &Model, words: &str) -> Option<CommandId> {
    let keys = &model.appearance.keys;
    let single = parse_key(words).and_then(|key| keys.command(key));
    let pair =
        || words.split_once(' ').and_then(|(first, second)| Some((parse_key(first)?, parse_key(second)?)));
    single.or_else(|| pair().and_then(|(first, second)| keys.screen().command_after(first, second)))
}

/// Performs the command of a key.
fn press(model: &mut Model, words: &str, effects: &mut Vec<Effect>) {
    match bound(model, words).map(CommandId::command) {
        Some(row) if !row.is_in(ScreenView::Lines) => refuse(model, row),
        Some(row) => perform(model, row.name, effects),
        None => model.notify(format!("{words} is not bound; help lists the commands")),
    }
}

fn refuse(model: &mut Model, row: &Command) {
    model.typed.count = None;
    model.notify(format!("{} changes only the full screen; lines are always complete", row.name));
}

/// Asks which command was meant.
fn suggest(model: &mut Model, words: &str) {
    let palette = Palette::with(words.to_owned());
    let known = completions(model, &palette);
    let shown = mageyard_domain::sanitize(words);
    if known.is_empty() {
        let near = nearest_names(words, line_commands().map(|row| row.name));
        let help = match near.as_slice() {
            [] => "help lists all commands".to_owned(),
            near => format!("did you mean {}?", near.join(" or ")),
        };
        return model.notify(format!("there is no command {shown:?}; {help}"));
    }
    model.notify(format!("there is no command {shown:?}"));
    model.modal = Some(Modal::Palette(palette));
}

/// The commands that do something in the linear mode, in their order.
pub(crate) fn line_commands() -> impl Iterator<Item = &'static Command> {
    commands_in(ScreenView::Lines)
}
