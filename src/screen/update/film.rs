//! The film of the shown step: its frames one by one, or in real time. Looking at it never changes the run.

use super::Effect;
use crate::model::{EpisodeView, FilmPosition, Model};

/// Shows a later or an earlier frame of the film, from its first one; false if the shown step has no film.
pub(super) fn step(model: &mut Model, by: isize) -> bool {
    let Some(last) = last_frame(model) else { return false };
    let Some(at) = model.film_position() else {
        show(model, if by < 0 { last } else { 0 }, false);
        return true;
    };
    let to = at.frame.saturating_add_signed(by).min(last);
    if to == at.frame {
        model.notify(if by < 0 {
            "this is the first frame of the film"
        } else {
            "this is the last frame of the film"
        });
    }
    show(model, to, false);
    true
}

/// Plays the film from the shown frame, or from its first one; pauses it if it is playing.
pub(super) fn toggle(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(last) = last_frame(model) else {
        return model.notify(
            "this step has no film: there are no frames between the observation before and this one",
        );
    };
    model.real_time = None;
    if model.has_reduced_motion() {
        return show_next(model, last);
    }
    match model.film_position() {
        Some(at) if at.is_playing => show(model, at.frame, false),
        at => {
            let from = at.map_or(0, |at| at.frame);
            show(model, if from == last { 0 } else { from }, true);
            start_timer(model, effects);
        }
    }
}

/// Shows one frame more; the first one follows the last.
fn show_next(model: &mut Model, last: usize) {
    let next = model.film_position().map_or(0, |at| if at.frame < last { at.frame + 1 } else { 0 });
    show(model, next, false);
}

/// Shows the frame of a film that is playing after so many intervals: those in between are late and left out. After the
/// last one the step is shown as usual.
pub(super) fn advance(model: &mut Model, intervals: u32, effects: &mut Vec<Effect>) {
    let at = model.film_position().filter(|at| at.is_playing);
    let intervals = usize::try_from(intervals).unwrap_or(usize::MAX);
    let next = at.map(|at| at.frame.saturating_add(intervals));
    let next = next.filter(|next| last_frame(model).is_some_and(|last| *next <= last));
    match next {
        Some(next) => {
            show(model, next, true);
            start_timer(model, effects);
        }
        // A film that was paused stays.
        None if at.is_some() => model.frame.film = None,
        None => {}
    }
}

/// Shows the step as usual; false if its film was not shown.
pub(super) fn leave(model: &mut Model) -> bool {
    let shown = model.film_position().is_some();
    model.frame.film = None;
    shown
}

fn show(model: &mut Model, frame: usize, is_playing: bool) {
    let step = model.episode().and_then(EpisodeView::step).map(|step| step.number);
    model.frame.film = step.map(|step| FilmPosition { episode: model.current, step, frame, is_playing });
}

fn start_timer(model: &Model, effects: &mut Vec<Effect>) {
    effects.extend(model.shown_film().map(|film| Effect::FrameTimer(film.interval)));
}

fn last_frame(model: &Model) -> Option<usize> {
    model.shown_film()?.frames.len().checked_sub(1)
}
