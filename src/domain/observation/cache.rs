//! What was computed from the source of an observation, and the observations that have no source.

use std::sync::{Arc, OnceLock};

use serde_json::Value;

use super::super::Digest;
use super::{ObservationPart, ObservationSource};

/// A source with the values that were computed from it.
pub(super) trait Cached: Send + Sync {
    fn cache(&self) -> &ObservationCache;
    fn source(&self) -> &dyn ObservationSource;
    /// The digest of what identifies the state, if that is not all of it.
    fn identity(&self) -> Option<Digest> {
        self.source().identity()
    }
    /// The same source with an empty cache; `None` if the values cannot be computed again.
    fn emptied(&self) -> Option<Arc<dyn Cached>>;
}

/// A source and the values computed from it.
pub(super) struct CachedSource<S> {
    pub(super) cache: ObservationCache,
    pub(super) source: S,
}

/// The values of an observation that are known.
#[derive(Default)]
pub(super) struct ObservationCache {
    pub(super) digest: OnceLock<Digest>,
    pub(super) text: OnceLock<Arc<str>>,
    pub(super) facts: OnceLock<Value>,
    pub(super) parts: OnceLock<Vec<ObservationPart>>,
}

impl ObservationCache {
    pub(super) fn with_digest(digest: impl Into<OnceLock<Digest>>) -> Self {
        Self { digest: digest.into(), ..Self::default() }
    }

    /// Whether it has more than the digest, which takes no memory of its own.
    pub(super) fn holds_memory(&self) -> bool {
        self.text.get().is_some() || self.facts.get().is_some() || self.parts.get().is_some()
    }
}

impl<S> CachedSource<S> {
    pub(super) fn new(source: S) -> Self {
        Self { cache: ObservationCache::default(), source }
    }
}

impl<S: ObservationSource + Clone + 'static> Cached for CachedSource<S> {
    fn cache(&self) -> &ObservationCache {
        &self.cache
    }

    fn source(&self) -> &dyn ObservationSource {
        &self.source
    }

    fn emptied(&self) -> Option<Arc<dyn Cached>> {
        let cache = ObservationCache::with_digest(self.cache.digest.clone());
        Some(Arc::new(Self { cache, source: self.source.clone() }))
    }
}

/// Values that were given, and are not computed from a source.
pub(super) struct GivenValues(pub(super) ObservationCache);

impl Cached for GivenValues {
    fn cache(&self) -> &ObservationCache {
        &self.0
    }

    fn source(&self) -> &dyn ObservationSource {
        &NoSource
    }

    fn identity(&self) -> Option<Digest> {
        self.0.facts.get().and_then(identity_of)
    }

    fn emptied(&self) -> Option<Arc<dyn Cached>> {
        None
    }
}

/// The digest of the fact `identity`, if there is one: of its text, else of its compact JSON.
pub fn identity_of(facts: &Value) -> Option<Digest> {
    match facts.get("identity")? {
        Value::String(text) => Some(Digest::of(text.as_bytes())),
        other => Some(Digest::of(other.to_string().as_bytes())),
    }
}

/// The source of an observation whose values are all given.
struct NoSource;

impl ObservationSource for NoSource {
    fn parts(&self) -> Vec<ObservationPart> {
        Vec::new()
    }

    fn text(&self) -> String {
        String::new()
    }

    fn facts(&self) -> Value {
        Value::Null
    }
}
