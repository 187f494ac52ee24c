//! Has the pictures of a drawing encoded, and takes them when they are ready.

use std::io;
use std::sync::{Arc, Weak};
use std::time::Duration;

use ratatui::layout::{Rect, Size};

use super::detail::{DecidedPicture, Detail};
use super::encoded::EncodedFrame;
use super::encoding::Encoding;
use super::job::{EncodedKey, Encoder, Job, JobKey, Outcome};
use super::placement::Placement;
use super::{FrameCache, PictureRoom, PictureZoom};
use mageyard_domain::Picture;

/// A picture that could not be painted or decoded, and why.
pub(super) struct FailedPicture {
    picture: Weak<Picture>,
    pub(super) why: String,
    /// Whether the newest drawing wants it. One that is wanted again after a while is tried again.
    is_wanted: bool,
}

impl FailedPicture {
    pub(super) fn is_of(&self, picture: &Arc<Picture>) -> bool {
        std::ptr::eq(self.picture.as_ptr(), Arc::as_ptr(picture))
    }
}

impl FrameCache {
    /// Encodes pictures beside the drawing from now on. A drawing waits at most so long for them (three times
    /// as long where bytes count), so that what is quick is drawn at once; what is not ready then leaves its place as it was. `wake` is called, in another thread, when the
    /// screen has to call `take_finished`.
    ///
    /// # Errors
    ///
    /// The thread cannot be started. Pictures are encoded in the drawing then.
    pub fn encode_beside(&mut self, patience: Duration, wake: impl Fn() + Send + 'static) -> io::Result<()> {
        self.encode_beside_with(Encoder::default(), patience, wake)
    }

    pub(super) fn encode_beside_with(
        &mut self,
        encoder: Encoder,
        patience: Duration,
        wake: impl Fn() + Send + 'static,
    ) -> io::Result<()> {
        self.queue.start(encoder, patience, wake)
    }

    /// Takes the pictures that are encoded by now. Returns whether the screen is to be drawn again.
    pub fn take_finished(&mut self) -> bool {
        let mut is_changed = false;
        while let Some(outcome) = self.queue.finished() {
            is_changed |= self.accept(outcome);
        }
        is_changed
    }

    /// Encodes this picture for a place of this size, unless that was done before. Everything that is drawn must be
    /// prepared after the drawing has begun.
    pub fn prepare(&mut self, picture: &Arc<Picture>, room: Size, zoom: PictureZoom) {
        let place = PictureRoom::new(room, self.form, Some(self.cell));
        let Some(shown) = zoom.placement(picture, place) else { return };
        if let Some(failed) = self.failed.iter_mut().find(|failed| failed.is_of(picture)) {
            failed.is_wanted = true;
            return;
        }
        let is_decided = self.decide_detail(picture, shown);
        let detail = self.detail;
        let key = EncodedKey { picture: Arc::downgrade(picture), room, shown, detail };
        self.asked.push(key.clone());
        if self.encoded.touch(|ready| ready.key == key) || !is_decided {
            return;
        }
        let Self { form, cell, tones, .. } = *self;
        self.queue.want(Job::Encode(picture.clone(), key, Encoding { form, cell, tones, detail }));
        self.settle();
    }

    /// Decides how finely pictures are drawn, by how much the first one of this drawing has changed. Returns false while
    /// that is not known.
    fn decide_detail(&mut self, picture: &Arc<Picture>, shown: Placement) -> bool {
        if self.pace.is_none() || std::mem::replace(&mut self.decided.1, true) {
            return !self.is_undecided;
        }
        let is_for = |decided: &DecidedPicture| decided.is_for(picture, shown);
        if self.decided.0.as_ref().is_some_and(is_for) {
            return true;
        }
        let job = Job::Outline(picture.clone(), shown);
        self.outlined = Some(job.key());
        self.queue.want(job);
        self.settle();
        let has_failed = self.failed.iter().any(|failed| failed.is_of(picture));
        self.is_undecided = !has_failed && !self.decided.0.as_ref().is_some_and(is_for);
        !has_failed && !self.is_undecided
    }

    /// Takes what is encoded here, or beside as long as this drawing may wait.
    fn settle(&mut self) {
        while let Some(outcome) = self.queue.next_answer() {
            self.accept(outcome);
        }
    }

    /// Takes what has come of a job. Returns whether the screen looks different with it.
    pub(super) fn accept(&mut self, outcome: Outcome) -> bool {
        match outcome {
            Outcome::Outlined(picture, shown, Ok(small)) => {
                let next = DecidedPicture::new(picture, shown, small);
                let Some(pace) = self.pace.filter(|_| self.outlined == Some(next.key())) else {
                    return false;
                };
                self.detail = Detail::of_change(pace, self.form, next.changed_cells(self.decided.0.as_ref()));
                self.decided.0 = Some(next);
                true
            }
            Outcome::Outlined(picture, _, Err(error)) => self.fail(picture, error.to_string()),
            Outcome::Encoded(key, Err(error)) => self.fail(key.picture, error.to_string()),
            Outcome::Encoded(_, Ok(None)) => false,
            Outcome::Encoded(key, Ok(Some(content))) => {
                let number = self.last_number + 1;
                if !self.asked.contains(&key) && !self.places.stand_in(&key, number) {
                    return false;
                }
                self.last_number = number;
                let ready = EncodedFrame { number, key, content };
                let bytes = ready.bytes();
                self.encoded.insert(ready, bytes);
                self.is_fresh = true;
                true
            }
            Outcome::Patched(patches) => {
                self.patches.add(patches);
                true
            }
        }
    }

    fn fail(&mut self, picture: Weak<Picture>, why: String) -> bool {
        self.failed.push(FailedPicture { picture, why, is_wanted: true });
        true
    }

    /// Forgets the failures of pictures that the last drawing did not want.
    pub(super) fn forget_failures(&mut self) {
        self.failed.retain_mut(|failed| std::mem::take(&mut failed.is_wanted));
    }

    /// What is drawn of a picture at a place: the picture, or what was there while the picture is encoded.
    pub(super) fn ready_for(&self, picture: &Arc<Picture>, area: Rect) -> Option<&EncodedFrame> {
        let key = self.asked.iter().find(|key| key.is_for(picture) && key.room == area.as_size())?;
        let ready = self.encoded.find(|ready| ready.key == *key).or_else(|| {
            self.places.wait(area, key);
            let kept = self.places.kept_at(area)?;
            self.encoded.find(|ready| ready.number == kept)
        })?;
        self.places.draw(area, ready.number);
        Some(ready)
    }

    /// Begins the places of a drawing: what they may keep stays in the cache.
    pub(super) fn begin_places(&mut self) {
        let queue = &self.queue;
        self.places.begin(|key| queue.does(&JobKey::Encode(key.clone())));
        for number in self.places.kept() {
            self.encoded.touch(|ready| ready.number == number);
        }
    }
}
