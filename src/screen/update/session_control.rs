//! Sends commands to the session. A notice says why a command is not possible.

use std::time::Duration;

use super::{Effect, navigation, person_sheet, playback, tutor};
use crate::command::CommandId;
use crate::model::{CopyDestination, CopyMenu, EpisodeView, Modal, Model, Palette};
use crate::requests::Request;
use mageyard_domain::Setting;
use mageyard_engine::{Mode, SessionCommand, StepExport, Waiting};
use mageyard_terminal::delay;

/// The delays that `+` and `-` select, in milliseconds.
const PACES: [u64; 10] = [0, 20, 50, 100, 200, 300, 500, 1000, 2000, 5000];

/// Sends a command to the session of the shown episode; false, with a notice, if that is not possible.
pub(crate) fn send(model: &mut Model, order: SessionCommand, effects: &mut Vec<Effect>) -> bool {
    // Keys that are typed ahead are meant for the episode that is being opened.
    if let Some(what) = &model.awaited.play {
        model.notify(format!("{what} is being opened: try again when it is shown"));
        return false;
    }
    match model.episode().map(refusal) {
        Some(None) => {
            // Another command ends the rest of a count.
            if let Some(viewed) = model.episode_mut() {
                viewed.remaining_halves = None;
            }
            // The same fault after this command is shown again.
            if let Some(viewed) = model.episode_mut() {
                viewed.clear_fault();
            }
            if let (SessionCommand::SetBreakpoints(breaks), Some(viewed)) = (&order, model.episode_mut()) {
                viewed.pending_breakpoints = Some(breaks.clone());
            }
            effects.push(Effect::Command(model.current, order));
            if model.shown_tutor().is_none() {
                model.forget_way_back();
            }
            true
        }
        Some(Some(why)) => {
            model.notify(why);
            false
        }
        None => false,
    }
}

pub(super) fn refusal(viewed: &EpisodeView) -> Option<String> {
    match (viewed.live, viewed.snapshot.run.mode, viewed.snapshot.run.waiting) {
        (_, Mode::Recorded, _) => Some("this is a recording: Space plays it, h and l show its steps".into()),
        (_, _, Waiting::Ended(ending)) => Some(format!(
            "the episode is over ({ending}); :restart plays it again, :next plays the next level"
        )),
        (false, ..) => Some("this session has ended".into()),
        _ => None,
    }
}

/// Shows the newest step instead of acting on one that is not shown; true if an earlier step was shown.
fn return_to_newest(model: &mut Model) -> bool {
    let Some(viewed) = model.episode().filter(|viewed| viewed.looks_back()) else { return false };
    let action = viewed.snapshot.steps.last().and_then(|step| step.action.as_ref());
    let next = match (viewed.snapshot.run.waiting, action) {
        (Waiting::Apply, Some(action)) => format!("applies {}", action.label()),
        (Waiting::Ask, _) if !viewed.is_human() => "asks the agent".to_owned(),
        (Waiting::Look, _) => "looks at the environment".to_owned(),
        (Waiting::Settle, _) => "asks what the last action came to".to_owned(),
        (Waiting::Person, _) => "shows the question".to_owned(),
        (Waiting::Verdict, _) => "has the environment judge the episode".to_owned(),
        _ => "acts".to_owned(),
    };
    navigation::follow_newest(model);
    let key = model.key_or_name(CommandId::Step);
    model.notify(format!("back at the newest step; {key} {next}"));
    true
}

/// Plays the level after that of the shown episode.
pub(super) fn next_level(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(level) = model.episode().map(|viewed| viewed.snapshot.head.reference.clone()) else { return };
    match model.names.level_after(&level) {
        Some(next) => {
            let next = next.to_owned();
            model.awaited.play = Some(next.clone());
            effects.push(Effect::Request(Request::OpenLevel(next)));
        }
        None => model.notify(format!("{level} is the last level of its set; :open plays another one")),
    }
}

pub(super) fn step(model: &mut Model, times: u32, effects: &mut Vec<Effect>) {
    if tutor::takes_step(model, effects) {
        return;
    }
    let is_played_out = model.episode().is_some_and(|viewed| viewed.live && viewed.is_over());
    if is_played_out && model.awaited.play.is_none() {
        return next_level(model, effects);
    }
    let may_act = model.episode().is_some_and(|viewed| refusal(viewed).is_none());
    if may_act && return_to_newest(model) {
        return;
    }
    if person_sheet::open(model) {
        return;
    }
    if model.episode().is_some_and(|viewed| viewed.is_human() && viewed.snapshot.run.waiting == Waiting::Ask)
    {
        return explain_human_turn(model);
    }
    if send(model, SessionCommand::Step, effects) {
        let rest = (times > 1).then_some(times - 1);
        if let Some(viewed) = model.episode_mut() {
            viewed.remaining_halves = rest.map(|rest| (rest, viewed.progress()));
        }
    }
}

/// Requests the next half step of a count once the previous one is done.
pub(super) fn next_half(viewed: &mut EpisodeView, number: usize, effects: &mut Vec<Effect>) {
    let Some((rest, before)) = viewed.remaining_halves.take() else { return };
    let now = viewed.progress();
    let stopped = refusal(viewed).is_some() || viewed.snapshot.run.error.is_some();
    match now {
        _ if stopped || rest == 0 => {}
        (_, Waiting::Ask | Waiting::Apply | Waiting::Look) if now != before => {
            effects.push(Effect::Command(number, SessionCommand::Step));
            viewed.remaining_halves = (rest > 1).then_some((rest - 1, now));
        }
        _ => viewed.remaining_halves = Some((rest, before)),
    }
}

/// Tells the human agent how to act: with the arrow keys, or with the list of actions.
fn explain_human_turn(model: &mut Model) {
    let Some(viewed) = model.episode() else { return };
    let global = viewed.snapshot.head.setting == Setting::Global;
    match (viewed.has_arrow_actions(), global) {
        (true, true) => {
            let example = viewed.plan_example();
            return model.notify(format!("you are the agent: enter the whole plan, such as :plan {example}"));
        }
        (true, false) => return model.notify("you are the agent: act with the arrow keys or :act NAME"),
        _ => {}
    }
    let id = if global { CommandId::Plan } else { CommandId::Act };
    model.modal = Some(Modal::Palette(Palette::with(format!("{} ", id.command().name))));
}

pub(super) fn run(model: &mut Model, count: Option<u32>, effects: &mut Vec<Effect>) {
    if playback::applies(model) {
        return playback::toggle(model, count, effects);
    }
    let running = model.episode().is_some_and(EpisodeView::is_running);
    let order = if running && count.is_none() { SessionCommand::Pause } else { SessionCommand::Run(count) };
    if model.episode().is_some_and(|viewed| viewed.is_human() && !viewed.is_over() && !viewed.has_plan()) {
        return explain_human_turn(model);
    }
    let runs = matches!(order, SessionCommand::Run(_));
    if send(model, order, effects) && runs {
        person_sheet::open(model);
    }
}

/// Pauses the shown episode because another one is opened.
pub(super) fn pause_current(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.episode().is_some_and(|viewed| viewed.live && viewed.is_running()) {
        effects.push(Effect::Command(model.current, SessionCommand::Pause));
    }
}

pub(super) fn faster(model: &mut Model, effects: &mut Vec<Effect>) {
    let now = current_pace(model);
    let next = PACES.iter().rev().map(|ms| Duration::from_millis(*ms)).find(|pace| *pace < now);
    pace(model, next, "there is no delay left to shorten", effects);
}

fn current_pace(model: &Model) -> Duration {
    match model.episode() {
        Some(_) if playback::applies(model) => playback::pace(model),
        viewed => viewed.map(EpisodeView::pace).unwrap_or_default(),
    }
}

pub(super) fn slower(model: &mut Model, effects: &mut Vec<Effect>) {
    let now = current_pace(model);
    let next = PACES.iter().map(|ms| Duration::from_millis(*ms)).find(|pace| *pace > now);
    pace(model, next, "this is the longest delay", effects);
}

fn pace(model: &mut Model, next: Option<Duration>, otherwise: &str, effects: &mut Vec<Effect>) {
    let Some(next) = next else { return model.notify(otherwise) };
    if playback::applies(model) {
        return playback::set_pace(model, next);
    }
    if send(model, SessionCommand::SetPace(next), effects) {
        if let Some(viewed) = model.episode_mut() {
            viewed.pending_pace = Some(next);
        }
        model.notify(format!("{} between two steps", delay(next)));
    }
}

/// Sets the delay between two steps, in milliseconds.
pub(super) fn set_delay(model: &mut Model, milliseconds: u64, effects: &mut Vec<Effect>) {
    pace(model, Some(Duration::from_millis(milliseconds)), "", effects);
}

/// Applies the delay of the settings to the session.
pub(super) fn set_pace(model: &mut Model, effects: &mut Vec<Effect>) {
    let pace = model.appearance.settings.pace;
    let other = |viewed: &EpisodeView| viewed.snapshot.run.pace != pace && refusal(viewed).is_none();
    if model.episode().is_some_and(other) {
        effects.push(Effect::Command(model.current, SessionCommand::SetPace(pace)));
        if let Some(viewed) = model.episode_mut() {
            viewed.pending_pace = Some(pace);
        }
    }
}

/// Shows the copy menu with the result of a copy.
pub(super) fn show_copy_result(model: &mut Model, said: String) {
    if let Some(Modal::Copy(copying)) = &mut model.modal {
        copying.message = Some(said);
    } else {
        let menu = CopyMenu { message: Some(said), ..CopyMenu::new(model) };
        model.open_over(Modal::Copy(menu));
    }
}

/// Copies a part by its name.
pub(super) fn copy(model: &mut Model, name: &str, effects: &mut Vec<Effect>) {
    if let Some(extract) = StepExport::from_name(name) {
        return effects.push(Effect::Copy(extract, CopyDestination::Clipboard));
    }
    let names = StepExport::ALL.map(StepExport::name).join(", ");
    model.notify(format!("cannot copy {name:?}; :copy takes {names}"));
}

/// Starts the level again, with the same settings and seed. An episode in progress is kept and can be resumed; it
/// asks first.
pub(super) fn restart(model: &mut Model, effects: &mut Vec<Effect>) {
    if tutor::begins_again(model, effects) {
        return;
    }
    let Some(viewed) = model.episode() else { return };
    if viewed.snapshot.run.mode == Mode::Recorded {
        let reference = mageyard_domain::sanitize(&viewed.snapshot.head.reference).into_owned();
        return model
            .notify(format!("this is a recording; `mageyard play {reference}` starts a new episode"));
    }
    if viewed.is_over() || viewed.snapshot.steps_done() == 0 && !viewed.is_busy() {
        return play_again(model, effects);
    }
    model.modal = Some(Modal::Restart);
}

fn play_again(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(viewed) = model.episode() else { return };
    let head = viewed.snapshot.head.clone();
    model.awaited.play = Some(head.reference.clone());
    effects.push(Effect::Request(Request::Restart(head)));
}

pub(super) fn answer_restart(model: &mut Model, yes: bool, effects: &mut Vec<Effect>) {
    if yes {
        play_again(model, effects);
    } else {
        model.notify("the episode continues");
    }
}

pub(super) fn open_abandon(model: &mut Model) {
    match model.episode().map(refusal) {
        Some(Some(why)) => model.notify(why),
        _ => model.modal = Some(Modal::Abandon),
    }
}

pub(super) fn answer_abandon(model: &mut Model, yes: bool, effects: &mut Vec<Effect>) {
    if yes {
        send(model, SessionCommand::Abandon, effects);
    } else {
        model.notify("the episode was not abandoned");
    }
}
