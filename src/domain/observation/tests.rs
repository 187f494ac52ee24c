//! Tests of observations: what is computed when, and what the digest covers.

use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::json;

use super::super::{BlobHandle, BlobStore, MemoryBlobStore};
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
        if let Some(imprint) = &self.imprint {
            imprint.chunks(2).for_each(&mut *write);
        }
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
    assert_eq!((seen.digest(), seen.emptied().is_none()), (Digest::of(b"short"), true), "nothing to free");
    assert_eq!((&**seen.for_one_use().text(), seen.emptied().is_none()), ("a text", true), "nothing is kept");
    let text = seen.text().clone();
    let facts = seen.facts().clone();
    let emptied = seen.emptied().unwrap();
    assert!(Arc::ptr_eq(seen.for_one_use().text(), &text), "what is cached is shared");
    drop(seen);
    assert_eq!(Arc::strong_count(&text), 1, "the cached text is freed");
    assert_eq!((emptied.digest(), emptied.text(), emptied.facts()), (Digest::of(b"short"), &text, &facts));
    assert_eq!(times(), [0, 3, 2, 1]);
    assert!(Observation::from_parts(vec![], "a text", Value::Null).emptied().is_none(), "given values stay");
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
    let digest = |parts: Vec<ObservationPart>| Observation::from_parts(parts, "a text", Value::Null).digest();
    let painted = |shade: u8| ObservationPart::Image(Picture::new(1, 1, 1, vec![shade; 3]).unwrap().into());
    let bare = digest(vec![]);
    assert_eq!(digest(vec![painted(1)]), bare);
    assert_eq!(digest(vec![ObservationPart::Text("b".into())]), bare);
    let (one, two) =
        (|| ObservationPart::Image(image(b"one").into()), || ObservationPart::Image(image(b"two").into()));
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
    let told = everything(&first);
    let at = place(&first);
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
    let next = slate.update(|number| number.0 = 9);
    let other = twin.update(|number| number.0 = 5);
    assert_eq!((&**next.text(), &**other.text()), ("9", "5"), "clones of a buffer are independent");
    assert_eq!(
        everything(&late),
        everything(&Observation::from_source(Number(2))),
        "a held observation does not change"
    );
}
