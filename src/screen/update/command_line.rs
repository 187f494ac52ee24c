//! Performs the line entered in the palette.

use super::{
    Effect, annotations, ask_sheet, branches, comparisons, dispatch, editing, finding, found, frame,
    mouse_switch, navigation, next_request, person, search, seats, session_control, suites, tutor,
};
use crate::command::{Argument, Command, CommandId, find_command};
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
    let (word, rest) = split(&line);
    let is_read = match find_command(word).map(|row| row.id) {
        Some(CommandId::Break) if !rest.is_empty() => next_request::add_breakpoints(model, rest, effects),
        Some(CommandId::Find) => found::begin(model, rest, effects),
        _ => return perform_line(model, &line, effects),
    };
    if !is_read {
        // A wrong condition is corrected where it was typed.
        model.modal = Some(Modal::Palette(Palette::refused(line)));
    }
}

/// Performs a line as it is. The palette opens for a missing argument.
pub(super) fn perform_line(model: &mut Model, line: &str, effects: &mut Vec<Effect>) {
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
        Some(command) if command.argument.is_required() && rest.is_empty() => {
            model.modal = Some(Modal::Palette(Palette::with(format!("{} ", command.name))));
        }
        Some(command) if command.argument == Argument::None && !rest.is_empty() => {
            model.notify(format!("{} takes no argument", command.name));
        }
        Some(command) => perform(model, command, rest, effects),
    }
}

pub(super) fn split(line: &str) -> (&str, &str) {
    let line = line.trim();
    line.split_once(' ').map_or((line, ""), |(word, rest)| (word, rest.trim()))
}

fn perform(model: &mut Model, command: &Command, rest: &str, effects: &mut Vec<Effect>) {
    match command.id {
        CommandId::Open => effects.push(Effect::Open(rest.to_owned())),
        CommandId::Theme => effects.push(Effect::Theme(rest.to_owned())),
        CommandId::Pictures if !rest.is_empty() => frame::set_form(model, rest),
        CommandId::Tutor => tutor::open(model, rest, effects),
        CommandId::Mouse if !rest.is_empty() => match rest {
            "on" => mouse_switch::switch(model, Some(true), effects),
            "off" => mouse_switch::switch(model, Some(false), effects),
            _ => model.notify("the mouse is on or off, such as :mouse off"),
        },
        CommandId::Link if !rest.is_empty() => frame::set_link(model, rest),
        CommandId::Act => person::act(model, rest, effects),
        CommandId::Plan => person::plan(model, rest, effects),
        CommandId::Prompt => next_request::prompt(model, rest, effects),
        CommandId::Copy => session_control::copy(model, rest, effects),
        CommandId::Tag | CommandId::Untag | CommandId::Comment | CommandId::Uncomment => {
            annotations::perform(model, command.id, rest, effects);
        }
        CommandId::Search => search::begin(model, rest),
        CommandId::Find => drop(found::begin(model, rest, effects)),
        CommandId::Marked => finding::find(model, rest),
        CommandId::Diff | CommandId::DiffRequests => comparisons::begin(model, command.id, rest, effects),
        CommandId::Edit => editing::open(model, Some(rest).filter(|rest| !rest.is_empty()), effects),
        CommandId::Hint => editing::hint(model, rest, effects),
        CommandId::Ask => ask_sheet::open(model, rest, effects),
        CommandId::Blame => ask_sheet::open_blame(model, rest, effects),
        CommandId::Candidates if !rest.is_empty() => match rest.parse() {
            Ok(count) => ask_sheet::open_candidates(model, Some(count), effects),
            Err(_) => model.notify("candidates are a number of replies, such as :candidates 5"),
        },
        CommandId::Suites => suites::open(model, rest, effects),
        CommandId::Suite => suites::add(model, rest, effects),
        CommandId::Fork => branches::open_sheet(model, rest, effects),
        CommandId::Seat if !rest.is_empty() => seats::by_words(model, rest, effects),
        CommandId::Break if !rest.is_empty() => {
            next_request::add_breakpoints(model, rest, effects);
        }
        CommandId::Picture if !rest.is_empty() => match rest.parse() {
            Ok(number) => frame::show_picture(model, number),
            Err(_) => model.notify("a picture is a number, such as :picture 2"),
        },
        CommandId::View if !rest.is_empty() => frame::show_view(model, rest),
        CommandId::Magnify => match rest.parse() {
            Ok(factor) => frame::magnify(model, factor),
            Err(_) => model.notify("the factor is a whole number, such as :magnify 4; 1 fits the picture"),
        },
        CommandId::GoTo => match rest.parse() {
            Ok(number) => navigation::go_to(model, number),
            Err(_) => model.notify("a step is a number, such as :42"),
        },
        id => dispatch::perform(model, id, effects),
    }
}
