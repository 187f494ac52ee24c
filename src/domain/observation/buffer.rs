//! Observations that are made one after another in the same memory.

use std::sync::Arc;

use super::cache::{CachedSource, ObservationCache};
use super::{Observation, ObservationSource};

/// Creates successive observations of a world. It reuses the memory of the last observation if that has been
/// dropped, so a world whose observations are dropped allocates nothing. Held observations never change.
#[derive(Clone)]
pub struct ObservationBuffer<S>(Arc<CachedSource<S>>);

impl<S: ObservationSource + Clone + 'static> ObservationBuffer<S> {
    /// A buffer with this initial source.
    pub fn new(scene: S) -> Self {
        Self(Arc::new(CachedSource::new(scene)))
    }

    /// Changes the source and returns its observation.
    pub fn update(&mut self, change: impl FnOnce(&mut S)) -> Observation {
        if let Some(CachedSource { cache: told, source: scene }) = Arc::get_mut(&mut self.0) {
            *told = ObservationCache::default();
            change(scene);
        } else {
            let mut scene = self.0.source.clone();
            change(&mut scene);
            *self = Self::new(scene);
        }
        Observation(self.0.clone())
    }
}
