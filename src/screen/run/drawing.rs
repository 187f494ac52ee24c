//! Drawing at most once per frame time, and suspending the screen.

use std::time::Duration;

use ratatui::layout::Rect;
use tokio::time::Instant;

use super::screen::Screen;
use crate::view;
use mageyard_engine::{LiveReplySnapshot, PersonClock, Wait, Waiting};
use mageyard_terminal::{Canvas, QUESTION, ScreenError, SuspendTarget};

/// Minimum time between two frames.
const MIN_FRAME_TIME: Duration = Duration::from_millis(10);

impl<C: Canvas> Screen<'_, C> {
    /// Draws if the model changed and the frame time has passed; otherwise returns when to draw.
    pub(super) fn draw_if_due(&mut self) -> Result<Option<Instant>, ScreenError> {
        if !self.model.dirty || self.suspended {
            return Ok(None);
        }
        let now = Instant::now();
        let frame_time = self.last_drawn.map(|drawn| drawn + MIN_FRAME_TIME).filter(|due| *due > now);
        match frame_time.max(self.link.busy_until(now)) {
            Some(due) => Ok(Some(due)),
            None => self.draw(now).map(|()| None),
        }
    }

    fn draw(&mut self, now: Instant) -> Result<(), ScreenError> {
        let size = self.canvas.size()?;
        let before = self.canvas.written();
        if std::mem::replace(&mut self.model.size, size) != size {
            self.frame_cache.forget_screen();
        }
        self.model.wait = self.shown_wait().and_then(|reply| reply.wait(now)).filter(is_long);
        let counts = !self.model.has_reduced_motion();
        let words = |clock: PersonClock| if counts { clock.words(now) } else { clock.uncounted() };
        self.model.clock = self.shown_clock().map(words);
        let Self { model, frame_cache: gallery, canvas, .. } = self;
        self.link.set(model.device.link.setting);
        model.update_link(&self.link, &self.traffic, now);
        model.prepare();
        let (form, _) = model.picture_form();
        let settings = model.appearance.settings;
        let placeholders = model.device.report.takes_placeholders(settings.surroundings());
        if !gallery.has_form(form, model.device.report.cell, placeholders) {
            let freed = gallery.set_form(form, model.device.report.cell, placeholders, settings.tmux);
            canvas.write_sequence(&freed)?;
        }
        gallery.set_pace(self.link.pace());
        view::prepare_frame(model, Rect::new(0, 0, model.size.width, model.size.height), gallery);
        let mut sequences = String::new();
        let mut sent = now;
        canvas.draw(&mut |area, buffer| {
            view::draw(model, gallery, area, buffer);
            sequences = gallery.finish(buffer);
            // The time of drawing is not that of the link.
            sent = Instant::now();
        })?;
        // The text is on the screen first.
        if canvas.written() > before && self.link.asks() {
            sequences.push_str(QUESTION);
        }
        if !sequences.is_empty() {
            canvas.write_sequence(&sequences)?;
        }
        let bytes = canvas.written() - before;
        self.link.sent(bytes, sent);
        let steps = self.model.episode().map_or(0, |viewed| viewed.snapshot.steps.len());
        self.traffic.add(bytes, steps, now);
        self.model.dirty = self.frame_cache.has_more();
        self.last_drawn = Some(now);
        Ok(())
    }

    /// When the seconds of a shown wait or of a person's clock change. Nothing else wakes an idle screen.
    pub(super) fn next_second(&self) -> Option<Instant> {
        let now = Instant::now();
        let wait = self.shown_wait().and_then(|reply| reply.next_second(now));
        let clock = self.shown_clock().map(|clock| clock.next_second(now));
        [wait, clock].into_iter().flatten().min().filter(|_| !self.suspended)
    }

    /// The clock of the person who is to decide in the shown episode.
    fn shown_clock(&self) -> Option<PersonClock> {
        self.model.episode().filter(|viewed| viewed.live)?.snapshot.run.clock
    }

    /// The reply that the shown episode waits for.
    fn shown_wait(&self) -> Option<&LiveReplySnapshot> {
        let snapshot = &self.model.episode()?.snapshot;
        snapshot.run.live_reply.as_ref().filter(|_| snapshot.run.waiting == Waiting::Reply)
    }

    pub(super) fn suspend(&mut self, whom: SuspendTarget) -> Result<(), ScreenError> {
        if !self.suspended {
            self.suspended = true;
            self.await_answers();
            self.canvas.suspend(whom)?;
        }
        Ok(())
    }

    /// Sets the terminal up again, which may be in any state.
    pub(super) fn resume(&mut self) -> Result<(), ScreenError> {
        self.canvas.resume()?;
        self.frame_cache.forget_screen();
        self.suspended = false;
        self.model.size = self.canvas.size()?;
        self.model.dirty = true;
        Ok(())
    }
}

/// Whether a wait is worth showing: every retry, and a reply that has not begun for a while.
fn is_long(wait: &Wait) -> bool {
    !matches!(wait, Wait::Reply { seconds: 0..=1, .. })
}
