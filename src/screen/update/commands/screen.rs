//! Commands of the screen itself: dialogs, themes, the terminal, and leaving.

use super::Call;
use crate::builder;
use crate::help::HelpSheet;
use crate::home;
use crate::model::{Modal, Model, Palette};
use crate::requests::Request;
use crate::update::{Effect, frame, mouse_switch, session_control, theme_choice, tutor, views};
use mageyard_engine::SessionCommand;

/// Opens the form of a new sweep, or the dashboard of one by its name.
pub(super) fn sweep(model: &mut Model, call: Call<'_>, effects: &mut Vec<Effect>) {
    match call.required(model) {
        None => {}
        Some("new") => builder::open(model, effects),
        Some(name) => {
            model.notify(format!("opening the sweep {name} …"));
            effects.push(Effect::Request(Request::OpenSweep(name.to_owned())));
        }
    }
}

pub(super) fn palette(model: &mut Model, _: Call<'_>, _: &mut Vec<Effect>) {
    model.modal = Some(Modal::Palette(Palette::default()));
}

pub(super) fn help(model: &mut Model, _: Call<'_>, _: &mut Vec<Effect>) {
    model.modal = Some(Modal::Help(HelpSheet::default()));
}

pub(super) fn pictures(model: &mut Model, call: Call<'_>, _: &mut Vec<Effect>) {
    match call.written() {
        Some(form) => frame::set_form(model, form),
        None => frame::say_form(model),
    }
}

pub(super) fn link(model: &mut Model, call: Call<'_>, _: &mut Vec<Effect>) {
    match call.written() {
        Some(link) => frame::set_link(model, link),
        None => model.notify(format!("link: {}", model.device.link.speed)),
    }
}

pub(super) fn bandwidth(model: &mut Model, _: Call<'_>, _: &mut Vec<Effect>) {
    frame::toggle_traffic(model);
}

pub(super) fn theme(model: &mut Model, call: Call<'_>, effects: &mut Vec<Effect>) {
    if let Some(name) = call.required(model) {
        effects.push(theme_choice::load(name, false));
    }
}

pub(super) fn themes(model: &mut Model, _: Call<'_>, _: &mut Vec<Effect>) {
    theme_choice::open(model);
}

pub(super) fn mouse(model: &mut Model, call: Call<'_>, effects: &mut Vec<Effect>) {
    match call.argument {
        "" => mouse_switch::switch(model, None, effects),
        "on" => mouse_switch::switch(model, Some(true), effects),
        "off" => mouse_switch::switch(model, Some(false), effects),
        _ => model.notify("the mouse is on or off, such as :mouse off"),
    }
}

pub(super) fn tutor(model: &mut Model, call: Call<'_>, effects: &mut Vec<Effect>) {
    tutor::open(model, call.argument, effects);
}

pub(super) fn redraw(_: &mut Model, _: Call<'_>, effects: &mut Vec<Effect>) {
    effects.push(Effect::Redraw);
}

pub(super) fn suspend(_: &mut Model, _: Call<'_>, effects: &mut Vec<Effect>) {
    effects.push(Effect::Suspend);
}

/// Cancels what is in progress. Twice, or where nothing is, it quits.
pub(super) fn interrupt(model: &mut Model, _: Call<'_>, effects: &mut Vec<Effect>) {
    let written = matches!(&model.modal, Some(Modal::Edit(editor)) if editor.has_changed());
    if written && !model.typed.cancelled {
        model.typed.cancelled = true;
        return model.notify("the text is not saved; Ctrl-C again quits and discards it");
    }
    let busy = model.episode().is_some_and(|viewed| viewed.live && viewed.is_busy());
    if busy && !model.typed.cancelled {
        model.typed.cancelled = true;
        session_control::send(model, SessionCommand::Cancel, effects);
        model.notify("cancelled; Ctrl-C again quits");
    } else {
        if model.shown_tutor().is_some() {
            return tutor::leave(model, effects);
        }
        views::leave(model, effects);
    }
}

pub(super) fn quit(model: &mut Model, _: Call<'_>, effects: &mut Vec<Effect>) {
    if model.shown_tutor().is_some() {
        return tutor::leave(model, effects);
    }
    views::leave(model, effects);
}

/// Shows home.
pub(super) fn home(model: &mut Model, _: Call<'_>, effects: &mut Vec<Effect>) {
    home::open(model, effects);
}
