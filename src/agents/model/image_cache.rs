//! The encoded images that the agents of a process share. Episodes of one level begin with the same frame, and an action
//! often leads back to a frame that was sent before; scaling and encoding it again takes longer than all other work of a
//! request.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use super::lock::lock;
use mageyard_domain::SentImage;

/// The largest amount of encoded images in one generation, in bytes.
const GENERATION_BYTES: usize = 16 << 20;

/// The hash of everything that an encoded image depends on; long enough that no two images share it.
pub(super) type ImageKey = blake3::Hash;

/// Encoded images in two generations: when the younger one is full, the older one is dropped. An image that is used
/// again becomes young. Clones share the same images.
#[derive(Clone, Default)]
pub(super) struct ImageCache(Arc<Mutex<Generations>>);

#[derive(Default)]
struct Generations {
    young: HashMap<ImageKey, SentImage>,
    old: HashMap<ImageKey, SentImage>,
    young_bytes: usize,
}

impl ImageCache {
    /// The image of this key, if it is known.
    pub(super) fn get(&self, key: &ImageKey) -> Option<SentImage> {
        let mut images = lock(&self.0);
        if let Some(image) = images.young.get(key) {
            return Some(image.clone());
        }
        let image = images.old.remove(key)?;
        images.insert(*key, image.clone());
        Some(image)
    }

    /// Keeps an image.
    pub(super) fn insert(&self, key: ImageKey, image: SentImage) {
        lock(&self.0).insert(key, image);
    }
}

impl Generations {
    fn insert(&mut self, key: ImageKey, image: SentImage) {
        if self.young_bytes > 0 && self.young_bytes + image.bytes.len() > GENERATION_BYTES {
            self.old = std::mem::take(&mut self.young);
            self.young_bytes = 0;
        }
        self.young_bytes += image.bytes.len();
        if let Some(before) = self.young.insert(key, image) {
            self.young_bytes -= before.bytes.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mageyard_domain::{BlobRef, PartId};

    fn key(number: u8) -> ImageKey {
        blake3::hash(&[number])
    }

    #[test]
    fn images_that_are_used_stay_and_the_cache_is_bounded() {
        let cache = ImageCache::default();
        let bytes: Arc<[u8]> = vec![7; GENERATION_BYTES / 4].into();
        let blob = BlobRef::of("image/png", &bytes);
        let image = SentImage { part: PartId { step: 1, index: 0 }, blob, size: (1, 1), bytes };
        for number in 0..40 {
            cache.insert(key(number), image.clone());
            assert!(cache.get(&key(0)).is_some(), "used each time, at {number}");
        }
        let kept = {
            let images = lock(&cache.0);
            images.young.len() + images.old.len()
        };
        assert!((4..=8).contains(&kept), "{kept} with 4 in a generation");
        assert!(cache.get(&key(5)).is_none());
    }
}
