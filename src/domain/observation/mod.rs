//! Observations, computed on first use and cached.
//!
//! The digest of an observation covers text, facts, and media type and digest of every stored part. Painted pictures are
//! left out, because they follow from the state: better tiles do not invalidate old journals.
//!
//! Usually it also says which state was observed: two different screenshots are two states. A live surface whose picture
//! changes by itself, such as by a blinking caret, names what identifies its state in the fact `identity` (for a page its
//! address and its tree); [`Observation::state`] is then the digest of that.

mod buffer;
mod cache;
mod part;
mod replaced_frame;
#[cfg(test)]
mod tests;

use std::any::Any;
use std::fmt;
use std::sync::{Arc, OnceLock};

use serde_json::Value;

use self::cache::{Cached, CachedSource, GivenValues, ObservationCache};
use self::replaced_frame::ReplacedFrame;
use super::{Digest, Picture};

pub use self::buffer::ObservationBuffer;
pub use self::cache::identity_of;
pub use self::part::{ObservationPart, PartId, PartKind};

/// A small immutable state from which an observation is computed on demand. The results are cached until
/// [`Observation::emptied`].
pub trait ObservationSource: Send + Sync {
    /// The texts, images and data for a multimodal agent, in order. An observation without parts is shown as its text.
    fn parts(&self) -> Vec<ObservationPart>;
    /// The state as plain text, for agents without images and for terminals. It includes what the texts among the
    /// parts say.
    fn text(&self) -> String;
    /// The state as data, for policies. Never part of a request to a model.
    fn facts(&self) -> Value;
    /// An optional fast path for the digest: writes the same bytes as the text, a zero byte and the facts as
    /// compact JSON, in chunks of any size, and returns `true`. `false`, with nothing written, means that the
    /// digest is computed from text, facts and stored parts; a source with stored parts returns `false`.
    fn hash_into(&self, _write: &mut dyn FnMut(&[u8])) -> bool {
        false
    }
    /// The digest of what identifies the state, if that is not all of the observation.
    fn identity(&self) -> Option<Digest> {
        None
    }
    /// The source itself, if the environment's own policies and viewers read more from it than the facts.
    fn as_any(&self) -> Option<&dyn Any> {
        None
    }
}

/// The observation of one step. Cheap to clone; clones share the cache.
#[derive(Clone)]
pub struct Observation(Arc<dyn Cached>);

impl Observation {
    /// The observation of this source.
    pub fn from_source(scene: impl ObservationSource + Clone + 'static) -> Self {
        Self(Arc::new(CachedSource::new(scene)))
    }

    /// The observation of this source, whose state was recorded: the source need not be read for it.
    pub fn recorded(state: Digest, source: impl ObservationSource + Clone + 'static) -> Self {
        match source.identity() {
            Some(_) => Self::from_source(source),
            None => Self::with_digest(state, source),
        }
    }

    fn with_digest(digest: Digest, source: impl ObservationSource + Clone + 'static) -> Self {
        Self(Arc::new(CachedSource { cache: ObservationCache::with_digest(digest), source }))
    }

    /// An observation with these parts, text and facts; see [`ObservationSource`].
    pub fn from_parts(
        parts: Vec<ObservationPart>,
        text: impl Into<Arc<str>>,
        facts: impl Into<Value>,
    ) -> Self {
        let text = text.into().into();
        let facts = facts.into().into();
        Self(Arc::new(GivenValues(ObservationCache {
            digest: OnceLock::new(),
            text,
            facts,
            parts: parts.into(),
        })))
    }

    /// The observation without what was computed from its source, which is computed again when it is asked for. `None`
    /// if nothing was computed, or nothing can be computed again. Clones keep their memory.
    pub fn emptied(&self) -> Option<Self> {
        self.0.cache().holds_memory().then(|| self.0.emptied()).flatten().map(Self)
    }

    /// The observation for one use: what is computed from it is freed with it. Values that are cached already are
    /// shared.
    #[must_use]
    pub fn for_one_use(&self) -> Self {
        let used = self.0.cache().holds_memory();
        Some(()).filter(|()| !used).and_then(|()| self.0.emptied()).map_or_else(|| self.clone(), Self)
    }

    /// The same observation with this picture in place of the first one. Digest and state are unchanged.
    #[must_use]
    pub fn with_frame(&self, picture: Arc<Picture>) -> Self {
        Self::with_digest(self.digest(), ReplacedFrame { seen: self.clone(), picture })
    }

    /// The texts, images and data for a multimodal agent, in order.
    pub fn parts(&self) -> &[ObservationPart] {
        self.0.cache().parts.get_or_init(|| self.0.source().parts())
    }

    /// The state as plain text, for agents without images and for terminals.
    pub fn text(&self) -> &Arc<str> {
        self.0.cache().text.get_or_init(|| self.0.source().text().into())
    }

    /// The state as data, for policies. Never part of a request to a model.
    pub fn facts(&self) -> &Value {
        self.0.cache().facts.get_or_init(|| self.0.source().facts())
    }

    /// The source, if it is of this type and offers itself ([`ObservationSource::as_any`]).
    pub fn source<S: Any>(&self) -> Option<&S> {
        self.0.source().as_any()?.downcast_ref()
    }

    /// The number of leading parts that belong to the task and are the same at every step: the fact `task_parts`, 0 if
    /// there is none.
    pub fn task_parts(&self) -> usize {
        let count = self.facts().get("task_parts").and_then(Value::as_u64);
        count.and_then(|count| usize::try_from(count).ok()).unwrap_or(0)
    }

    /// The images among the parts with their indices, in order.
    pub fn images(&self) -> impl Iterator<Item = (u16, &Arc<Picture>)> {
        (0..).zip(self.parts()).filter_map(|(index, part)| match part {
            ObservationPart::Image(picture) => Some((index, picture)),
            ObservationPart::Text(_) | ObservationPart::Data(_) => None,
        })
    }

    /// The first image, if there is one.
    pub fn picture(&self) -> Option<&Arc<Picture>> {
        self.images().next().map(|(_, picture)| picture)
    }

    /// Which state was observed: equal observations are of equal states, and observations that differ in nothing that
    /// identifies the state are too.
    pub fn state(&self) -> Digest {
        self.0.identity().unwrap_or_else(|| self.digest())
    }

    /// The digest of the observation: text, facts, and the stored parts. Painted pictures are excluded, so that old journals
    /// remain valid when a later version paints frames differently.
    pub fn digest(&self) -> Digest {
        *self.0.cache().digest.get_or_init(|| {
            let mut hash = blake3::Hasher::new();
            let written = self.0.source().hash_into(&mut |bytes| _ = hash.update(bytes));
            if !written {
                hash.update(self.text().as_bytes()).update(&[0]).update(self.facts().to_string().as_bytes());
                // The facts have no zero byte, so the parts cannot be taken for a part of them.
                for blob in self.parts().iter().filter_map(ObservationPart::blob) {
                    let media = &blob.blob().media_type;
                    let digest = blob.blob().digest;
                    hash.update(&[0])
                        .update(media.as_bytes())
                        .update(&[0])
                        .update(digest.to_string().as_bytes());
                }
            }
            Digest::from(&hash)
        })
    }
}

impl fmt::Debug for Observation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Observation({})", self.digest())
    }
}
