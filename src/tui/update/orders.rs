//! Orders to the session. What cannot be ordered is answered with the reason.

use std::time::Duration;

use super::Effect;
use super::looking;
use crate::domain::Setting;
use crate::domain::Window;
use crate::engine::Breaks;
use crate::engine::Extract;
use crate::engine::Mode;
use crate::engine::Order;
use crate::engine::Waiting;
use crate::tui::command::Deed;
use crate::tui::figures::pause;
use crate::tui::model::Copying;
use crate::tui::model::Model;
use crate::tui::model::Palette;
use crate::tui::model::Sheet;
use crate::tui::model::To;
use crate::tui::model::Viewed;

/// The pauses that `+` and `-` walk through, in milliseconds.
const PACES: [u64; 10] = [0, 20, 50, 100, 200, 300, 500, 1000, 2000, 5000];

/// Sends an order to the episode that is looked at, or says why not.
pub(super) fn send(model: &mut Model, order: Order, effects: &mut Vec<Effect>) -> bool {
    match model.viewed().map(refusal) {
        Some(None) => {
            // Whoever orders something else no longer wants the rest of a count.
            model.viewed_mut().into_iter().for_each(|viewed| viewed.halves = None);
            // A fault that comes again after this is news.
            model.viewed_mut().into_iter().for_each(Viewed::forgive);
            effects.push(Effect::Order(model.at, order));
            true
        }
        Some(Some(why)) => {
            model.remark(why);
            false
        }
        None => false,
    }
}

pub(super) fn refusal(viewed: &Viewed) -> Option<String> {
    match (viewed.live, viewed.snapshot.mode, viewed.snapshot.waiting) {
        (_, Mode::Recorded, _) => Some("this is a recording: it can be looked at, not run".into()),
        (_, _, Waiting::Ended(ending)) => {
            Some(format!("the episode is over ({ending}); :open plays another level"))
        }
        (false, ..) => Some("this session takes no more orders".into()),
        _ => None,
    }
}

pub(super) fn step(model: &mut Model, times: u32, effects: &mut Vec<Effect>) {
    if model.viewed().is_some_and(|viewed| viewed.is_persons() && viewed.snapshot.waiting == Waiting::Ask) {
        return offer(model);
    }
    if send(model, Order::Step, effects) {
        let rest = (times > 1).then_some(times - 1);
        model
            .viewed_mut()
            .into_iter()
            .for_each(|viewed| viewed.halves = rest.map(|rest| (rest, viewed.standing())));
    }
}

/// The next half of a count, once the one before is done: a session takes no second one meanwhile.
pub(super) fn next_half(viewed: &mut Viewed, number: usize, effects: &mut Vec<Effect>) {
    let Some((rest, before)) = viewed.halves.take() else { return };
    let now = viewed.standing();
    let stopped = refusal(viewed).is_some() || viewed.snapshot.fault.is_some();
    match now {
        _ if stopped || rest == 0 => {}
        (_, Waiting::Ask | Waiting::Apply) if now != before => {
            effects.push(Effect::Order(number, Order::Step));
            viewed.halves = (rest > 1).then_some((rest - 1, now));
        }
        _ => viewed.halves = Some((rest, before)),
    }
}

/// Shows a person how to act: by the arrow keys, or, where they name no action, by a list of all.
fn offer(model: &mut Model) {
    let Some(viewed) = model.viewed() else { return };
    let global = viewed.snapshot.head.setting == Setting::Global;
    match (viewed.has_arrows(), global) {
        (true, true) => {
            return model.remark("the seat is yours: write the whole plan, such as :plan Up,Left,Left");
        }
        (true, false) => return model.remark("the seat is yours: the arrow keys act, or :act NAME"),
        _ => {}
    }
    let deed = if global { Deed::Plan } else { Deed::Act };
    model.sheet = Some(Sheet::Palette(Palette::with(format!("{} ", deed.command().name))));
}

pub(super) fn run(model: &mut Model, count: Option<u32>, effects: &mut Vec<Effect>) {
    let running = model.viewed().is_some_and(Viewed::is_running);
    let order = if running && count.is_none() { Order::Pause } else { Order::Run(count) };
    if model.viewed().is_some_and(|viewed| viewed.is_persons() && !viewed.is_over() && !viewed.has_plan()) {
        return offer(model);
    }
    send(model, order, effects);
}

/// The episode that goes out of sight because another is opened stands.
pub(super) fn stand(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.viewed().is_some_and(|viewed| viewed.live && viewed.is_running()) {
        effects.push(Effect::Order(model.at, Order::Pause));
    }
}

pub(super) fn faster(model: &mut Model, effects: &mut Vec<Effect>) {
    let now = model.viewed().map(Viewed::pace).unwrap_or_default();
    let next = PACES.iter().rev().map(|ms| Duration::from_millis(*ms)).find(|pace| *pace < now);
    pace(model, next, "there is no pause left to shorten", effects);
}

pub(super) fn slower(model: &mut Model, effects: &mut Vec<Effect>) {
    let now = model.viewed().map(Viewed::pace).unwrap_or_default();
    let next = PACES.iter().map(|ms| Duration::from_millis(*ms)).find(|pace| *pace > now);
    pace(model, next, "this is the longest pause", effects);
}

fn pace(model: &mut Model, next: Option<Duration>, otherwise: &str, effects: &mut Vec<Effect>) {
    let Some(next) = next else { return model.remark(otherwise) };
    if send(model, Order::Pace(next), effects) {
        model.viewed_mut().into_iter().for_each(|viewed| viewed.pace = Some(next));
        model.remark(format!("{} between two steps", pause(next)));
    }
}

/// Brings the session to the pace of the settings.
pub(super) fn set_pace(model: &mut Model, effects: &mut Vec<Effect>) {
    let pace = model.look.settings.pace;
    let other = |viewed: &Viewed| viewed.snapshot.pace != pace && refusal(viewed).is_none();
    if model.viewed().is_some_and(other) {
        effects.push(Effect::Order(model.at, Order::Pace(pace)));
        model.viewed_mut().into_iter().for_each(|viewed| viewed.pace = Some(pace));
    }
}

/// Changes the memory window by so many outputs or frames. A window that makes no sense is refused
/// in words, never bent into one that does.
pub(super) fn reshape(model: &mut Model, am: i16, om: i16, times: u32, effects: &mut Vec<Effect>) {
    let Some(now) = model.viewed().map(Viewed::window) else { return };
    let times = i16::try_from(times).unwrap_or(i16::MAX);
    let to = |value: u16, by: i16| value.checked_add_signed(by.saturating_mul(times));
    let window = match (to(now.am(), am), to(now.om(), om)) {
        (Some(am), Some(om)) => Window::new(am, om).map_err(|error| error.to_string()),
        (None, _) => Err(format!("AM is {}: there is nothing left to forget", now.am())),
        (_, None) => Err("OM is at least 1: the current frame counts".into()),
    };
    match window {
        Ok(window) if send(model, Order::Window(window), effects) => {
            model.viewed_mut().into_iter().for_each(|viewed| viewed.window = Some(window));
        }
        Ok(_) => {}
        Err(why) => model.remark(why),
    }
}

/// Opens the list of prompt variants, over the request if that is open.
pub(super) fn offer_prompts(model: &mut Model, over: Option<u16>) {
    match model.viewed().map(|viewed| (refusal(viewed), viewed.snapshot.prompts.is_empty())) {
        Some((Some(why), _)) => model.remark(why),
        Some((None, false)) => model.sheet = Some(Sheet::Prompts(over)),
        _ => model.remark("this environment has no prompts"),
    }
}

/// Opens the sheet of breakpoints, where there is something to stand still.
pub(super) fn offer_breaks(model: &mut Model) {
    match model.viewed().map(|viewed| (refusal(viewed), viewed.snapshot.breaks)) {
        Some((None, breaks)) => model.sheet = Some(Sheet::Breaks(breaks)),
        Some((Some(why), _)) => model.remark(why),
        None => {}
    }
}

/// Sets the breakpoints of these names.
pub(super) fn set_breaks(model: &mut Model, names: &str, effects: &mut Vec<Effect>) {
    match names.parse::<Breaks>() {
        Err(why) => model.remark(why),
        Ok(breaks) if send(model, Order::Break(breaks), effects) => {
            model.remark(format!("breakpoints: {breaks}"));
        }
        Ok(_) => {}
    }
}

/// Orders a prompt variant by its name.
pub(super) fn prompt(model: &mut Model, name: &str, effects: &mut Vec<Effect>) {
    let Some(viewed) = model.viewed() else { return };
    let names: Vec<&str> = viewed.snapshot.prompts.iter().map(|prompt| prompt.name.as_str()).collect();
    let why = match refusal(viewed) {
        Some(why) => why,
        None if names.is_empty() => "this environment has no prompts".into(),
        None if !names.contains(&name) => {
            format!("there is no prompt {name:?}; the prompts are {}", names.join(", "))
        }
        None if viewed.snapshot.prompt == name => format!("{name} is the prompt already"),
        None => {
            send(model, Order::Prompt(name.to_owned()), effects);
            format!("{name} from the next request on")
        }
    };
    model.remark(why);
}

/// A person's action by name, so many times.
pub(super) fn play(model: &mut Model, name: &str, times: u32, effects: &mut Vec<Effect>) {
    let Some(viewed) = model.viewed() else { return };
    if viewed.looks_back() {
        looking::follow(model);
        return model.remark("back at the newest step; the next key acts");
    }
    if viewed.has_plan() {
        return model.remark("the plan is being carried out: Enter applies its next action, Space runs it");
    }
    if viewed.snapshot.head.setting == Setting::Global {
        return model.remark("Global: write the whole plan at once, such as :plan Up,Left,Left");
    }
    let Some(step) = viewed.step() else { return model.remark("the environment is still opening") };
    let Some(action) = step.space.find(name) else {
        let names = step.space.names().collect::<Vec<_>>().join(", ");
        return model.remark(format!("{name:?} is no action here; the actions are {names}"));
    };
    for _ in 0..times {
        send(model, Order::Play(vec![action.clone()]), effects);
    }
}

/// A person's whole plan: action names with commas between them, or spaces where no name has one.
pub(super) fn plan(model: &mut Model, written: &str, effects: &mut Vec<Effect>) {
    let Some(viewed) = model.viewed() else { return };
    let Some(step) = viewed.step() else { return model.remark("the environment is still opening") };
    let worded = step.space.names().any(|name| name.contains(' '));
    let parts = written.split(|c| c == ',' || (c == ' ' && !worded));
    let names = parts.map(str::trim).filter(|name| !name.is_empty());
    let read = names.map(|name| step.space.find(name).ok_or(name)).collect::<Result<Vec<_>, _>>();
    let why = match read {
        _ if !viewed.is_persons() => "the seat is not yours: a plan comes from the agent".into(),
        _ if viewed.snapshot.head.setting == Setting::Online => {
            "Online: one action at a time, with the arrow keys or :act NAME".into()
        }
        Ok(actions) if !actions.is_empty() => {
            send(model, Order::Play(actions), effects);
            return;
        }
        Ok(_) => "a plan holds at least one action, such as :plan Up,Left,Left".into(),
        Err(name) => {
            format!(
                "{name:?} is no action here; the actions are {}",
                step.space.names().collect::<Vec<_>>().join(", ")
            )
        }
    };
    model.remark(why);
}

/// A person's action from the palette.
pub(super) fn act(model: &mut Model, name: &str, effects: &mut Vec<Effect>) {
    match model.viewed() {
        Some(viewed) if !viewed.is_persons() => model.remark("the seat is not yours: the agent acts"),
        _ => play(model, name, 1, effects),
    }
}

/// Shows the copy menu with what became of a copy.
pub(super) fn copied(model: &mut Model, said: String) {
    let before = match model.sheet.take() {
        Some(Sheet::Copy(copying)) => copying,
        _ => Copying::default(),
    };
    model.sheet = Some(Sheet::Copy(Copying { said: Some(said), ..before }));
}

/// Copies by name.
pub(super) fn copy(model: &mut Model, name: &str, effects: &mut Vec<Effect>) {
    if let Some(extract) = Extract::named(name) {
        return effects.push(Effect::Copy(extract, To::Clipboard));
    }
    let names = Extract::ALL.map(Extract::name).join(", ");
    model.remark(format!("there is no {name:?} to copy; there are {names}"));
}

pub(super) fn ask_to_abandon(model: &mut Model) {
    match model.viewed().map(refusal) {
        Some(Some(why)) => model.remark(why),
        _ => model.sheet = Some(Sheet::Abandon),
    }
}

pub(super) fn answer_abandon(model: &mut Model, yes: bool, effects: &mut Vec<Effect>) {
    if yes {
        send(model, Order::Abandon, effects);
    } else {
        model.remark("the episode goes on");
    }
}
