//! Frames, those in processes of their own included.

use libtest_mimic::Trial;
use mageyard::browser::web::{FrameInfo, WebFault, WebSession};
use serde_json::{Value, json};

use super::{opened, value};
use crate::harness::trial;

pub(super) fn list() -> Vec<Trial> {
    vec![
        trial("web::frames::frames_of_other_processes_are_reached", other_processes),
        trial("web::frames::the_element_of_a_frame_is_reached", the_element_of_a_frame),
        trial("web::frames::a_removed_frame_is_a_fault", a_removed_frame),
    ]
}

/// The frames, as soon as there are this many and all have loaded.
async fn frames(session: &WebSession, count: usize) -> Vec<FrameInfo> {
    session.settle().await;
    let frames = session.frames().await.unwrap();
    assert_eq!(frames.len(), count, "{frames:?}");
    frames
}

fn of<'a>(frames: &'a [FrameInfo], url: &str) -> &'a FrameInfo {
    frames.iter().find(|frame| frame.url == url).unwrap_or_else(|| panic!("no {url} in {frames:?}"))
}

async fn title(session: &WebSession, frame: &FrameInfo) -> Value {
    session.evaluate(&frame.id, "() => document.title", &json!(null)).await.unwrap()
}

async fn other_processes() {
    let session = opened("http://outer.test/").await;
    let frames = frames(&session, 4).await;
    let [outer, inner, deep, same] =
        ["http://outer.test/", "http://inner.test/", "http://deep.test/", "about:srcdoc"]
            .map(|url| of(&frames, url).clone());
    assert_eq!((&frames[0], &frames[0].parent), (&outer, &None));
    assert_eq!((&inner.parent, &deep.parent), (&Some(outer.id.clone()), &Some(inner.id.clone())));
    assert_eq!(same.parent, Some(outer.id.clone()));
    let place = |frame: &FrameInfo| frames.iter().position(|other| other.id == frame.id).unwrap();
    assert!(place(&outer) < place(&inner) && place(&inner) < place(&deep));
    assert_eq!(title(&session, &inner).await, json!("Inner"));
    assert_eq!(title(&session, &deep).await, json!("Deep"));
    let text = session.evaluate(&same.id, "() => document.body.innerText", &json!(null)).await;
    assert_eq!(text.unwrap(), json!("same"));
    // A click goes to the frame that is there.
    session.click_at(30.0, 110.0).await.unwrap();
    session.settle().await;
    assert_eq!(title(&session, &inner).await, json!("pressed"));
    assert_eq!(title(&session, &outer).await, json!("Outer"));
}

async fn the_element_of_a_frame() {
    let session = opened("http://outer.test/").await;
    let frames = frames(&session, 4).await;
    let inner = of(&frames, "http://inner.test/");
    let deep = of(&frames, "http://deep.test/");
    let function = "function (more) { const at = this.getBoundingClientRect(); \
                    return [this.tagName, at.left + more, at.top, location.host] }";
    let found = session.evaluate_on_owner(&inner.id, function, &json!(1)).await.unwrap();
    assert_eq!(found, json!(["IFRAME", 21, 100, "outer.test"]));
    let found = session.evaluate_on_owner(&deep.id, function, &json!(0)).await.unwrap();
    assert_eq!((&found[0], &found[3]), (&json!("IFRAME"), &json!("inner.test")));
    let main = session.evaluate_on_owner(&frames[0].id, function, &json!(0)).await;
    assert_eq!(main, Err(WebFault::NoFrame(frames[0].id.clone())));
}

async fn a_removed_frame() {
    let session = opened("http://outer.test/").await;
    let inner = of(&frames(&session, 4).await, "http://inner.test/").clone();
    value(&session, "void document.getElementById('first').remove()").await;
    frames(&session, 2).await;
    let gone = session.evaluate(&inner.id, "() => 1", &json!(null)).await;
    assert_eq!(gone, Err(WebFault::NoFrame(inner.id.clone())));
    let gone = session.evaluate_on_owner(&inner.id, "() => 1", &json!(null)).await;
    assert_eq!(gone, Err(WebFault::NoFrame(inner.id)));
}
