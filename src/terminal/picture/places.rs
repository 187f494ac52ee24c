//! Which picture was drawn last at which place, so that the place can keep it until the next one is ready.

use std::cell::RefCell;

use ratatui::layout::Rect;

use super::job::EncodedKey;

/// The places of a screen.
#[derive(Default)]
pub(super) struct Places {
    /// The numbers of the encoded pictures that the drawing before this one has drawn.
    before: Vec<(Rect, u64)>,
    drawn: RefCell<Vec<(Rect, u64)>>,
    /// The pictures that places wait for, or have waited for.
    awaited: RefCell<Vec<Awaited>>,
}

struct Awaited {
    key: EncodedKey,
    place: Rect,
    /// Whether the newest drawing waits for it.
    is_new: bool,
}

impl Places {
    /// Begins a drawing. Of what places waited for, this is still to come.
    pub(super) fn begin(&mut self, is_coming: impl Fn(&EncodedKey) -> bool) {
        self.before = std::mem::take(self.drawn.get_mut());
        let awaited = self.awaited.get_mut();
        awaited.retain(|awaited| is_coming(&awaited.key));
        for awaited in awaited {
            awaited.is_new = false;
        }
    }

    /// The numbers of the pictures that places may keep.
    pub(super) fn kept(&self) -> impl Iterator<Item = u64> {
        self.before.iter().map(|(_, number)| *number)
    }

    /// The number of the picture that a place may keep.
    pub(super) fn kept_at(&self, place: Rect) -> Option<u64> {
        self.before.iter().find(|(area, _)| *area == place).map(|(_, number)| *number)
    }

    /// A place shows the picture of this number now.
    pub(super) fn draw(&self, place: Rect, number: u64) {
        self.drawn.borrow_mut().push((place, number));
    }

    /// A place waits for a picture.
    pub(super) fn wait(&self, place: Rect, key: &EncodedKey) {
        self.awaited.borrow_mut().push(Awaited { key: key.clone(), place, is_new: true });
    }

    /// A picture was encoded for a place that waits for a newer one. Returns whether it stands in until then.
    pub(super) fn stand_in(&mut self, key: &EncodedKey, number: u64) -> bool {
        let awaited = self.awaited.get_mut();
        let Some(place) = awaited.iter().find(|awaited| awaited.key == *key).map(|awaited| awaited.place)
        else {
            return false;
        };
        if !awaited.iter().any(|awaited| awaited.place == place && awaited.is_new) {
            return false;
        }
        let drawn = self.drawn.get_mut();
        drawn.retain(|(area, _)| *area != place);
        drawn.push((place, number));
        true
    }
}
