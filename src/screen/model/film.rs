//! Frames in real time: the film of the shown step, of which one frame is shown, and a person who plays by the clock.

use std::sync::Arc;
use std::time::Duration;

use super::{EpisodeView, Model};
use mageyard_domain::{Action, Film, FilmFrame, ObservationInspector, RealTime};
use mageyard_terminal::count_of;

/// A frame of the film of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FilmPosition {
    /// The index of the episode.
    pub(crate) episode: usize,
    /// The number of the step.
    pub(crate) step: u32,
    /// The index of the frame.
    pub(crate) frame: usize,
    /// Whether the next frame follows by itself.
    pub(crate) is_playing: bool,
}

/// A person who plays in real time.
#[derive(Clone, Debug)]
pub(crate) struct RealTimePlay {
    /// The index of the episode.
    pub(crate) episode: usize,
    /// The action of the last key, for the next interval.
    pub(crate) next: Option<Action>,
}

impl Model {
    /// The position in the film of the shown step; `None` while the step is shown as usual.
    pub(crate) fn film_position(&self) -> Option<FilmPosition> {
        let step = self.episode().and_then(EpisodeView::step)?.number;
        self.frame.film.filter(|at| at.episode == self.current && at.step == step)
    }

    /// Whether a person plays the shown episode in real time.
    pub(crate) fn is_real_time(&self) -> bool {
        self.real_time.as_ref().is_some_and(|play| play.episode == self.current)
    }

    /// The clock of the shown episode, or why a person cannot play it in real time.
    pub(crate) fn person_clock(&self) -> Result<RealTime, String> {
        let Some(viewed) = self.episode() else { return Err("no episode is open".into()) };
        let clock = viewed.snapshot.presentation.inspector.and_then(ObservationInspector::real_time);
        let Some(clock) = clock else {
            return Err("this environment has no clock: it waits for each action".into());
        };
        if !viewed.is_human() {
            return Err("you are not the agent of this episode: only a person plays in real time".into());
        }
        if viewed.is_over() {
            return Err("the episode is over".into());
        }
        if viewed.step().is_some_and(|step| step.space.spec(clock.idle).is_none()) {
            return Err(format!("real time needs the action {}: set {}", clock.idle, clock.settings));
        }
        Ok(clock)
    }

    /// The frame of the film that is shown in place of the observation.
    pub(crate) fn film_frame(&self) -> Option<&FilmFrame> {
        self.shown_film()?.frames.get(self.film_position()?.frame)
    }

    /// The film of the shown step, if it has one.
    pub(crate) fn shown_film(&self) -> Option<&Arc<Film>> {
        self.film_of(self.episode()?.step()?)
    }

    /// What the frame pane says of the film: `frame 3 of 10, 0.3 s, playing`.
    pub(crate) fn film_label(&self) -> Option<String> {
        let film = self.shown_film()?;
        let at = self.film_position()?;
        let seconds = time_of(film, at.frame + 1).as_secs_f64();
        let playing = if at.is_playing { "playing" } else { "paused" };
        Some(format!("film: frame {} of {}, {seconds:.1} s, {playing}", at.frame + 1, film.frames.len()))
    }

    /// What the frame pane says of a step whose film is not shown: `10 frames (1.0 s): . and F show them`.
    pub(crate) fn film_offer(&self, keys: &str) -> Option<String> {
        let film = self.shown_film()?;
        let seconds = time_of(film, film.frames.len()).as_secs_f64();
        Some(format!("{} ({seconds:.1} s): {keys}", count_of(film.frames.len(), "frame")))
    }
}

/// The real time of so many frames.
fn time_of(film: &Film, frames: usize) -> Duration {
    film.interval.saturating_mul(u32::try_from(frames).unwrap_or(u32::MAX))
}
