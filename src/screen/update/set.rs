//! `:set NAME=VALUE`: changes a setting of the running session, or says why it does not change.

use super::commands::{Origin, call};
use super::{Effect, branches, next_request, session_control};
use crate::model::{EpisodeView, Model};
use crate::requests::SuggestedValue;
use crate::settings::{Change, find};
use mageyard_domain::sanitize;
use mageyard_engine::SessionCommand;

/// The longest delay between two steps, in milliseconds.
const MAX_PACE: u64 = 600_000;

/// Changes the setting that these words name: `NAME=VALUE` or `NAME VALUE`.
pub(super) fn set(model: &mut Model, words: &str, effects: &mut Vec<Effect>) {
    let (name, value) = words.split_once(['=', ' ']).unwrap_or((words, ""));
    let (name, value) = (name.trim(), value.trim());
    let setting = match find(name) {
        Ok(setting) => setting,
        Err(why) => return model.notify(sanitize(&why).into_owned()),
    };
    if value.is_empty() {
        return model.notify(format!("{}: {}", setting.name, setting.about()));
    }
    match setting.change {
        Change::Actions | Change::Frames => {
            let is_actions = setting.change == Change::Actions;
            next_request::set_window(model, (is_actions, value), effects);
        }
        Change::Pace => match value.parse().ok().filter(|pace| *pace <= MAX_PACE) {
            Some(pace) => session_control::set_delay(model, pace, effects),
            None => model.notify(format!("pace is a delay in milliseconds, 0 to {MAX_PACE}")),
        },
        Change::By(id) => call(model, id, value, Origin::Line, effects),
        Change::Agent => change_agent(model, (setting.name, value), effects),
        Change::Branch => branches::open_sheet(model, &format!("{}={value}", setting.name), effects),
    }
}

/// Changes a setting of the agent that decides, from the next request on.
fn change_agent(model: &mut Model, (name, value): (&str, &str), effects: &mut Vec<Effect>) {
    if !model.episode().is_some_and(EpisodeView::sends_requests) {
        return model.notify(format!("{name} is a setting of requests, and this agent sends none"));
    }
    if value.contains(char::is_whitespace) {
        return model.notify(format!("the value of {name} has no blanks"));
    }
    let Some(agent) = model.episode().map(|viewed| viewed.snapshot.agent().name.clone()) else { return };
    let setting = SuggestedValue { name: name.to_owned(), value: value.to_owned() };
    if set_of_agent(model, &agent, &[setting], effects) {
        model.notify(sanitize(&format!("{name} is {value} from the next request on")).into_owned());
    }
}

/// This agent decides with these settings from the next request on; false, with a notice, if that is not possible.
pub(crate) fn set_of_agent(
    model: &mut Model,
    agent: &str,
    settings: &[SuggestedValue],
    effects: &mut Vec<Effect>,
) -> bool {
    let words = settings.iter().map(|setting| format!(" {}={}", setting.name, setting.value));
    let words = format!("{agent}{}", words.collect::<String>());
    session_control::send(model, SessionCommand::Seat(words, None), effects)
}
