//! What an agent is shown at a step: told when somebody asks, and each part of it once.

use std::fmt;
use std::sync::Arc;
use std::sync::OnceLock;

use serde_json::Value;

use super::Digest;
use super::Picture;

/// One piece of an observation, in the order in which it is shown.
#[derive(Clone, Debug)]
pub enum Part {
    /// Words.
    Text(Arc<str>),
    /// A frame.
    Picture(Arc<Picture>),
}

/// A state as its environment keeps it, small, to be told of when somebody asks. It never changes, so each part
/// is asked for at most once.
pub trait Scene: Send + Sync {
    /// What a multimodal agent is shown, in order.
    fn parts(&self) -> Vec<Part>;
    /// The same state in plain text, for agents without eyes and terminals without colour.
    fn text(&self) -> String;
    /// The same state as data, for policies. Never part of a request to a model.
    fn facts(&self) -> Value;
    /// Writes the bytes that the digest covers, in pieces of any size: the text, a zero byte, and the facts as compact
    /// JSON. A scene that can do so without making either may, byte for byte; `false`, with nothing written, leaves
    /// it to text and facts.
    fn imprint(&self, _write: &mut dyn FnMut(&[u8])) -> bool {
        false
    }
}

/// Everything an environment tells at a step. Cheap to clone; what was told once is kept for all clones.
#[derive(Clone)]
pub struct Observation(Arc<Kept<dyn Scene>>);

/// A scene with what has been told of it.
struct Kept<S: ?Sized> {
    told: Told,
    scene: S,
}

#[derive(Default)]
struct Told {
    digest: OnceLock<Digest>,
    text: OnceLock<Arc<str>>,
    facts: OnceLock<Value>,
    parts: OnceLock<Vec<Part>>,
}

impl<S> Kept<S> {
    fn new(scene: S) -> Self {
        Self { told: Told::default(), scene }
    }
}

/// Where a world shows its scenes one after the other. It takes the memory of the last observation again when nobody
/// holds that any more, so a world that is looked at and let go asks for no memory. What somebody holds never changes.
#[derive(Clone)]
pub struct Slate<S>(Arc<Kept<S>>);

impl<S: Scene + Clone + 'static> Slate<S> {
    /// A slate with this scene on it.
    pub fn new(scene: S) -> Self {
        Self(Arc::new(Kept::new(scene)))
    }

    /// Shows the last scene as `change` leaves it.
    pub fn show(&mut self, change: impl FnOnce(&mut S)) -> Observation {
        if let Some(Kept { told, scene }) = Arc::get_mut(&mut self.0) {
            *told = Told::default();
            change(scene);
        } else {
            let mut scene = self.0.scene.clone();
            change(&mut scene);
            *self = Self::new(scene);
        }
        Observation(self.0.clone())
    }
}

impl Observation {
    /// What this scene shows.
    pub fn of(scene: impl Scene + 'static) -> Self {
        Self(Arc::new(Kept::new(scene)))
    }

    /// What has been told already: the parts, the text and the facts, as [`Scene`] has them.
    pub fn told(parts: Vec<Part>, text: impl Into<Arc<str>>, facts: impl Into<Value>) -> Self {
        let (text, facts) = (text.into().into(), facts.into().into());
        let told = Told { digest: OnceLock::new(), text, facts, parts: parts.into() };
        Self(Arc::new(Kept { told, scene: Over }))
    }

    /// What a multimodal agent is shown, in order.
    pub fn parts(&self) -> &[Part] {
        self.0.told.parts.get_or_init(|| self.0.scene.parts())
    }

    /// The same state in plain text, for agents without eyes and terminals without colour.
    pub fn text(&self) -> &Arc<str> {
        self.0.told.text.get_or_init(|| self.0.scene.text().into())
    }

    /// The same state as data, for policies. Never part of a request to a model.
    pub fn facts(&self) -> &Value {
        self.0.told.facts.get_or_init(|| self.0.scene.facts())
    }

    /// The first picture, if the environment paints any.
    pub fn picture(&self) -> Option<&Arc<Picture>> {
        self.parts().iter().find_map(|part| match part {
            Part::Picture(picture) => Some(picture),
            Part::Text(_) => None,
        })
    }

    /// The fingerprint of the state (text and facts). Pictures stay out of it, so that a frame
    /// painted more beautifully by a later version does not make an old journal invalid.
    pub fn digest(&self) -> Digest {
        *self.0.told.digest.get_or_init(|| {
            let mut hash = blake3::Hasher::new();
            let written = self.0.scene.imprint(&mut |bytes| _ = hash.update(bytes));
            if !written {
                hash.update(self.text().as_bytes()).update(&[0]).update(self.facts().to_string().as_bytes());
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

/// The scene of which everything has been told.
struct Over;

impl Scene for Over {
    fn parts(&self) -> Vec<Part> {
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

    use super::*;

    /// Counts how often it is asked; its imprint, if it has one, is another than that of text and facts.
    struct Asked {
        times: Arc<[AtomicU32; 4]>,
        imprint: Option<Vec<u8>>,
    }

    impl Asked {
        fn count(&self, what: usize) {
            self.times[what].fetch_add(1, Ordering::Relaxed);
        }
    }

    impl Scene for Asked {
        fn parts(&self) -> Vec<Part> {
            self.count(0);
            vec![Part::Text("a part".into())]
        }

        fn text(&self) -> String {
            self.count(1);
            "a text".to_owned()
        }

        fn facts(&self) -> Value {
            self.count(2);
            json!({"b": 1, "a": [2, 3]})
        }

        fn imprint(&self, write: &mut dyn FnMut(&[u8])) -> bool {
            self.count(3);
            self.imprint.iter().for_each(|imprint| imprint.chunks(2).for_each(&mut *write));
            self.imprint.is_some()
        }
    }

    fn asked(imprint: Option<&[u8]>) -> (Observation, impl Fn() -> [u32; 4]) {
        let times: Arc<[AtomicU32; 4]> = Arc::default();
        let seen = Observation::of(Asked { times: times.clone(), imprint: imprint.map(<[u8]>::to_vec) });
        (seen, move || times.each_ref().map(|time| time.load(Ordering::Relaxed)))
    }

    #[test]
    fn nothing_is_told_before_somebody_asks_and_then_once_for_all_clones() {
        let (seen, times) = asked(Some(b"short"));
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
    fn a_digest_covers_the_text_a_zero_and_the_facts() {
        let expected = Digest::of(b"a text\0{\"b\":1,\"a\":[2,3]}");
        assert_eq!(asked(None).0.digest(), expected);
        let told = Observation::told(vec![], "a text", json!({"b": 1, "a": [2, 3]}));
        assert_eq!((told.digest(), &**told.text()), (expected, "a text"));
    }

    #[derive(Clone)]
    struct Number(u32);

    impl Scene for Number {
        fn parts(&self) -> Vec<Part> {
            vec![Part::Text(self.text().into())]
        }

        fn text(&self) -> String {
            self.0.to_string()
        }

        fn facts(&self) -> Value {
            self.0.into()
        }
    }

    /// All that an observation tells.
    fn all(seen: &Observation) -> String {
        format!("{} {} {} {:?}", seen.digest(), seen.text(), seen.facts(), seen.parts())
    }

    #[test]
    fn a_slate_is_wiped_when_nobody_looks_and_never_under_somebodys_eyes() {
        let mut slate = Slate::new(Number(0));
        let place = |seen: &Observation| Arc::as_ptr(&seen.0).cast::<u8>();
        let mut count = || slate.show(|number| number.0 += 1);
        let first = count();
        let (told, at) = (all(&first), place(&first));
        assert_eq!(told, all(&Observation::of(Number(1))));
        drop(first);
        let held = count();
        assert_eq!(
            (all(&held), place(&held)),
            (all(&Observation::of(Number(2))), at),
            "the same place, wiped"
        );
        let late = held.clone();
        drop(held);
        let mut twin = slate.clone();
        let (next, other) = (slate.show(|number| number.0 = 9), twin.show(|number| number.0 = 5));
        assert_eq!((&**next.text(), &**other.text()), ("9", "5"), "copies of a slate go their own ways");
        assert_eq!(all(&late), all(&Observation::of(Number(2))), "what is held stays");
    }
}
