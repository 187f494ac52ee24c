//! Changes what holds from the next request or step on: the memory window, the prompt, the breakpoints. A notice says why
//! a change is not possible.

use crate::requests::Request;
use std::sync::Arc;

use ratatui::text::Span;

use super::session_control::{refusal, send};
use super::{Effect, preview};
use crate::command::CommandId;
use crate::model::{Modal, Model, Palette};
use mageyard_config::Problem;
use mageyard_dialog::History;
use mageyard_domain::{Window, sanitize};
use mageyard_engine::{Breakpoints, ConditionError, Known, SessionCommand};

/// Changes AM and OM. An invalid window is refused with the reason, never adjusted.
pub(super) fn change_window(model: &mut Model, am: i16, om: i16, times: u32, effects: &mut Vec<Effect>) {
    let Some(viewed) = model.episode() else { return };
    let now = viewed.window();
    if viewed.snapshot.head.layout.history == History::State {
        let am = now.am();
        let om = now.om();
        let why = "requests have no history, the newest observation has the files that the agent wrote";
        return model.notify(format!("the window is fixed at AM {am}, OM {om}: {why}"));
    }
    let times = i16::try_from(times).unwrap_or(i16::MAX);
    let to = |value: u16, by: i16| value.checked_add_signed(by.saturating_mul(times));
    let window = match (to(now.am(), am), to(now.om(), om)) {
        (Some(am), Some(om)) => Window::new(am, om).map_err(|error| error.to_string()),
        (None, _) => Err(format!("AM is {} and cannot be reduced further", now.am())),
        (_, None) => Err("OM is at least 1, because the current frame counts".into()),
    };
    order_window(model, window, effects);
}

/// Sets AM (true) or OM to a written number.
pub(super) fn set_window(model: &mut Model, (is_actions, value): (bool, &str), effects: &mut Vec<Effect>) {
    let Some(viewed) = model.episode() else { return };
    let now = viewed.window();
    let window = match value.parse() {
        Ok(am) if is_actions => Window::new(am, now.om()),
        Ok(om) => Window::new(now.am(), om),
        Err(_) => return model.notify(format!("{} is a number", if is_actions { "AM" } else { "OM" })),
    };
    order_window(model, window.map_err(|error| error.to_string()), effects);
}

fn order_window(model: &mut Model, window: Result<Window, String>, effects: &mut Vec<Effect>) {
    match window {
        Ok(window) if preview::applies(model) => preview::window(model, window),
        Ok(window) if send(model, SessionCommand::SetWindow(window), effects) => {
            if let Some(viewed) = model.episode_mut() {
                viewed.pending_window = Some(window);
            }
        }
        Ok(_) => {}
        Err(why) => model.notify(why),
    }
}

/// Opens the list of prompt variants, over the request dialog if that is open.
pub(super) fn open_prompts(model: &mut Model) {
    let previews = preview::applies(model);
    match model.episode().map(|viewed| (refusal(viewed), viewed.snapshot.requests.prompts.is_empty())) {
        Some((_, false)) if previews => model.open_over(Modal::Prompts),
        Some((Some(why), _)) if !previews => model.notify(why),
        Some((None, false)) => model.open_over(Modal::Prompts),
        _ => model.notify("this environment has no prompts"),
    }
}

/// Opens the list of breakpoints, if the episode can run.
pub(super) fn open_breakpoints(model: &mut Model) {
    match model.episode().map(|viewed| (refusal(viewed), viewed.breakpoints().clone())) {
        Some((None, breaks)) => model.modal = Some(Modal::Breaks(breaks)),
        Some((Some(why), _)) => model.notify(why),
        None => {}
    }
}

/// Adds the breakpoints of this text; `none` removes all. False if the text is wrong. What names a recording, an agent or
/// a branch is read by the program that started the screen, which answers later.
pub(super) fn add_breakpoints(model: &mut Model, text: &str, effects: &mut Vec<Effect>) -> bool {
    match text.parse::<Breakpoints>() {
        Ok(added) if added.sessions().next().is_some() || added.need_services() => {
            effects.push(Effect::Request(Request::ReadBreakpoints(text.to_owned())));
            true
        }
        Ok(added) => {
            set_breakpoints(model, added, effects);
            true
        }
        Err(error) => {
            refuse_condition(model, text, &error);
            false
        }
    }
}

/// The breakpoints of a text were read. A wrong text can be corrected where it was typed.
pub(super) fn breakpoints_read(
    model: &mut Model,
    text: &str,
    answer: Result<Breakpoints, Problem>,
    effects: &mut Vec<Effect>,
) {
    match answer {
        Ok(added) => set_breakpoints(model, added, effects),
        Err(problem) => {
            let place = problem.location.map(|place| place.span);
            let error = ConditionError {
                message: problem.message,
                span: place.clone().unwrap_or(0..0),
                help: problem.help,
            };
            refuse_condition(model, text, &error);
            if model.modal.is_none() && !model.appearance.settings.linear {
                let input = format!("{} {text}", CommandId::Break.command().name);
                model.modal = Some(Modal::Palette(Palette::refused_at(input, place)));
            }
        }
    }
}

/// Says what is wrong in a condition, and where. The linear mode has a caret under the place.
pub(super) fn refuse_condition(model: &mut Model, text: &str, error: &ConditionError) {
    let place = text.get(error.span.clone()).filter(|place| !place.is_empty());
    let words = place.map_or_else(String::new, |place| format!(", at {place}"));
    let help = error.help.as_ref().map_or_else(String::new, |help| format!("; {help}"));
    if model.appearance.settings.linear {
        let width = |text: Option<&str>| Span::raw(sanitize(text.unwrap_or_default())).width();
        let caret = "^".repeat(width(place).max(1));
        model.notify(sanitize(text).into_owned());
        model.notify(format!("{}{caret}", ".".repeat(width(text.get(..error.span.start)))));
    }
    model.notify(sanitize(&format!("{}{words}{help}", error.message)).into_owned());
}

/// Adds these breakpoints to those that are set; none removes all.
fn set_breakpoints(model: &mut Model, added: Breakpoints, effects: &mut Vec<Effect>) {
    let Some(viewed) = model.episode() else { return };
    let prices = Known { prices: model.appearance.prices.clone(), ..Known::default() };
    let before = if added.is_empty() { Breakpoints::default() } else { viewed.breakpoints().clone() };
    let breaks = before.with(added);
    let known = breaks.known().with(&prices);
    let breaks = breaks.knowing(Arc::new(known));
    let words = sanitize(&format!("breakpoints: {breaks}")).into_owned();
    if send(model, SessionCommand::SetBreakpoints(breaks), effects) {
        model.notify(words);
    }
}

/// Orders a prompt variant by its name.
pub(super) fn prompt(model: &mut Model, name: &str, effects: &mut Vec<Effect>) {
    let Some(viewed) = model.episode() else { return };
    let names: Vec<&str> =
        viewed.snapshot.requests.prompts.iter().map(|prompt| prompt.name.as_str()).collect();
    let previews = preview::applies(model);
    let why = match refusal(viewed) {
        Some(why) if !previews => why,
        _ if names.is_empty() => "this environment has no prompts".into(),
        _ if !names.contains(&name) => {
            format!("there is no prompt {name:?}; the prompts are {}", names.join(", "))
        }
        _ if viewed.prompt() == name => format!("{name} is already the prompt"),
        _ if previews => return preview::prompt(model, name),
        _ => {
            send(model, SessionCommand::SetPrompt(name.to_owned()), effects);
            format!("{name} is used from the next request on")
        }
    };
    model.notify(why);
}
