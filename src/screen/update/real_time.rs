//! A person who plays in real time: every interval the action of the last key is played, or the idle action.

use super::session_control::send;
use super::{Effect, navigation};
use crate::model::{EpisodeView, Model, RealTimePlay};
use mageyard_domain::Action;
use mageyard_engine::{SessionCommand, Waiting};

/// Starts the clock of the shown episode, or stops it.
pub(super) fn toggle(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.is_real_time() {
        model.real_time = None;
        return model.notify("the clock is stopped");
    }
    match model.person_clock() {
        Ok(clock) => {
            model.frame.film = None;
            navigation::follow_newest(model);
            model.real_time = Some(RealTimePlay { episode: model.current, next: None });
            effects.push(Effect::FrameTimer(clock.interval));
        }
        Err(why) => model.notify(why),
    }
}

/// Stops the clock; false if it was not running.
pub(super) fn stop(model: &mut Model) -> bool {
    model.real_time.take().is_some()
}

/// Keeps an action for the next interval; false if the clock is not running.
pub(super) fn keep(model: &mut Model, action: &Action) -> bool {
    let on = model.is_real_time();
    if let Some(play) = model.real_time.as_mut().filter(|_| on) {
        play.next = Some(action.clone());
    }
    on
}

/// Plays the action of an interval. While the environment is still at the one before, the clock waits.
pub(super) fn advance(model: &mut Model, effects: &mut Vec<Effect>) {
    if !model.is_real_time() {
        model.real_time = None;
        return;
    }
    let clock = match model.person_clock() {
        Ok(clock) => clock,
        Err(why) => {
            model.real_time = None;
            return model.notify(why);
        }
    };
    effects.push(Effect::FrameTimer(clock.interval));
    let waits = |viewed: &EpisodeView| viewed.snapshot.run.waiting == Waiting::Ask && !viewed.looks_back();
    if model.episode().is_some_and(waits) {
        let next = model.real_time.as_mut().and_then(|play| play.next.take());
        let action = next.unwrap_or_else(|| Action::plain(clock.idle));
        send(model, SessionCommand::Play(vec![action]), effects);
    }
}
