//! Observations, computed on first use and cached.

use std::fmt;
use std::sync::Arc;
use std::sync::OnceLock;

use serde::Deserialize;
use serde::Serialize;
use serde_json::Value;

use super::BlobHandle;
use super::Digest;
use super::Picture;

/// One part of an observation.
#[derive(Clone, Debug)]
pub enum ObservationPart {
    /// A text.
    Text(Arc<str>),
    /// A frame.
    Image(Arc<Picture>),
    /// Other data: a page's tree, a file. Sent to a model as text if its media type is a kind of text.
    Data(BlobHandle),
}

/// The kind of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PartKind {
    /// A text.
    Text,
    /// An image.
    Image,
    /// Other data.
    Data,
}

/// A part of an episode's observations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PartId {
    /// The step, from 1.
    pub step: u32,
    /// The index among the parts of its observation, from 0.
    #[serde(default)]
    pub index: u16,
}

impl ObservationPart {
    /// The kind of the part.
    pub fn kind(&self) -> PartKind {
        match self {
            Self::Text(_) => PartKind::Text,
            Self::Image(_) => PartKind::Image,
            Self::Data(_) => PartKind::Data,
        }
    }

    /// The blob that holds the part; `None` for a text and a painted picture.
    pub fn blob(&self) -> Option<&BlobHandle> {
        match self {
            Self::Text(_) => None,
            Self::Image(picture) => picture.blob(),
            Self::Data(blob) => Some(blob),
        }
    }
}

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
}

/// The observation of one step. Cheap to clone; clones share the cache.
#[derive(Clone)]
pub struct Observation(Arc<dyn Cached>);

/// A source with the values that were computed from it.
trait Cached: Send + Sync {
    fn cache(&self) -> &ObservationCache;
    fn source(&self) -> &dyn ObservationSource;
    /// The same source with an empty cache; `None` if the values cannot be computed again.
    fn emptied(&self) -> Option<Arc<dyn Cached>>;
}

/// A source and the values computed from it.
struct CachedSource<S> {
    cache: ObservationCache,
    source: S,
}

#[derive(Default)]
struct ObservationCache {
    digest: OnceLock<Digest>,
    text: OnceLock<Arc<str>>,
    facts: OnceLock<Value>,
    parts: OnceLock<Vec<ObservationPart>>,
}

impl ObservationCache {
    fn with_digest(digest: impl Into<OnceLock<Digest>>) -> Self {
        Self { digest: digest.into(), ..Self::default() }
    }

    /// Whether it has more than the digest, which takes no memory of its own.
    fn holds_memory(&self) -> bool {
        self.text.get().is_some() || self.facts.get().is_some() || self.parts.get().is_some()
    }
}

impl<S> CachedSource<S> {
    fn new(source: S) -> Self {
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

impl Observation {
    /// The observation of this source.
    pub fn from_source(scene: impl ObservationSource + Clone + 'static) -> Self {
        Self(Arc::new(CachedSource::new(scene)))
    }

    /// The observation of this source, with a digest that was recorded: the source need not be read for it.
    pub fn recorded(digest: Digest, source: impl ObservationSource + Clone + 'static) -> Self {
        Self(Arc::new(CachedSource { cache: ObservationCache::with_digest(digest), source }))
    }

    /// An observation with these parts, text and facts; see [`ObservationSource`].
    pub fn from_parts(
        parts: Vec<ObservationPart>,
        text: impl Into<Arc<str>>,
        facts: impl Into<Value>,
    ) -> Self {
        let (text, facts) = (text.into().into(), facts.into().into());
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

    /// The digest of the state: text, facts, and the stored parts. Painted pictures are excluded, so that old journals
    /// remain valid when a later version paints frames differently.
    pub fn digest(&self) -> Digest {
        *self.0.cache().digest.get_or_init(|| {
            let mut hash = blake3::Hasher::new();
            let written = self.0.source().hash_into(&mut |bytes| _ = hash.update(bytes));
            if !written {
                hash.update(self.text().as_bytes()).update(&[0]).update(self.facts().to_string().as_bytes());
                // The facts have no zero byte, so the parts cannot be taken for a part of them.
                for blob in self.parts().iter().filter_map(ObservationPart::blob) {
                    let (media, digest) = (&blob.blob().media_type, blob.blob().digest);
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

/// Values that were given, and are not computed from a source.
struct GivenValues(ObservationCache);

impl Cached for GivenValues {
    fn cache(&self) -> &ObservationCache {
        &self.0
    }

    fn source(&self) -> &dyn ObservationSource {
        &NoSource
    }

    fn emptied(&self) -> Option<Arc<dyn Cached>> {
        None
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU32;
    use std::sync::atomic::Ordering;

    use serde_json::json;

    use super::super::BlobStore;
    use super::super::MemoryBlobStore;
    use super::*;

    /// Counts its calls. Its hash input, if set, differs from text and facts.
    #[derive(Clone)]
    struct CountingSource {
        times: Arc<[AtomicU32; 4]>,
        imprint: Option<Vec<u8>>,
    }

    impl CountingSource {
        fn count(&self, what: usize) {
            self.times[what].fetch_add(1, Ordering::Relaxed);
        }
    }

    impl ObservationSource for CountingSource {
        fn parts(&self) -> Vec<ObservationPart> {
            self.count(0);
            vec![ObservationPart::Text("a part".into())]
        }

        fn text(&self) -> String {
            self.count(1);
            "a text".to_owned()
        }

        fn facts(&self) -> Value {
            self.count(2);
            json!({"b": 1, "a": [2, 3]})
        }

        fn hash_into(&self, write: &mut dyn FnMut(&[u8])) -> bool {
            self.count(3);
            self.imprint.iter().for_each(|imprint| imprint.chunks(2).for_each(&mut *write));
            self.imprint.is_some()
        }
    }

    fn counting_source(imprint: Option<&[u8]>) -> (Observation, impl Fn() -> [u32; 4]) {
        let times: Arc<[AtomicU32; 4]> = Arc::default();
        let seen = Observation::from_source(CountingSource {
            times: times.clone(),
            imprint: imprint.map(<[u8]>::to_vec),
        });
        (seen, move || times.each_ref().map(|time| time.load(Ordering::Relaxed)))
    }

    #[test]
    fn parts_are_computed_on_first_use_and_shared_by_clones() {
        let (seen, times) = counting_source(Some(b"short"));
        let twin = seen.clone();
        assert_eq!(times(), [0; 4]);
        assert_eq!((seen.digest(), twin.digest()), (Digest::of(b"short"), Digest::of(b"short")));
        assert_eq!(times(), [0, 0, 0, 1], "a digest makes neither text nor facts");
        assert_eq!((&**seen.text(), &**twin.text()), ("a text", "a text"));
        assert!(Arc::ptr_eq(seen.text(), twin.text()));
        assert_eq!((seen.facts(), twin.facts()), (&json!({"b": 1, "a": [2, 3]}), twin.facts()));
        assert_eq!((seen.parts().len(), twin.parts().len(), seen.picture()), (1, 1, None));
        assert_eq!(times(), [1; 4]);
    }

    #[test]
    fn an_emptied_observation_computes_its_values_again_and_keeps_its_digest() {
        let (seen, times) = counting_source(Some(b"short"));
        assert_eq!(
            (seen.digest(), seen.emptied().is_none()),
            (Digest::of(b"short"), true),
            "nothing to free"
        );
        assert_eq!(
            (&**seen.for_one_use().text(), seen.emptied().is_none()),
            ("a text", true),
            "nothing is kept"
        );
        let (text, facts) = (seen.text().clone(), seen.facts().clone());
        let emptied = seen.emptied().unwrap();
        assert!(Arc::ptr_eq(seen.for_one_use().text(), &text), "what is cached is shared");
        drop(seen);
        assert_eq!(Arc::strong_count(&text), 1, "the cached text is freed");
        assert_eq!(
            (emptied.digest(), emptied.text(), emptied.facts()),
            (Digest::of(b"short"), &text, &facts)
        );
        assert_eq!(times(), [0, 3, 2, 1]);
        assert!(
            Observation::from_parts(vec![], "a text", Value::Null).emptied().is_none(),
            "given values stay"
        );
    }

    #[test]
    fn a_digest_covers_the_text_a_zero_and_the_facts() {
        let expected = Digest::of(b"a text\0{\"b\":1,\"a\":[2,3]}");
        assert_eq!(counting_source(None).0.digest(), expected);
        let told = Observation::from_parts(vec![], "a text", json!({"b": 1, "a": [2, 3]}));
        assert_eq!((told.digest(), &**told.text()), (expected, "a text"));
    }

    #[test]
    fn stored_parts_are_a_part_of_the_state_and_painted_pictures_are_not() {
        let store: Arc<dyn BlobStore> = Arc::new(MemoryBlobStore::default());
        let data = |media: &str, bytes: &[u8]| BlobHandle::store(&store, media, bytes).unwrap();
        let image = |bytes: &[u8]| Picture::stored(data("image/png", bytes), (1, 1), 1).unwrap();
        let digest =
            |parts: Vec<ObservationPart>| Observation::from_parts(parts, "a text", Value::Null).digest();
        let painted =
            |shade: u8| ObservationPart::Image(Picture::new(1, 1, 1, vec![shade; 3]).unwrap().into());
        let bare = digest(vec![]);
        assert_eq!(digest(vec![painted(1)]), bare);
        assert_eq!(digest(vec![ObservationPart::Text("b".into())]), bare);
        let (one, two) = (
            || ObservationPart::Image(image(b"one").into()),
            || ObservationPart::Image(image(b"two").into()),
        );
        let states = [
            bare,
            digest(vec![one()]),
            digest(vec![two()]),
            digest(vec![one(), two()]),
            digest(vec![two(), one()]),
            digest(vec![ObservationPart::Data(data("text/html", b"one"))]),
            digest(vec![ObservationPart::Data(data("text/html", b"two"))]),
        ];
        assert_eq!(states.iter().collect::<std::collections::HashSet<_>>().len(), states.len(), "{states:?}");
        assert_eq!(digest(vec![one(), painted(3)]), states[1]);
    }

    #[derive(Clone)]
    struct Number(u32);

    impl ObservationSource for Number {
        fn parts(&self) -> Vec<ObservationPart> {
            vec![ObservationPart::Text(self.text().into())]
        }

        fn text(&self) -> String {
            self.0.to_string()
        }

        fn facts(&self) -> Value {
            self.0.into()
        }
    }

    /// All values of an observation as text.
    fn everything(seen: &Observation) -> String {
        format!("{} {} {} {:?}", seen.digest(), seen.text(), seen.facts(), seen.parts())
    }

    #[test]
    fn a_buffer_is_reused_only_while_no_observation_is_held() {
        let mut slate = ObservationBuffer::new(Number(0));
        let place = |seen: &Observation| Arc::as_ptr(&seen.0).cast::<u8>();
        let mut count = || slate.update(|number| number.0 += 1);
        let first = count();
        let (told, at) = (everything(&first), place(&first));
        assert_eq!(told, everything(&Observation::from_source(Number(1))));
        drop(first);
        let held = count();
        assert_eq!(
            (everything(&held), place(&held)),
            (everything(&Observation::from_source(Number(2))), at),
            "the same memory, reused"
        );
        let late = held.clone();
        drop(held);
        let mut twin = slate.clone();
        let (next, other) = (slate.update(|number| number.0 = 9), twin.update(|number| number.0 = 5));
        assert_eq!((&**next.text(), &**other.text()), ("9", "5"), "clones of a buffer are independent");
        assert_eq!(
            everything(&late),
            everything(&Observation::from_source(Number(2))),
            "a held observation does not change"
        );
    }
}
