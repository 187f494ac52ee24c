//! Playback of a recording on the screen: Space plays and pauses, `+` and `-` change the delay.

use std::time::Duration;

use super::{Effect, navigation};
use crate::model::{Model, Playback};
use mageyard_engine::Mode;
use mageyard_terminal::delay;

/// The shortest delay, which leaves time to draw.
const SHORTEST: Duration = Duration::from_millis(10);

/// Whether the shown episode is a recording.
pub(super) fn applies(model: &Model) -> bool {
    model.episode().is_some_and(|viewed| viewed.snapshot.run.mode == Mode::Recorded)
}

/// Plays from the shown step, or from the first one if the newest is shown; pauses if it is playing. With a count it
/// plays so many steps.
pub(super) fn toggle(model: &mut Model, count: Option<u32>, effects: &mut Vec<Effect>) {
    let pace = pace(model);
    let Some(viewed) = model.episode_mut() else { return };
    if viewed.playback.is_some() && count.is_none() {
        viewed.playback = None;
        return;
    }
    if viewed.newest_index() == 0 {
        return model.notify("this recording has no finished step to play");
    }
    viewed.playback = Some(Playback { steps_left: count });
    if !viewed.looks_back() {
        navigation::show_step(model, 0);
    }
    effects.push(Effect::PlaybackTimer(pace.max(SHORTEST)));
}

/// Shows the next step when its time has come; stops at the newest one.
pub(super) fn advance(model: &mut Model, effects: &mut Vec<Effect>) {
    let current = model.current;
    let pace = pace(model);
    let others = model.episodes.iter_mut().enumerate().filter(|(index, _)| *index != current);
    for (_, viewed) in others {
        viewed.playback = None;
    }
    let Some((count, next, newest)) = model
        .episode()
        .and_then(|viewed| Some((viewed.playback?.steps_left, viewed.index() + 1, viewed.newest_index())))
    else {
        return;
    };
    navigation::show_step(model, next.min(newest));
    let left = count.map(|count| count.saturating_sub(1));
    let goes_on = next < newest && left != Some(0);
    if let Some(viewed) = model.episode_mut() {
        viewed.playback = goes_on.then_some(Playback { steps_left: left });
    }
    if goes_on {
        effects.push(Effect::PlaybackTimer(pace.max(SHORTEST)));
    }
}

/// The delay between two steps.
pub(super) fn pace(model: &Model) -> Duration {
    let chosen = model.episode().and_then(|viewed| viewed.playback_pace);
    chosen.unwrap_or(model.appearance.settings.pace)
}

/// Sets the delay, from the next step on.
pub(super) fn set_pace(model: &mut Model, pace: Duration) {
    if let Some(viewed) = model.episode_mut() {
        viewed.playback_pace = Some(pace);
    }
    model.notify(format!("{} between two steps", delay(pace)));
}
