//! What was typed into the palette, done.

use super::Effect;
use super::deeds;
use super::editing;
use super::finding;
use super::looking;
use super::orders;
use crate::tui::command::Argument;
use crate::tui::command::Command;
use crate::tui::command::Deed;
use crate::tui::command::named;
use crate::tui::model::Model;
use crate::tui::model::Palette;
use crate::tui::model::Sheet;
use crate::tui::offers::offers;

/// Enter in the palette. A line that names a command whole is done as it stands; otherwise the
/// chosen offer is taken, and a command that still wants an argument stays open for it.
pub(super) fn enter(model: &mut Model, palette: &Palette, effects: &mut Vec<Effect>) {
    let offers = offers(model, palette);
    let line = palette.line(&offers);
    let (word, rest) = split(&line);
    if let Ok(number) = word.parse::<u32>() {
        return looking::go_to(model, number);
    }
    match named(word) {
        None if word.is_empty() => {}
        None => {
            model.remark(format!("there is no command {:?}; ? lists them all", crate::domain::visible(word)));
        }
        Some(command) if command.argument.is_due() && rest.is_empty() => {
            model.sheet = Some(Sheet::Palette(Palette::with(format!("{} ", command.name))));
        }
        Some(command) if command.argument == Argument::None && !rest.is_empty() => {
            model.remark(format!("{} takes no argument", command.name));
        }
        Some(command) => perform(model, command, rest, effects),
    }
}

fn split(line: &str) -> (&str, &str) {
    let line = line.trim();
    line.split_once(' ').map_or((line, ""), |(word, rest)| (word, rest.trim()))
}

fn perform(model: &mut Model, command: &Command, rest: &str, effects: &mut Vec<Effect>) {
    match command.deed {
        Deed::Open => effects.push(Effect::Open(rest.to_owned())),
        Deed::Theme => effects.push(Effect::Theme(rest.to_owned())),
        Deed::Act => orders::act(model, rest, effects),
        Deed::Plan => orders::plan(model, rest, effects),
        Deed::Prompt => orders::prompt(model, rest, effects),
        Deed::Copy => orders::copy(model, rest, effects),
        Deed::Find => finding::find(model, rest),
        Deed::Edit => editing::open(model, Some(rest).filter(|rest| !rest.is_empty()), effects),
        Deed::Break if !rest.is_empty() => orders::set_breaks(model, rest, effects),
        Deed::GoTo => match rest.parse() {
            Ok(number) => looking::go_to(model, number),
            Err(_) => model.remark("a step is a number, such as :42"),
        },
        deed => deeds::perform(model, deed, effects),
    }
}
