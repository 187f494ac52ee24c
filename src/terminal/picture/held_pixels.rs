//! Pixels of magnified pictures, which are not decoded again for each movement.

use std::sync::{Arc, Weak};

use mageyard_domain::{Picture, PictureError};

/// The most bytes of pixels that are kept.
const MOST_BYTES: usize = 64 << 20;

/// The pixels of the pictures that were magnified last, oldest first.
#[derive(Default)]
pub(super) struct HeldPixels(Vec<(Weak<Picture>, Arc<Vec<u8>>)>);

impl HeldPixels {
    /// The pixels of a picture, kept or decoded.
    pub(super) fn of(&self, picture: &Arc<Picture>) -> Result<Arc<Vec<u8>>, PictureError> {
        let held = self.0.iter().find(|(held, _)| is_of(held, picture)).map(|(_, pixels)| pixels.clone());
        held.map_or_else(|| picture.pixels(), Ok)
    }

    /// Keeps the pixels of a magnified picture, and drops those of others that are gone.
    pub(super) fn keep(&mut self, picture: &Arc<Picture>, pixels: Arc<Vec<u8>>, is_magnified: bool) {
        self.0.retain(|(held, _)| held.strong_count() > 0 && !is_of(held, picture));
        if is_magnified {
            self.0.push((Arc::downgrade(picture), pixels));
        }
        while self.0.iter().map(|(_, pixels)| pixels.len()).sum::<usize>() > MOST_BYTES {
            self.0.remove(0);
        }
    }
}

fn is_of(held: &Weak<Picture>, picture: &Arc<Picture>) -> bool {
    std::ptr::eq(held.as_ptr(), Arc::as_ptr(picture))
}
